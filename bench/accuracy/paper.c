/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The formulas of the TPDS 2023 paper (kernels.def), sections IV-A to IV-D, F and G, as its artifact computes
 * them: accuracy is 100 - 100 |samples - expected| / expected, stability the standard deviation over the runs
 * with n - 1. They count every sample, in whichever mode.
 */

#include "series.h"

/* Where so many samples are expected */
static double accuracy(double samples, double expected)
{
	return 100 - 100 * fabs(samples - expected) / expected;
}

/* The paper's: by the period that was asked for */
static double expected_of(const struct series *series, const struct counts *counts)
{
	return (double)counts->truth / (double)series->period;
}

static struct run_values accuracies(const struct series *series)
{
	struct run_values runs = { .count = 0 };

	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const struct counts counts = series_run(series, n);
		const double expected = expected_of(series, &counts);

		if (expected > 0)
			run_values_add(&runs, METRIC_accuracy, series, &counts,
				       accuracy((double)counts.samples, expected));
	}
	return runs;
}

struct metric_result paper_metric_accuracy(const struct series *series)
{
	struct metric_result result;
	struct run_values runs;

	if (!series_has_truth(series, &result))
		return result;
	runs = accuracies(series);
	return metric_mean(&runs);
}

struct metric_result paper_metric_stability(const struct series *series)
{
	struct metric_result result;
	struct run_values runs;

	if (!series_has_truth(series, &result))
		return result;
	runs = accuracies(series);
	if (runs.count < 2)
		return metric_absent("one run has no deviation");
	return metric_plain(deviation_of(runs.values, runs.count), runs.count);
}

struct metric_result paper_metric_largest_share(const struct series *series)
{
	const struct counts all = series_all(series);
	uint64_t most = 0, sum = 0, sites = 0;
	struct metric_result result;

	if (series->event->place == PLACE_NOWHERE)
		return metric_absent("its samples do not tell the instruction");
	for (size_t site = 0; site < kernel_site_count(series->kernel) && site < SITES_MOST; site++) {
		if (series->kernel->sites[site].part != PART_TURN ||
		    kernel_site_truth(series->kernel, site, series->event->quantity, 2, 2) <= 0)
			continue;
		sites++;
		sum += all.sites[site];
		most = all.sites[site] > most ? all.sites[site] : most;
	}
	if (sites < 2)
		return metric_absent("one instruction of a turn does it");
	result = metric_share(most, sum);
	result.floor = 100.0 / (double)sites;
	return result;
}

struct metric_result paper_metric_wrong_samples(const struct series *series)
{
	const struct counts all = series_all(series);

	if (series->event->place == PLACE_NOWHERE)
		return metric_absent("its samples do not tell the instruction");
	return metric_plain((double)(all.wrong + all.between), all.samples);
}

struct metric_result paper_metric_wrong_mode_samples(const struct series *series)
{
	const struct counts all = series_all(series);

	return metric_plain((double)(all.samples - series_observed(series, &all)), all.samples);
}

static double cpu_time(const struct run *run)
{
	double sum = 0;

	for (uint32_t thread = 0; thread < run->threads; thread++)
		sum += (double)run->thread[thread].cpu_ns;
	return sum;
}

/*
 * The mean time with sampling by the mean time without. The interval is ours: Student's of what a run with
 * sampling takes more than that ratio times the one beside it (W. G. Cochran, Sampling Techniques, chapter
 * 6).
 */
struct metric_result paper_metric_time_overhead(const struct series *series)
{
	double with = 0, without = 0, beyond[RUNS_MOST], ratio;
	struct metric_result result;

	if (!series->bare)
		return metric_absent("it was not run without sampling");
	for (uint32_t n = 0; n < series->count; n++) {
		with += cpu_time(&series->runs[n]);
		without += cpu_time(&series->bare[n]);
	}
	if (!(without > 0))
		return metric_absent("it was not run without sampling");
	ratio = with / without;
	result = metric_plain(100 * (ratio - 1), series->count);
	for (uint32_t n = 0; n < series->count; n++)
		beyond[n] = cpu_time(&series->runs[n]) - ratio * cpu_time(&series->bare[n]);
	metric_student(&result, 100 * deviation_of(beyond, series->count) * sqrt(series->count) / without,
		       series->count);
	return result;
}
