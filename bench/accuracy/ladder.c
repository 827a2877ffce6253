/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a load takes: timed where nothing is sampled, and by the latencies that samples have. Each load of a
 * ladder waits for the one before, so that the time of all of them is the sum of theirs.
 */
#include <stdio.h>

#include <precis/fields.h>

#include "series.h"

/* Of all threads of a run without sampling */
struct timed {
	double ns; /* of a load */
	double cycles; /* the same, by the clock beside it; NAN: that was not timed */
};

static struct timed timed_of(const struct series *series, uint32_t n)
{
	const struct run *run = &series->bare[n];
	double ns = 0, loads = 0, clock_ns = 0, clock_cycles = 0;

	for (uint32_t thread = 0; thread < run->threads; thread++) {
		const struct thread_counts *counts = &run->thread[thread];

		ns += (double)counts->cpu_ns;
		loads += (double)kernel_truth(series->kernel, QUANTITY_CHAINED, counts->outer, run->inner);
		clock_ns += (double)counts->clock_ns;
		clock_cycles += (double)counts->clock_cycles;
	}
	if (!(loads > 0) || !(ns > 0))
		return (struct timed){ NAN, NAN };
	return (struct timed){ ns / loads, clock_ns > 0 ? ns / loads * clock_cycles / clock_ns : NAN };
}

/* 0, and why, where no load is timed */
static int is_timed(const struct series *series, struct metric_result *result)
{
	if (!series->kernel->turn[QUANTITY_CHAINED])
		*result = metric_absent("its loads do not wait for each other, as those of ladders do");
	else if (!series->bare)
		*result = metric_absent("it was not run without sampling");
	else
		return 1;
	return 0;
}

static struct metric_result timed_metric(const struct series *series, enum metric metric)
{
	struct run_values runs = { .count = 0 };
	struct metric_result result;

	if (!is_timed(series, &result))
		return result;
	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const struct timed timed = timed_of(series, n);
		const double value = metric == METRIC_load_ns ? timed.ns : timed.cycles;

		if (!isnan(value))
			run_values_add(&runs, metric, series, &(struct counts){ 0 }, value);
	}
	return runs.count ? metric_mean(&runs) : metric_absent("it was not timed");
}

struct metric_result ladder_metric_load_ns(const struct series *series)
{
	return timed_metric(series, METRIC_load_ns);
}

struct metric_result ladder_metric_load_cycles(const struct series *series)
{
	return timed_metric(series, METRIC_load_cycles);
}

/* The value below which so many lie */
static uint32_t value_at(const struct histogram *const *parts, uint32_t count, uint64_t below)
{
	uint64_t sum = 0;

	for (uint32_t value = 0; value < HISTOGRAM_VALUES; value++) {
		for (uint32_t n = 0; n < count; n++)
			sum += parts[n] ? histogram_count(parts[n], (uint16_t)value) : 0;
		if (sum > below)
			return value;
	}
	return HISTOGRAM_VALUES - 1;
}

/* Of all threads of a run; NAN: no sample of it has one */
static double median_of(const struct series *series, uint32_t n)
{
	const struct run *run = &series->runs[n];
	const struct histogram *parts[THREADS_MOST];
	uint64_t count = 0;

	for (uint32_t thread = 0; thread < run->threads && thread < THREADS_MOST; thread++) {
		parts[thread] = run_latencies(run, thread, series->member);
		count += run_counts(run, thread, series->member)->with_latency;
	}
	if (!count)
		return NAN;
	return ((double)value_at(parts, run->threads, (count - 1) / 2) +
		(double)value_at(parts, run->threads, count / 2)) / 2;
}

static const char *why_no_latency(const struct bench_event *event)
{
	switch (event->family) {
	case EVENT_BREAKPOINT:
		return "a breakpoint has no latency: its samples say where, not how long";
	case EVENT_IBS:
		return "of IBS ibs_loads and ibs_load_times have latencies of loads";
	case EVENT_PEBS:
		return "of PEBS pebs_latency has latencies of loads";
	default:
		return "what the kernel counts itself has no latency";
	}
}

/* 0, and why, where samples have no latencies of loads that are timed */
static int has_latencies(const struct series *series, uint32_t *field, struct metric_result *result)
{
	if (!event_latency(series->event, field))
		*result = metric_absent("%s", why_no_latency(series->event));
	else if (!series->kernel->turn[QUANTITY_CHAINED])
		return is_timed(series, result);
	else if (!series_all(series).with_latency)
		*result = metric_absent("no sample of a load has %s", precis_field_name(*field));
	else
		return 1;
	return 0;
}

static struct metric_result latency_metric(const struct series *series, enum metric metric)
{
	struct run_values runs = { .count = 0 };
	struct metric_result result;
	uint32_t field;

	if (!has_latencies(series, &field, &result) ||
	    (metric == METRIC_latency_error && !is_timed(series, &result)))
		return result;
	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const double median = median_of(series, n);
		const double timed = metric == METRIC_latency_error ? timed_of(series, n).cycles : NAN;
		const double value = metric == METRIC_latency_error ? 100 * (median - timed) / timed : median;

		if (!isnan(value))
			run_values_add(&runs, metric, series, &(struct counts){ 0 }, value);
	}
	if (!runs.count)
		return metric_absent("the clock beside the loads was not timed");
	result = metric_mean(&runs);
	if (!*result.says)
		snprintf(result.says, sizeof(result.says), "by %s", precis_field_name(field));
	return result;
}

struct metric_result ladder_metric_sampled_latency(const struct series *series)
{
	return latency_metric(series, METRIC_sampled_latency);
}

struct metric_result ladder_metric_latency_error(const struct series *series)
{
	return latency_metric(series, METRIC_latency_error);
}
