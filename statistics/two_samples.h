/* SPDX-License-Identifier: BSD-3-Clause */
/* Do two samples differ, by how much, and how likely is that by chance: means, shares, many at once. */
#ifndef STATISTICS_TWO_SAMPLES_H
#define STATISTICS_TWO_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "interval.h"

/* after - before */
struct tested {
	double difference;
	struct interval interval; /* of 95% */
	double p; /* how likely so large a difference is, either way, if there is none; NAN: not known */
};

/* What values say of the mean that they are drawn from */
struct moments {
	double mean, variance; /* with n - 1 */
	uint32_t count;
};

/**
 * Means of normal values with variances that need not be equal: B. L. Welch, "The generalization of
 * 'Student's' problem when several different population variances are involved", Biometrika 34 (1947)
 * 28-35.
 *
 * @param before, after  of 2 values or more; one of the variances is above 0
 * @param beyond  by so much the difference may be off for another cause than chance, in either
 *         direction
 */
struct tested welch_test(const struct moments *before, const struct moments *after, double beyond);

/* k of n */
struct part {
	uint64_t k, n;
};

/*
 * By how much parts of the same share differ: Pearson's statistic, which is a chi-square variable of so
 * many degrees of freedom if all of them are independent draws, and larger if draws of a part are
 * alike. Adds to both.
 */
void parts_spread(const struct part *parts, size_t count, double *statistic, double *degrees);

/**
 * Shares of independent draws: Newcombe's interval of the difference (difference.h), and R. A. Fisher's
 * exact test, twice its smaller tail ("The logic of inductive inference", Journal of the Royal
 * Statistical Society 98, 1935). Where draws are found to be alike within parts, variances are so many
 * times as large as the statistic of parts_spread() has degrees, known as well as these tell (P.
 * McCullagh and J. A. Nelder, "Generalized Linear Models", 1989, 4.5).
 *
 * @param before, after  n above 0, k not larger than n
 * @param statistic, degrees  of the parts of both; 0: there are none
 */
struct tested shares_test(const struct part *before, const struct part *after, double statistic,
			  double degrees);

/**
 * Chances of many tests, each made that of the smallest level at which S. Holm's procedure would find
 * that test, so that in all of them together something is found by chance no more often than that: "A
 * simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979)
 * 65-70. Whether tests depend on each other does not matter. 0, or -1: no memory
 */
int holm_adjust(double *chances, size_t count);

#endif
