/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of things of which each was met with a probability of its own: what there is of all, by those that
 * were met. Each stands for 1 / probability (D. G. Horvitz, D. J. Thompson, "A generalization of sampling
 * without replacement from a finite universe", JASA 47 (1952) 663-685).
 */
#ifndef STATISTICS_THINNED_H
#define STATISTICS_THINNED_H

#include <stdint.h>

#include "interval.h"

/* Zeroed memory is a sum of nothing. */
struct thinned {
	uint64_t n;   /* that were met */
	double met;   /* what these alone have */
	double sum;   /* what all have: the estimate */
	double certain;  /* of it what is met always */
	double variance; /* of the estimate: 0 if all that was met is met always */
	double largest, largest_variance; /* what one of them that is not added most, to both */
};

/** One that was met. @param amount  0 or more. @param probability  above 0, up to 1 */
void thinned_add(struct thinned *thinned, double amount, double probability);

/** One that is not met may stand for so much, even if none of those that were does. */
void thinned_unmet(struct thinned *thinned, double all);

/** The other's, too */
void thinned_merge(struct thinned *thinned, const struct thinned *other);

/**
 * The 95% interval of what all have: that of a sum of Poisson counts with weights, a gamma variable of the
 * same mean and variance, where for the upper end one more of the largest was met (M. P. Fay, E. J. Feuer,
 * "Confidence intervals for directly standardized rates", Statistics in Medicine 16 (1997) 791-801); never
 * below what was met. A normal variable of that variance is too short where few were met: with those went
 * the heavy ones, and the variance is small when the sum is. Of equal weights it is the exact one of a
 * Poisson count.
 *
 * That one more stands for no more than those that were met, and than thinned_unmet() says, is all it knows
 * of what was not: where many things are that stand for more, and are met less, none of them may be among a
 * few that were. Of blocks met in proportion to their size that concerns their number, 1 / probability each,
 * if sizes differ much; not their bytes: whatever their sizes, that none of so many bytes has been met is as
 * unlikely, so that a small block's stand for the mean between two points.
 */
struct interval thinned_interval(const struct thinned *thinned);

#endif
