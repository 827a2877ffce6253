/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bias or resonance? Hardware that prefers some instructions does so at every period; a period in step with a
 * loop visits but some of them, and another one others. So shares of instructions are compared with what they
 * should be, and with those at other periods: in step is what differs from both.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "periods.h"
#include "series.h"

/* How often at most one alarm of a sweep is false */
#define ALARMS 0.01

/* Counts of instructions, and how many samples as many independent ones would tell as much */
struct shares {
	uint64_t sites[SITES_MOST];
	double n, effective;
};

/*
 * The variance of a mean of samples that follow from those before: 1 + 2 times the sum of correlations. Never
 * less than 1: that of samples that visit all places by turns is smaller than chance has it.
 */
static double effect_of(const struct series *series)
{
	double sum = 0, n = 0;

	for (uint32_t run = 0; run < series->count; run++) {
		for (uint32_t thread = 0; thread < series->runs[run].threads; thread++) {
			const struct positions *positions =
				&run_counts(&series->runs[run], thread, series->member)->positions;

			if (isnan(positions_correlation(positions, 1)))
				continue;
			for (uint32_t lag = 1; lag <= LAGS; lag++) {
				const double correlation = positions_correlation(positions, lag);

				sum += correlation * 2 * (double)positions->n;
			}
			n += (double)positions->n;
		}
	}
	return n > 0 && sum > 0 ? 1 + sum / n : 1;
}

static void add_shares(struct shares *shares, const struct series *series, const double *expected)
{
	const struct counts all = series_all(series);
	double n = 0;

	for (size_t site = 0; site < SITES_MOST; site++) {
		if (!(expected[site] > 0))
			continue;
		shares->sites[site] += all.sites[site];
		n += (double)all.sites[site];
	}
	shares->n += n;
	shares->effective += n / effect_of(series);
}

/* Other periods, if there are any those without a divisor in common with the loop */
static struct shares shares_of_others(const struct series *series, const double *expected)
{
	struct shares others = { { 0 }, 0, 0 };

	for (int any_divisor = 0; any_divisor < 2 && !(others.n > 0); any_divisor++) {
		for (uint32_t n = 0; n < series->sweep_count; n++) {
			const struct series *other = &series->sweep[n];

			if (other->period != series->period &&
			    (any_divisor || series_step(other).divisor <= 1))
				add_shares(&others, other, expected);
		}
	}
	return others;
}

/* Half of the sum of what shares differ by (total variation) */
static double distance(const struct shares *a, const struct shares *b)
{
	double sum = 0;

	for (size_t site = 0; site < SITES_MOST; site++)
		sum += fabs((double)a->sites[site] / a->n - (double)b->sites[site] / b->n);
	return sum / 2;
}

/*
 * What chance leaves it below, but for that chance: by Cauchy and Schwarz the square of total variation is at
 * most a quarter of chi-square by the number of samples, whatever the shares are.
 */
static double reach(double chance, uint32_t degrees, double samples_inverse)
{
	return sqrt(chi_square_upper(chance, degrees) * samples_inverse) / 2;
}

/* In words: what explains it, or that nothing known does */
static void explain(const struct series *series, struct metric_result *result)
{
	const struct period_step step = series_step(series);
	const int is_in_step = result->value - result->floor > 0;

	if (step.divisor > 1)
		snprintf(result->says, sizeof(result->says),
			 "%s: period %" PRIu64 ", a turn's %" PRIu64 " and an outer turn's %" PRIu64
			 " events "
			 "have the divisor %" PRIu64 ": %" PRIu64 " of %" PRIu64 " positions%s",
			 is_in_step ? "in step" : "not seen", series->period, step.turn, step.outer,
			 step.divisor, step.turn / step.divisor, step.turn,
			 is_in_step ? "" : ", but something randomises");
	else if (is_in_step)
		snprintf(result->says, sizeof(result->says),
			 "in step, but period and turn have no divisor: it samples at another period");
}

struct metric_result period_metric_resonance(const struct series *series)
{
	struct shares here = { { 0 }, 0, 0 }, others;
	double expected[SITES_MOST], bias, floor, change, reach_of_change;
	struct metric_result result;
	struct fit fit;

	if (!series_fit(series, &fit, &result))
		return result;
	if (series->sweep_count < 2)
		return metric_absent("one period cannot tell it from bias: --periods around");
	series_shares(series, expected);
	add_shares(&here, series, expected);
	others = shares_of_others(series, expected);
	if (!(others.n > 0))
		return metric_absent("there is no sample at another period");
	floor = reach(ALARMS / series->sweep_count, fit.degrees, 1 / here.effective);
	bias = fit.effect;
	change = distance(&here, &others);
	reach_of_change = reach(ALARMS / series->sweep_count, fit.degrees,
				1 / here.effective + 1 / others.effective);
	if (change - reach_of_change < bias - floor) {
		bias = change;
		floor = reach_of_change;
	}
	result = metric_plain(100 * bias, (uint64_t)here.n);
	result.floor = 100 * floor;
	explain(series, &result);
	return result;
}

/* Pearson's test of a table of periods and instructions, by as many samples as are independent */
double series_homogeneity(const struct series *series)
{
	double expected[SITES_MOST], statistic = 0;
	struct shares all = { { 0 }, 0, 0 };
	uint32_t periods = 0, sites = 0;

	series_shares(series, expected);
	for (uint32_t n = 0; n < series->sweep_count; n++)
		add_shares(&all, &series->sweep[n], expected);
	for (uint32_t n = 0; n < series->sweep_count; n++) {
		struct shares one = { { 0 }, 0, 0 };

		add_shares(&one, &series->sweep[n], expected);
		if (!(one.n > 0))
			continue;
		periods++;
		for (size_t site = 0; site < SITES_MOST; site++) {
			const double mean = (double)all.sites[site] / all.n;
			const double by = (double)one.sites[site] / one.n - mean;

			statistic += mean > 0 ? one.effective * by * by / mean : 0;
		}
	}
	for (size_t site = 0; site < SITES_MOST; site++)
		sites += all.sites[site] > 0;
	return periods > 1 && sites > 1 ? chi_square_tail(statistic, (periods - 1) * (sites - 1)) : NAN;
}
