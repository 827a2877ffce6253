/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 95% confidence intervals: how far a figure from a sample may be from the truth.
 * They know of the sampling only, not of its bias: tagging, skid, lost samples.
 */
#ifndef STATISTICS_INTERVAL_H
#define STATISTICS_INTERVAL_H

#include <stdint.h>

struct interval {
	double low, high;
};

/**
 * The score interval of a share k of n with continuity correction: all shares p for which k is
 * no surprise, that is |k/n - p| - 1/2n <= z sqrt(p (1 - p) / n) with z = 1.95996.
 *
 * Whatever the true share is and however few the samples: at least 95 of 100 such intervals hold
 * it (94.55 for n = 1). Of Wilson's interval, which has no correction, that is true in the mean
 * over all shares only, and not near 0 and 1, where the shares of misses are. Method 4 of
 * R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven
 * methods", Statistics in Medicine 17 (1998) 857-872.
 *
 * @param k  not larger than n
 * @param n  0: nothing is known, the interval is [0, 1]
 */
struct interval interval_of_share(uint64_t k, uint64_t n);

/**
 * The interval of a mean by the normal approximation: mean +- z deviation / sqrt(n).
 * Good from some thirty values on; too narrow below, and for long tails.
 *
 * @param deviation  the sample's standard deviation
 * @param n          fewer than 2: nothing is known, the interval is infinite
 */
struct interval interval_of_mean(double mean, double deviation, uint64_t n);

#endif
