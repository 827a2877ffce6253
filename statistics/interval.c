/* SPDX-License-Identifier: BSD-3-Clause */
/* See interval.h. */
#include "interval.h"

#include <math.h>

double interval_upper_end(double share, double n, double z)
{
	const double square = z * z / n;

	return (2 * share + square + sqrt(square * (square + 4 * share * (1 - share)))) /
	       (2 * (1 + square));
}

struct interval interval_of_share(uint64_t k, uint64_t n)
{
	return interval_of_share_at(k, n, INTERVAL_Z);
}

struct interval interval_of_share_at(uint64_t k, uint64_t n, double z)
{
	struct interval interval = { 0, 1 };

	if (n == 0 || k > n)
		return interval;
	/* The ends of k of n are those of n - k of n, mirrored. */
	if (k > 0)
		interval.low = 1 - interval_upper_end(((double)(n - k) + 0.5) / (double)n, (double)n,
						      z);
	if (k < n)
		interval.high = interval_upper_end(((double)k + 0.5) / (double)n, (double)n, z);
	return interval;
}
