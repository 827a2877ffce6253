/* SPDX-License-Identifier: BSD-3-Clause */
/* See poisson_sum.h. */
#include "poisson_sum.h"

#include <math.h>

#include "chi_square_by_normal.h"
#include "root.h"

struct interval poisson_sum_interval(const struct poisson_sum *sum, struct confidence confidence)
{
	const double reach = confidence.z * root_of(confidence.effect);
	const double unsure = sum->unsure / 1.5, variance = sum->variance + unsure * unsure;
	const double above = sum->sum + sum->most, more = variance + sum->most * sum->most;
	struct interval interval = { 0, 0 };

	if (isnan(reach))
		return (struct interval){ NAN, NAN };
	if (sum->sum > 0)
		interval.low = variance / (2 * sum->sum) *
			       chi_square_by_normal(2 * sum->sum * sum->sum / variance, -reach);
	if (above > 0)
		interval.high = more / (2 * above) * chi_square_by_normal(2 * above * above / more, reach);
	/* a variance that no events with that sum have: 0, or so small that its ratio is beyond numbers */
	if (!isfinite(interval.low) || !isfinite(interval.high))
		return (struct interval){ NAN, NAN };
	return interval;
}
