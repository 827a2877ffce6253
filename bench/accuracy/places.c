/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instruction, address and mode samples name, beside where what is counted happens. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "periods.h"
#include "series.h"

#define NO_PLACE "its samples do not tell the instruction"

static uint64_t in_kernel(const struct counts *counts)
{
	return counts->right + counts->wrong + counts->between;
}

struct metric_result place_metric_wrong_rate(const struct series *series)
{
	const struct counts all = series_all(series);

	if (series->event->place == PLACE_NOWHERE)
		return metric_absent(NO_PLACE);
	return metric_share(all.wrong + all.between, in_kernel(&all));
}

static struct metric_result skid_of(const struct series *series, uint32_t skid)
{
	const struct counts all = series_all(series);

	if (series->event->place == PLACE_NOWHERE)
		return metric_absent(NO_PLACE);
	return metric_share(all.skid[skid], all.right + all.wrong);
}

struct metric_result place_metric_skid_1(const struct series *series)
{
	return skid_of(series, 1);
}

struct metric_result place_metric_skid_2(const struct series *series)
{
	return skid_of(series, 2);
}

struct metric_result place_metric_skid_more(const struct series *series)
{
	return skid_of(series, 3);
}

struct metric_result place_metric_outside(const struct series *series)
{
	const struct counts all = series_all(series);

	return metric_share(all.outside, all.samples);
}

struct metric_result place_metric_wrong_mode(const struct series *series)
{
	const struct counts all = series_all(series);

	if (series->event->family == EVENT_IBS)
		return metric_absent("IBS takes all modes; what it counts happens in all of them");
	return metric_share(all.samples - series_observed(series, &all), all.samples);
}

struct metric_result place_metric_wrong_address(const struct series *series)
{
	const struct counts all = series_all(series);

	if (series->event->word < 0 && series->event->quantity != QUANTITY_PAGES)
		return metric_absent("which address is right is not known of this event");
	return metric_share(all.wrong_address, all.samples);
}

uint32_t series_shares(const struct series *series, double shares[SITES_MOST])
{
	uint32_t sites = 0;

	memset(shares, 0, SITES_MOST * sizeof(shares[0]));
	for (size_t site = 0; site < kernel_site_count(series->kernel) && site < SITES_MOST; site++) {
		const int64_t each = kernel_site_truth(series->kernel, site, series->event->quantity, 1, 2) -
				     kernel_site_truth(series->kernel, site, series->event->quantity, 1, 1);

		shares[site] = each == 1;
		sites += each == 1;
	}
	for (size_t site = 0; sites && site < SITES_MOST; site++)
		shares[site] /= sites;
	return sites;
}

int series_fit(const struct series *series, struct fit *fit, struct metric_result *result)
{
	const struct counts all = series_all(series);
	double shares[SITES_MOST];
	uint32_t sites;

	if (series->event->place == PLACE_NOWHERE) {
		*result = metric_absent(NO_PLACE);
		return 0;
	}
	sites = series_shares(series, shares);
	*fit = fit_shares(all.sites, shares, SITES_MOST);
	if (sites < 2)
		*result = metric_absent("one instruction of a turn does it");
	else if (!fit->degrees)
		*result = metric_absent("there is no sample");
	return sites >= 2 && fit->degrees;
}

/* Chance makes shares that differ so much less often: they have a cause */
#define CAUSED 0.001

/*
 * A period that has a divisor in common with what is counted in a turn visits but some of its places. Of a
 * subset ops are counted. A period that is random has no step, unless shares say that it is not random.
 */
static void say_divisor(const struct series *series, const struct fit *fit, struct metric_result *result)
{
	const struct period_step step = series_step(series);

	if (step.divisor > 1 &&
	    (event_period_deviation(series->event, series->period) <= 0 || fit->p < CAUSED))
		snprintf(result->says, sizeof(result->says),
			 "in step: the period and the %" PRIu64 " events of a turn have the divisor %" PRIu64
			 " in common", step.turn, step.divisor);
}

struct metric_result place_metric_uniformity(const struct series *series)
{
	struct metric_result result;
	struct fit fit;

	if (!series_fit(series, &fit, &result))
		return result;
	result = metric_plain(fit.p, series_all(series).samples);
	say_divisor(series, &fit, &result);
	return result;
}

struct metric_result place_metric_bias(const struct series *series)
{
	struct metric_result result;
	struct fit fit;

	if (!series_fit(series, &fit, &result))
		return result;
	result = metric_plain(100 * fit.effect, series_all(series).samples);
	result.floor = 100 * fit.floor;
	say_divisor(series, &fit, &result);
	return result;
}

/* Ljung and Box's sum of each thread of each run: they know nothing of each other. */
struct metric_result place_metric_independence(const struct series *series)
{
	double sum = 0;
	uint64_t samples = 0;
	uint32_t degrees = 0;

	for (uint32_t n = 0; n < series->count; n++) {
		for (uint32_t thread = 0; thread < series->runs[n].threads; thread++) {
			const struct positions *positions =
				&run_counts(&series->runs[n], thread, series->member)->positions;
			double correlations[LAGS];

			for (uint32_t lag = 1; lag <= LAGS; lag++)
				correlations[lag - 1] = positions_correlation(positions, lag);
			if (isnan(correlations[0]))
				continue;
			sum += ljung_box(correlations, LAGS, positions->n);
			degrees += LAGS;
			samples += positions->n;
		}
	}
	if (!degrees)
		return metric_absent("samples are of one instruction, or too few");
	return metric_plain(chi_square_tail(sum, degrees), samples);
}
