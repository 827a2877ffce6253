/* SPDX-License-Identifier: BSD-3-Clause */
/* See interval.h. */
#include "interval.h"

#include <math.h>

/* The normal distribution's 97.5% quantile */
static const double z = 1.959963984540054;

/* The smaller root p of (share - 1/2n - p)^2 = z^2 p (1 - p) / n */
static double lower_end(double share, double n)
{
	const double square = z * z;
	const double root = square - 2 - 1 / n + 4 * share * (n * (1 - share) + 1);

	return (2 * n * share + square - 1 - z * sqrt(root)) / (2 * (n + square));
}

struct interval interval_of_share(uint64_t k, uint64_t n)
{
	struct interval interval = { 0, 1 };

	if (n == 0 || k > n)
		return interval;
	/* The ends of k of n are those of n - k of n, mirrored. */
	if (k > 0)
		interval.low = lower_end((double)k / (double)n, (double)n);
	if (k < n)
		interval.high = 1 - lower_end((double)(n - k) / (double)n, (double)n);
	return interval;
}

struct interval interval_of_part(double share, double n)
{
	struct interval interval = { 0, 1 };

	/* within half a sample of an end there is nothing to correct, and it is the end */
	if (share * n > 0.5)
		interval.low = lower_end(share, n);
	if ((1 - share) * n > 0.5)
		interval.high = 1 - lower_end(1 - share, n);
	return interval;
}

struct interval interval_of_mean(double mean, double deviation, uint64_t n)
{
	double half = n < 2 ? INFINITY : z * deviation / sqrt((double)n);
	struct interval interval = { mean - half, mean + half };

	return interval;
}
