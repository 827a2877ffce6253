/* SPDX-License-Identifier: BSD-3-Clause */
/* How far apart two figures are that were estimated from samples apart. */
#ifndef STATISTICS_DIFFERENCE_H
#define STATISTICS_DIFFERENCE_H

#include "weighted.h"

/* A figure and its interval of some level. 'value' NAN: there is none; an end NAN: it is not known */
struct estimate {
	double value;
	struct interval interval;
};

/*
 * How many events samples stand for, whose number is that of a Poisson process: the score interval with
 * continuity correction of as many samples of equal weight as tell as much. With a fixed period samples
 * come more regularly than that. Fewer than WEIGHTED_FEWEST effective samples that weigh differently
 * have none.
 *
 * @param unit  what a sample weighs where they are counted
 * @param most  what one that was not met may weigh, for the upper end of none
 */
struct estimate estimate_of_total(const struct weighted *samples, uint64_t unit, uint64_t most,
				  struct confidence confidence);

/*
 * The mean of several runs of the same. Its interval is what sampling leaves open, or by Student's t
 * what the runs differ by, whichever is wider.
 *
 * @param runs    1 or more, with their intervals
 * @param chance  that the truth is beyond one of the ends: what their z is the quantile of
 */
struct estimate estimate_of_runs(const struct estimate *runs, uint32_t count, double chance);

/*
 * after - before, from their intervals: the square-and-add method of R. G. Newcombe, "Interval
 * estimation for the difference between independent proportions: comparison of eleven methods",
 * Statistics in Medicine 17 (1998) 873-890, method 10, which G. Y. Zou and A. Donner made one for any
 * figures ("Construction of confidence limits about effect measures: a general approach", 2008).
 */
struct interval difference_of(const struct estimate *before, const struct estimate *after);

#endif
