/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a sum of events that each count for something of their own may be from what it estimates. */
#ifndef STATISTICS_POISSON_SUM_H
#define STATISTICS_POISSON_SUM_H

#include "interval.h"

/* Sum of what events add, of the squares of that, and the most that one can add. Zeroed memory is empty. */
struct poisson_sum {
	double sum, variance, most;
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
}

/**
 * The interval of the sum's mean, by the gamma distribution that has the sum's mean and variance: M. Fay and
 * E. Feuer, "Confidence intervals for directly standardized rates: a method based on the gamma distribution",
 * Statistics in Medicine 16 (1997) 791-801. It is the exact one of a Poisson variable where all events add
 * the same. 'variance' may have more in it than the events' own: what it is not known how much they add.
 *
 * Of nothing the lower end is 0, and the upper one what as many events as none may stand for would add.
 *
 * @return ends NAN if confidence.effect is NAN, or the variance is none that such a sum has (0)
 */
struct interval poisson_sum_interval(const struct poisson_sum *sum, struct confidence confidence);

#endif
