/* SPDX-License-Identifier: BSD-3-Clause */
/* See interval.h. */
#include "interval.h"

#include <math.h>

/* The normal distribution's 97.5% quantile */
static const double z = 1.959963984540054;

double interval_upper_end(double share, double n)
{
	const double square = z * z / n;

	return (2 * share + square + sqrt(square * (square + 4 * share * (1 - share)))) /
	       (2 * (1 + square));
}

struct interval interval_of_share(uint64_t k, uint64_t n)
{
	struct interval interval = { 0, 1 };

	if (n == 0 || k > n)
		return interval;
	/* The ends of k of n are those of n - k of n, mirrored. */
	if (k > 0)
		interval.low = 1 - interval_upper_end(((double)(n - k) + 0.5) / (double)n, (double)n);
	if (k < n)
		interval.high = interval_upper_end(((double)k + 0.5) / (double)n, (double)n);
	return interval;
}

struct interval interval_of_mean(double mean, double deviation, uint64_t n)
{
	double half = n < 2 ? INFINITY : z * deviation / sqrt((double)n);
	struct interval interval = { mean - half, mean + half };

	return interval;
}
