/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics/interval.h"

#include <math.h>

/* The normal distribution's 97.5% quantile */
static const double z = 1.959963984540054;

struct interval interval_of_share(uint64_t k, uint64_t n)
{
	struct interval interval = { 0, 1 };
	double share, scale, center, half;

	if (n == 0 || k > n)
		return interval;
	share = (double)k / (double)n;
	scale = 1 + z * z / (double)n;
	center = (share + z * z / (2 * (double)n)) / scale;
	half = z / scale * sqrt((share * (1 - share) + z * z / (4 * (double)n)) / (double)n);
	/* At both ends the formula gives 0 and 1 but for its rounding */
	if (k > 0)
		interval.low = center - half;
	if (k < n)
		interval.high = center + half;
	return interval;
}

struct interval interval_of_mean(double mean, double deviation, uint64_t n)
{
	double half = n < 2 ? INFINITY : z * deviation / sqrt((double)n);
	struct interval interval = { mean - half, mean + half };

	return interval;
}
