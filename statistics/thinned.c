/* SPDX-License-Identifier: BSD-3-Clause */
/* See thinned.h. */
#include "thinned.h"

#include "chi_square_by_normal.h"
#include "fit.h"

#define TAIL 0.025 /* of 95%, on each side */
#define DEGREES_MANY 2000.0

void thinned_add(struct thinned *thinned, double amount, double probability)
{
	const double all = amount / probability, variance = all * all * (1 - probability);

	thinned->n++;
	thinned->met += amount;
	thinned->sum += all;
	thinned->certain += probability < 1 ? 0 : amount;
	thinned->variance += variance;
	if (variance > thinned->largest_variance) {
		thinned->largest = all;
		thinned->largest_variance = variance;
	}
}

void thinned_unmet(struct thinned *thinned, double all)
{
	if (all > thinned->largest) {
		thinned->largest = all;
		thinned->largest_variance = all * all;
	}
}

void thinned_merge(struct thinned *thinned, const struct thinned *other)
{
	thinned->n += other->n;
	thinned->met += other->met;
	thinned->sum += other->sum;
	thinned->certain += other->certain;
	thinned->variance += other->variance;
	if (other->largest_variance > thinned->largest_variance) {
		thinned->largest = other->largest;
		thinned->largest_variance = other->largest_variance;
	}
}

/* What a chi-square variable exceeds with that chance */
static double quantile(double chance, double degrees)
{
	return degrees < DEGREES_MANY ? chi_square_upper(chance, degrees) :
	       chi_square_by_normal(degrees, chance < 0.5 ? INTERVAL_Z : -INTERVAL_Z);
}

/* A gamma variable's end */
static double gamma_end(double mean, double variance, double chance)
{
	return variance / (2 * mean) * quantile(chance, 2 * mean * mean / variance);
}

struct interval thinned_interval(const struct thinned *thinned)
{
	const double estimated = thinned->sum - thinned->certain;
	struct interval interval = { thinned->sum, thinned->sum };

	if (thinned->variance > 0 && estimated > 0)
		interval.low = fmax(thinned->certain + gamma_end(estimated, thinned->variance, 1 - TAIL),
				    thinned->met);
	if (thinned->largest_variance > 0)
		interval.high = thinned->certain +
				gamma_end(estimated + thinned->largest,
					  thinned->variance + thinned->largest_variance, TAIL);
	return interval;
}
