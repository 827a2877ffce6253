/* SPDX-License-Identifier: BSD-3-Clause */
/* See interval.h. */
#include "interval.h"

#include <float.h>
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

double chance_of_so_many(uint64_t k, uint64_t n, double share)
{
	const double count = (double)n, odds = share / (1 - share);
	double sum = 0, term;

	if ((double)k <= count * share)
		return 1; /* or less: not small in any case */
	if (k > n)
		return 0;
	term = exp(lgamma(count + 1) - lgamma((double)k + 1) - lgamma(count - (double)k + 1) +
		   (double)k * log(share) + (count - (double)k) * log1p(-share));
	/* beyond the mean each is smaller than the one before */
	for (double i = (double)k; i <= count && term > sum * DBL_EPSILON; i++) {
		sum += term;
		term *= (count - i) / (i + 1) * odds;
	}
	return sum;
}
