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
 * Wilson's score interval of a share k of n: all shares p for which k is no
 * surprise, that is |k/n - p| <= z sqrt(p (1 - p) / n) with z = 1.95996.
 *
 *   center = (k/n + z^2/2n) / (1 + z^2/n)
 *   half   = z / (1 + z^2/n) * sqrt(k/n (1 - k/n) / n + z^2/4n^2)
 *
 * Right for small n and for shares near 0 and 1 as well, where k/n +- z s is not.
 * E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
 * Inference", JASA 22 (1927) 209-212; recommended by Brown, Cai, DasGupta,
 * "Interval Estimation for a Binomial Proportion", Statistical Science 16 (2001).
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
