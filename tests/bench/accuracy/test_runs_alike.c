/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs that are all alike: they say that what is measured varies by less than one sample, not that it does
 * not vary. Results and comparisons know that by one rule.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/accuracy/compare.h"
#include "bench/accuracy/judge.h"
#include "bench/accuracy/series.h"
#include "kernels_here.h"
#include "tests/property/random.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define RUNS 5u
#define THREADS 16u

/* Runs of one thread, with room for more */
struct alike {
	struct run runs[RUNS], bare[RUNS];
	struct series series;
};

/* That thread of all runs has so many events, and samples of all of them */
static void fill_thread(struct alike *alike, uint32_t thread, uint64_t truth, uint64_t all, uint64_t samples)
{
	for (uint32_t n = 0; n < RUNS; n++) {
		struct counts *counts = run_counts(&alike->runs[n], thread, 0);

		memset(counts, 0, sizeof(*counts));
		counts->truth = truth;
		counts->all = all;
		counts->samples = counts->user_mode = counts->right = samples;
		counts->enabled_ns = counts->running_ns = 1000;
		alike->runs[n].thread[thread].cpu_ns = 1100;
		alike->bare[n].thread[thread].cpu_ns = 1000;
	}
}

static void fill(struct alike *alike, uint64_t truth, uint64_t all, uint64_t samples)
{
	fill_thread(alike, 0, truth, all, samples);
}

/* 0: there are no kernels here */
static int alike_open(struct alike *alike, const char *event, const char *kernel, uint64_t period)
{
	memset(alike, 0, sizeof(*alike));
	if (!there_are_kernels())
		return 0;
	for (uint32_t n = 0; n < RUNS; n++) {
		CU_ASSERT_EQUAL_FATAL(run_allocate(&alike->runs[n], THREADS, 1), 0);
		CU_ASSERT_EQUAL_FATAL(run_allocate(&alike->bare[n], THREADS, 0), 0);
		alike->runs[n].threads = alike->bare[n].threads = 1;
	}
	alike->series = (struct series){
		.kernel = kernel_named(kernel), .event = event_named(event, strlen(event)), .period = period,
		.runs = alike->runs, .bare = alike->bare, .count = RUNS,
	};
	CU_ASSERT_PTR_NOT_NULL_FATAL(alike->series.event);
	return 1;
}

static void alike_close(struct alike *alike)
{
	for (uint32_t n = 0; n < RUNS; n++) {
		run_free(&alike->runs[n]);
		run_free(&alike->bare[n]);
	}
}

static int holds(const struct metric_result *result, double truth)
{
	return result->is_there && result->low <= truth && truth <= result->high;
}

/*
 * A sampler that takes each period'th event without exception, and begins each run in the same state: its
 * runs are all alike, its period is the one that was asked for, and its error is that of the end of a run.
 */
static void a_perfect_sampler(void)
{
	const uint32_t seeds = repetitions(5000, 200);
	uint64_t state = 5;
	uint32_t missed[3] = { 0 };
	struct alike alike;

	if (!alike_open(&alike, "breakpoint_store", "watch", 1009))
		return;
	for (uint32_t seed = 0; seed < seeds; seed++) {
		const uint64_t before = random_next(&state) % 1009;
		const uint64_t truth = 20000 + random_next(&state) % 1000000;
		struct metric_result result;

		fill(&alike, truth, (truth + before) / 1009, (truth + before) / 1009);
		result = metric_of(METRIC_effective_period, &alike.series);
		missed[0] += !holds(&result, 1009);
		result = metric_of(METRIC_error, &alike.series);
		missed[1] += !holds(&result, 0);
		result = metric_of(METRIC_unexplained, &alike.series);
		missed[2] += !holds(&result, 0);
	}
	for (uint32_t n = 0; n < 3; n++)
		CU_ASSERT(missed[n] <= seeds / 20);
	alike_close(&alike);
}

/* In threads, each of which begins with a full period and ends with a part of one that has no sample */
static void perfect_samplers_of_threads(void)
{
	static const enum metric metrics[] = { METRIC_effective_period, METRIC_error, METRIC_unexplained };
	const uint32_t seeds = repetitions(5000, 200);
	uint32_t missed[3] = { 0 };
	uint64_t state = 11;
	struct alike alike;

	if (!alike_open(&alike, "breakpoint_store", "watch", 1009))
		return;
	for (uint32_t seed = 0; seed < seeds; seed++) {
		const uint32_t threads = 1 + (uint32_t)(random_next(&state) % THREADS);

		for (uint32_t n = 0; n < RUNS; n++)
			alike.runs[n].threads = threads;
		for (uint32_t thread = 0; thread < threads; thread++) {
			const uint64_t truth = 20000 + random_next(&state) % 1000000;

			fill_thread(&alike, thread, truth, truth / 1009, truth / 1009);
		}
		for (uint32_t n = 0; n < 3; n++) {
			const struct metric_result result = metric_of(metrics[n], &alike.series);

			missed[n] += !holds(&result, n ? 0 : 1009);
		}
	}
	for (uint32_t n = 0; n < 3; n++)
		CU_ASSERT(missed[n] <= seeds / 20);
	alike_close(&alike);
}

/* What results and comparisons say of the same runs */
static void one_rule(void)
{
	static const enum metric metrics[] = { METRIC_accuracy, METRIC_time_overhead };
	struct metric_result result;
	struct comparison found;
	struct alike alike;

	if (!alike_open(&alike, "breakpoint_store", "watch", 1009))
		return;
	fill(&alike, 2000 * 1009, 1990, 1990);
	/* overheads of two runs differ, of which the ratio of means and the mean of ratios are the same */
	alike.runs[0].thread[0].cpu_ns = 1090;
	alike.runs[1].thread[0].cpu_ns = 1110;
	for (size_t n = 0; n < sizeof(metrics) / sizeof(metrics[0]); n++) {
		result = metric_of(metrics[n], &alike.series);
		metric_compare(metrics[n], &alike.series, &alike.series, &found);
		CU_ASSERT(result.high > result.low);
		CU_ASSERT_DOUBLE_EQUAL(result.value, found.before.value, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(result.low, found.before.low, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(result.high, found.before.high, 1e-9);
	}
	/* half a percent is missing, and Student's 2.776 times what one sample is by the root of 5 */
	result = metric_of(METRIC_accuracy, &alike.series);
	CU_ASSERT_DOUBLE_EQUAL(result.low, 99.5 - 2.7764 * 0.05 / sqrt(5), 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(result.high, 99.5 + 2.7764 * 0.05 / sqrt(5), 1e-4);
	alike_close(&alike);
}

/* Nothing says what one sample makes of a time: there is no interval, and a verdict by none. */
static void times(void)
{
	struct metric_result result;
	struct alike alike;

	if (!alike_open(&alike, "breakpoint_store", "watch", 1009))
		return;
	fill(&alike, 2000 * 1009, 1990, 1990);
	result = metric_of(METRIC_time_overhead, &alike.series);
	CU_ASSERT(result.is_there && isnan(result.low) && isnan(result.high));
	CU_ASSERT_DOUBLE_EQUAL(result.value, 10, 1e-9);
	CU_ASSERT_PTR_NOT_NULL(strstr(result.says, "alike"));
	alike.series.count = 1;
	result = metric_of(METRIC_time_overhead, &alike.series);
	CU_ASSERT(result.is_there && isnan(result.low));
	CU_ASSERT_PTR_NOT_NULL(strstr(result.says, "one run"));
	alike_close(&alike);
}

/* Of a subset, too: five runs that are alike do not say that chance has no part in it. */
static void deviations(void)
{
	struct deviation deviation;
	struct metric_result result;
	struct alike alike;
	double sample;

	if (!alike_open(&alike, "ibs_loads", "loads4", 100016))
		return;
	fill(&alike, 700 * UINT64_C(100000), 1200, 700);
	CU_ASSERT_EQUAL_FATAL(series_deviation(&alike.series, &deviation), 1);
	CU_ASSERT_EQUAL(deviation.value, 0);
	CU_ASSERT_EQUAL(deviation.low, 0);
	/* the deviation of one sample, by the 2.5% point of chi-square with 4 degrees */
	sample = 100 / series_expected(&alike.series, run_counts(alike.runs, 0, 0));
	CU_ASSERT_DOUBLE_EQUAL(deviation.high / sample, sqrt(4 / 0.48442), 1e-3);
	result = metric_of(METRIC_spread, &alike.series);
	CU_ASSERT(result.is_there && result.value == 0 && result.low == 0 && result.high > 0);
	alike_close(&alike);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a perfect sampler's intervals hold what it is", a_perfect_sampler },
		{ "perfect samplers of threads", perfect_samplers_of_threads },
		{ "results and comparisons go by one rule", one_rule },
		{ "times have no interval then", times },
		{ "deviations have room for one sample", deviations },
	};

	return tap_main("runs_alike", cases, sizeof(cases) / sizeof(cases[0]));
}
