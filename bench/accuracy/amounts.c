/* SPDX-License-Identifier: BSD-3-Clause */
/* How many samples there are, beside how many there should be, and where the others are. */
#include <stdio.h>

#include "series.h"
#include "statistics/fit.h"

/* Of a run or a thread, in percent */
static double error_of(const struct series *series, const struct counts *counts)
{
	const double expected = series_expected(series, counts);

	return 100 * ((double)series_of_kernel(series, counts) - expected) / expected;
}

/*
 * Of so many threads, in percent of all they have: what has its own counter begins with a full period in
 * each, and ends with less than one.
 */
static double remainder_of(const struct series *series, const struct counts *counts, uint32_t threads)
{
	return event_is_direct(series->event) ? 100 * threads / series_expected(series, counts) : 0;
}

/*
 * Likewise of what precedes the kernel: what the CPU counts happens in other code of the thread, too, so that
 * the first sample may come before a full period of the kernel's events.
 */
static double precedence_of(const struct series *series, const struct counts *counts, uint32_t threads)
{
	const enum event_family family = series->event->family;
	const int is_cpus = family == EVENT_IBS || family == EVENT_PEBS;

	return is_cpus ? remainder_of(series, counts, threads) : 0;
}

/*
 * What chance makes of the error of so many threads, in percent: the remainder, the deviation of a binomial
 * number where it is of a subset, and that of random periods, which all samples have, not only those of the
 * subset.
 */
static double floor_of(const struct series *series, const struct counts *counts, uint32_t threads)
{
	const double expected = series_expected(series, counts);
	const double share = counts->all ? (double)counts->samples / (double)counts->all : 0;
	const double binomial = event_is_direct(series->event) ? 0 : (1 - share) / expected;
	const double by = event_period_deviation(series->event, series->period) /
			  event_mean_period(series->event, series->period);
	const double random = by * by * (share > 0 ? share : 1) / expected;

	return remainder_of(series, counts, threads) + 100 * sqrt(binomial + random);
}

/* Sums over runs of what their ends make of them */
struct ends {
	double floors, remainders, precedences;
};

static void add_ends(struct ends *ends, const struct series *series, const struct counts *counts,
		     uint32_t threads)
{
	ends->floors += floor_of(series, counts, threads);
	ends->remainders += remainder_of(series, counts, threads);
	ends->precedences += precedence_of(series, counts, threads);
}

static int is_exact(const struct series *series, const struct counts *counts)
{
	const double by = (double)series_of_kernel(series, counts) -
			  (double)(counts->truth / series->period);

	return fabs(by) <= 1;
}

struct metric_result count_metric_exact(const struct series *series)
{
	const enum event_family family = series->event->family;
	struct metric_result result;
	uint64_t exact = 0, all = 0;

	if (!series_has_truth(series, &result))
		return result;
	if (family == EVENT_IBS || family == EVENT_PEBS)
		return metric_absent("the CPU counts it, and may count more than the kernel made");
	if (series->event->quantity == QUANTITY_CPU_TIME)
		return metric_absent("a clock has no exact number of events");
	for (uint32_t n = 0; n < series->count; n++) {
		for (uint32_t thread = 0; thread < series->runs[n].threads; thread++) {
			all++;
			exact += (uint64_t)is_exact(series,
						    run_counts(&series->runs[n], thread, series->member));
		}
	}
	return metric_share(exact, all);
}

struct metric_result count_metric_error(const struct series *series)
{
	struct run_values runs = { .count = 0 };
	struct ends ends = { 0 };
	struct metric_result result;

	if (!series_has_truth(series, &result))
		return result;
	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const struct counts counts = series_run(series, n);

		if (!counts.truth)
			continue;
		add_ends(&ends, series, &counts, series->runs[n].threads);
		run_values_add(&runs, METRIC_error, series, &counts, error_of(series, &counts));
	}
	result = metric_mean(&runs);
	result.floor = ends.floors / runs.count;
	result.high += ends.remainders / runs.count;
	result.low -= ends.precedences / runs.count;
	return result;
}

struct metric_result count_metric_error_rms(const struct series *series)
{
	struct metric_result result;
	double squares = 0, chance = 0;
	uint64_t all = 0;

	if (!series_has_truth(series, &result))
		return result;
	for (uint32_t n = 0; n < series->count; n++) {
		for (uint32_t thread = 0; thread < series->runs[n].threads; thread++) {
			const struct counts *counts = run_counts(&series->runs[n], thread, series->member);
			const double error = counts->truth ? error_of(series, counts) : 0;
			const double floor = counts->truth ? floor_of(series, counts, 1) : 0;

			squares += error * error;
			chance += floor * floor;
			all++;
		}
	}
	result = metric_plain(sqrt(squares / (double)all), all);
	/* the sum of squares that chance exceeds in one of 40 cases: the figure has no interval */
	result.floor = sqrt(chance / (double)all * chi_square_upper(0.025, (double)all) / (double)all);
	return result;
}

/*
 * (n - 1) s^2 / sigma^2 is a chi-square variable. Of runs that are nearer to each other than one sample makes
 * it is not known that they always are.
 */
static struct interval deviation_interval(double deviation, const struct run_values *runs)
{
	const double degrees = runs->count - 1.0, widened = sqrt(run_values_moments(runs).variance);

	return (struct interval){ deviation * sqrt(degrees / chi_square_upper(0.025, degrees)),
				  widened * sqrt(degrees / chi_square_upper(0.975, degrees)) };
}

int series_deviation(const struct series *series, struct deviation *deviation)
{
	struct run_values runs = { .count = 0 };
	struct metric_result why;
	struct interval interval;
	double floors = 0;

	if (series->count < 2 || !series_has_truth(series, &why))
		return 0;
	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const struct counts counts = series_run(series, n);

		run_values_add(&runs, METRIC_error, series, &counts, error_of(series, &counts));
		floors += floor_of(series, &counts, series->runs[n].threads);
	}
	deviation->value = deviation_of(runs.values, runs.count);
	interval = deviation_interval(deviation->value, &runs);
	deviation->low = interval.low;
	deviation->high = interval.high;
	deviation->floor = floors / runs.count;
	return isfinite(deviation->value) && isfinite(deviation->floor);
}

struct metric_result count_metric_spread(const struct series *series)
{
	struct metric_result result;
	struct deviation deviation;
	struct counts all;
	double floor;

	if (!series_has_truth(series, &result))
		return result;
	if (event_is_direct(series->event))
		return metric_absent("it has its own counter: chance decides nothing");
	if (!series_deviation(series, &deviation))
		return metric_absent("one run has no deviation");
	all = series_all(series);
	floor = floor_of(series, &all, 1) * sqrt(series->count);
	result = metric_plain(pow(deviation.value / floor, 2), series->count);
	result.low = pow(deviation.low / floor, 2);
	result.high = pow(deviation.high / floor, 2);
	result.floor = 1;
	return result;
}

struct metric_result count_metric_effective_period(const struct series *series)
{
	struct run_values runs = { .count = 0 };
	struct metric_result result;
	struct ends ends = { 0 };

	if (!series_has_truth(series, &result))
		return result;
	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const struct counts counts = series_run(series, n);
		const uint64_t observed = series_of_kernel(series, &counts);

		if (!observed)
			continue;
		add_ends(&ends, series, &counts, series->runs[n].threads);
		run_values_add(&runs, METRIC_effective_period, series, &counts,
			       (double)counts.truth / (double)observed);
	}
	if (!runs.count)
		return metric_absent("there is no sample");
	result = metric_mean(&runs);
	/* events behind the last sample have none, and the first one may come early: so much lies between */
	result.low -= result.value * ends.remainders / runs.count / 100;
	result.high += result.value * ends.precedences / runs.count / 100;
	result.floor = event_mean_period(series->event, series->period);
	return result;
}

struct metric_result count_metric_lost(const struct series *series)
{
	const struct counts all = series_all(series);
	const uint64_t lost = all.lost + all.lost_samples;

	return metric_share(lost, all.all + lost);
}

struct metric_result count_metric_throttled(const struct series *series)
{
	const struct counts all = series_all(series);

	return metric_plain((double)all.throttled, series->count);
}

static double unscheduled_of(const struct counts *counts)
{
	return counts->enabled_ns ? 1 - (double)counts->running_ns / (double)counts->enabled_ns : 0;
}

struct metric_result count_metric_unscheduled(const struct series *series)
{
	const struct counts all = series_all(series);

	return all.enabled_ns ? metric_plain(100 * unscheduled_of(&all), series->count) :
				metric_absent("the event was never enabled");
}

/* The books: what is expected is in samples, or told to be lost, or was not counted for want of a counter. */
struct metric_result count_metric_unexplained(const struct series *series)
{
	struct run_values runs = { .count = 0 };
	struct ends ends = { 0 };
	struct metric_result result;

	if (!series_has_truth(series, &result))
		return result;
	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const struct counts counts = series_run(series, n);
		const double expected = series_expected(series, &counts);
		const double share = counts.all ? (double)counts.samples / (double)counts.all : 1;
		const double lost = share * (double)(counts.lost + counts.lost_samples);
		const double found = lost + (double)series_of_kernel(series, &counts);

		if (!counts.truth)
			continue;
		add_ends(&ends, series, &counts, series->runs[n].threads);
		run_values_add(&runs, METRIC_unexplained, series, &counts,
			       100 * (expected * (1 - unscheduled_of(&counts)) - found) / expected);
	}
	result = metric_mean(&runs);
	result.floor = ends.floors / runs.count;
	result.low -= ends.remainders / runs.count;
	result.high += ends.precedences / runs.count;
	return result;
}
