/* SPDX-License-Identifier: BSD-3-Clause */
/* See poisson_sum.h. */
#include "poisson_sum.h"

/*
 * What a chi-squared variable of that many degrees of freedom exceeds, z being the normal distribution's
 * quantile: E. Wilson and M. Hilferty, "The distribution of chi-square", PNAS 17 (1931) 684-688. Of 2 degrees
 * and more the upper end of 95% is less than 0.7% too low; the lower one is too low, too.
 */
static double chi_squared(double degrees, double z)
{
	const double part = 2 / (9 * degrees), root = 1 - part + z * sqrt(part);

	return root > 0 ? degrees * root * root * root : 0;
}

struct interval poisson_sum_interval(const struct poisson_sum *sum, struct confidence confidence)
{
	const double reach = confidence_reach(confidence);
	const double above = sum->sum + sum->most, more = sum->variance + sum->most * sum->most;
	struct interval interval = { 0, 0 };

	if (isnan(reach))
		return (struct interval){ NAN, NAN };
	if (sum->sum > 0)
		interval.low = sum->variance / (2 * sum->sum) *
			       chi_squared(2 * sum->sum * sum->sum / sum->variance, -reach);
	if (above > 0)
		interval.high = more / (2 * above) * chi_squared(2 * above * above / more, reach);
	return interval;
}
