/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the mean of what samples measured may be from the truth. */
#ifndef STATISTICS_MEAN_H
#define STATISTICS_MEAN_H

#include "histogram.h"
#include "weighted.h"

/*
 * How values lie about their mean, which is known before: sums over samples of weights and distances.
 * Where samples are counted (weighted.h) each weighs 1. Zeroed memory with a mean is empty.
 */
struct spread {
	double mean;
	double weight, seconds, thirds;  /* sums of w, w d^2 and w d^3 */
	double uncertainty;              /* of (w d)^2 */
	double total, squares;           /* of w x and (w x)^2: what each value adds to the sum */
	double least, most;              /* values */
};

/* From which number on intervals of 95% hold the truth in 94 of 100 runs, or more, for long tails, too */
#define SPREAD_FEWEST 60

/** Samples of one value, each with its weight. */
void spread_add(struct spread *spread, const struct weighted *samples, double value);

/** The same where all samples are counted (weighted_are_counted()). */
void spread_add_counted(struct spread *spread, uint64_t samples, double value);

/** All values of a histogram, likewise */
void spread_add_histogram(struct spread *spread, const struct histogram *histogram);

/**
 * The interval of the mean. With T = (mean - truth) / error, where the error is
 * that of a ratio of sums (Cochran, "Sampling Techniques", 1977, 6.4), Student's t of that level is put
 * through the cubic transformation that takes the skewness out of T: P. Hall, "On the Removal of Skewness
 * by Transformation", Journal of the Royal Statistical Society B 54, 1992, 221-228. Then each end
 * is moved by what half of the heaviest sample would change if it were of the largest, or of the least,
 * value, as weighted_interval() does.
 *
 * Without an end (NAN) where fewer than SPREAD_FEWEST samples of equal weight and value would make a sum
 * as uncertain, since then few samples tell what the mean is; and where all values are the same, which
 * says nothing of how others may differ.
 *
 * A kind of value that fewer than 3 in n samples have is not among these in one of 20 runs, and no
 * interval of samples alone can know of it. tests/statistics/test_mean.c has how often the truth
 * is held.
 *
 * @param whole  all samples that were added
 */
struct interval spread_interval(const struct spread *spread, const struct weighted *whole,
				struct confidence confidence);

#endif
