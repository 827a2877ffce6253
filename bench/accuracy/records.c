/* SPDX-License-Identifier: BSD-3-Clause */
/* How records come: how many events lie between two, how many come at once, what memory they take. */
#include <inttypes.h>
#include <stdio.h>

#include "series.h"

/* A CPU's debug store: PEBS_BUFFER_SIZE of arch/x86/events/intel/ds.c */
#define DEBUG_STORE_KIB 64

static int is_of_hardware(const struct series *series)
{
	return series->event->family == EVENT_IBS || series->event->family == EVENT_PEBS;
}

struct metric_result record_metric_period_spread(const struct series *series)
{
	const struct counts all = series_all(series);
	const double n = (double)all.intervals, mean = n > 0 ? (double)all.interval_events / n : 0;
	const double by = mean - (double)series->period;
	double variance;

	if (series->event->family == EVENT_IBS)
		return metric_absent("the counter of IBS tells nothing of its random start");
	if (series->event->family == EVENT_PEBS)
		return metric_absent("reading the counter at each record would change how PEBS takes them");
	if (all.intervals < 2 || !(mean > 0))
		return metric_absent("there are no two samples one behind the other");
	if (all.interval_squares >= COUNT_FULL)
		return metric_absent("they vary by more than can be summed");
	/* about the mean, from squares about the period */
	variance = (double)all.interval_squares / n - by * by;
	return metric_plain(100 * sqrt(variance > 0 ? variance : 0) / mean, all.intervals);
}

struct metric_result record_metric_memory(const struct series *series)
{
	const struct counts all = series_all(series);
	struct metric_result result;
	uint64_t threads = 0;
	double stores;

	for (uint32_t n = 0; n < series->count; n++)
		threads += series->runs[n].threads;
	if (!all.ring_bytes)
		return metric_absent("no ring was mapped");
	/* one for all events of a CPU: of a set the first has it */
	stores = series->event->family == EVENT_PEBS && !series->member ? DEBUG_STORE_KIB * (double)threads
									: 0;
	result = metric_plain(((double)all.ring_bytes / 1024 + stores) / series->count, series->count);
	if (stores > 0)
		snprintf(result.says, sizeof(result.says), "%u KiB of it are the debug store of each CPU",
			 DEBUG_STORE_KIB);
	return result;
}

/* Of a set the interrupts are those of all its events. */
static uint64_t records_of(const struct run *run)
{
	uint64_t sum = 0;

	for (uint32_t thread = 0; thread < run->threads; thread++) {
		for (uint32_t event = 0; event < run->events; event++)
			sum += run_counts(run, thread, event)->all;
	}
	return sum;
}

struct metric_result record_metric_records_per_interrupt(const struct series *series)
{
	uint64_t records = 0, interrupts = 0;
	struct metric_result result;

	if (!is_of_hardware(series))
		return metric_absent("it is counted in software: no interrupt of a PMU brings its samples");
	for (uint32_t n = 0; n < series->count; n++) {
		if (!series->runs[n].has_interrupts)
			return metric_absent("/proc/interrupts cannot be read, or has none of PMUs");
		records += records_of(&series->runs[n]);
		interrupts += series->runs[n].interrupts;
	}
	if (!records || !interrupts)
		return metric_absent("there was no %s", records ? "interrupt of a PMU" : "sample");
	result = metric_plain((double)records / (double)interrupts, interrupts);
	/* interrupts of others make it smaller, never larger */
	snprintf(result.says, sizeof(result.says), "%s",
		 result.value > 1.05 ? "several records come at once (large PEBS)" :
				       "each record has an interrupt of its own, or others had some");
	return result;
}
