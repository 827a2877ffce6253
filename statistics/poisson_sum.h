/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a sum of events that each count for something of their own may be from what it estimates. */
#ifndef STATISTICS_POISSON_SUM_H
#define STATISTICS_POISSON_SUM_H

#include "interval.h"

/*
 * Sum of what events add, of the squares of that, and the most that one can add; and by how much the sum may
 * be too small or too large, since it is not known of all its events alike what they add. Zeroed memory is
 * empty.
 */
struct poisson_sum {
	double sum, variance, most, unsure;
};

/* So many events, each of which adds that */
static inline void poisson_sum_add(struct poisson_sum *to, double events, double each)
{
	to->sum += events * each;
	to->variance += events * each * each;
	to->most = each > to->most ? each : to->most;
}

static inline void poisson_sum_merge(struct poisson_sum *to, const struct poisson_sum *from)
{
	to->sum += from->sum;
	to->variance += from->variance;
	to->most = from->most > to->most ? from->most : to->most;
	to->unsure += from->unsure;
}

/* What each event adds was given in another unit. */
static inline struct poisson_sum poisson_sum_scaled(const struct poisson_sum *sum, double by)
{
	const struct poisson_sum scaled = { sum->sum * by, sum->variance * by * by, sum->most * by,
					    sum->unsure * by };

	return scaled;
}

/* One that did not happen might have added so much: what did may be of those that add less. */
static inline struct poisson_sum poisson_sum_with_most(const struct poisson_sum *sum, double each)
{
	struct poisson_sum is = *sum;

	is.most = each > is.most ? each : is.most;
	return is;
}

/**
 * The interval of the sum's mean, by the gamma distribution that has the sum's mean and variance: M. Fay and
 * E. Feuer, "Confidence intervals for directly standardized rates: a method based on the gamma distribution",
 * Statistics in Medicine 16 (1997) 791-801. It is the exact one of a Poisson variable where all events add
 * the same. 'variance' may have more in it than the events' own: what it is not known how much they add.
 *
 * What is unsure is taken for 1.5 standard deviations of an error of its own: where the mean may be 0.4 to
 * 1.6 times the sum of many events, the interval is 0.4 to 1.9 times that.
 *
 * Of nothing the lower end is 0, and the upper one what as many events as none may stand for would add.
 *
 * @return ends NAN if confidence.effect is NAN, or the variance is none that such a sum has (0)
 */
struct interval poisson_sum_interval(const struct poisson_sum *sum, struct confidence confidence);

#endif
