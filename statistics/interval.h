/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 95% confidence intervals: how far a figure from a sample may be from the truth.
 * They know of the sampling only, not of its bias: tagging, skid, lost samples.
 */
#ifndef STATISTICS_INTERVAL_H
#define STATISTICS_INTERVAL_H

#include <math.h>
#include <stdint.h>

struct interval {
	double low, high;
};

/* The normal distribution's 97.5% quantile: intervals of 95% */
#define INTERVAL_Z 1.959963984540054

/* What intervals are made for: their level, and samples that may follow from the ones before */
struct confidence {
	double z; /* the normal distribution's quantile of the level: quantiles.h */
	/*
	 * The variance of figures is so many times that of independent samples (serial.h), 1 or more.
	 * NAN: that is not known, and there are no intervals.
	 */
	double effect;
};

/* 95%, of independent samples */
static const struct confidence interval_confidence = { INTERVAL_Z, 1 };

/* How many standard errors of independent samples there are on each side */
static inline double confidence_reach(struct confidence confidence)
{
	return confidence.z * sqrt(confidence.effect);
}

/**
 * The score interval of a share k of n with continuity correction: all shares p for which k is
 * no surprise, that is |k/n - p| - 1/2n <= z sqrt(p (1 - p) / n) with z = 1.95996.
 *
 * How many of 100 such intervals hold the true share, at worst: 94.5 for n = 1, 94.7 from 2 on,
 * 94.8 from 5 on and 94.9 from 25 on, where the share is just too small for one sample in n, or
 * its mirror image; 96 to 99 in the mean over all shares. Of Wilson's interval, which has no
 * correction, 95 is the mean, and near 0 and 1, where the shares of misses are, there are fewer.
 * Method 4 of R. G. Newcombe, "Two-sided confidence intervals for the single proportion:
 * comparison of seven methods", Statistics in Medicine 17 (1998) 857-872.
 *
 * @param k  not larger than n
 * @param n  0: nothing is known, the interval is [0, 1]
 */
struct interval interval_of_share(uint64_t k, uint64_t n);

/** The same with another z than that of 95%: quantiles.h */
struct interval interval_of_share_at(uint64_t k, uint64_t n, double z);

/**
 * How likely k or more of n samples are in what has that share: a binomial variable's upper tail, summed
 * term by term. Where it has to be small, score intervals of as high a level are too short: of 11 samples
 * 2 are in a share of 2% in 20 of 1000 cases, and their lower end with z = 2.75 (3 of 1000) is above it.
 *
 * @param share  above 0 and below 1
 */
double chance_of_so_many(uint64_t k, uint64_t n, double share);

/**
 * The upper end of the score interval of a share that is as uncertain as one of n samples: the larger
 * root p of (share - p)^2 = z^2 p (1 - p) / n. Nothing is corrected for steps from sample to sample.
 *
 * @param share  from 0 to 1
 * @param n      above 0; need not be whole
 */
double interval_upper_end(double share, double n, double z);

#endif
