/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's formulas on the paper's counts give the paper's tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/accuracy/judge.h"
#include "bench/accuracy/metrics.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define RUNS 5u
#define PERIOD 100000u

/* What each published figure may be off by: one of its last digits, in points */
#define LAST_DIGIT 0.01

static const struct accuracy_row {
	int figure;
	const char *event, *misses;
	uint64_t expected, samples[RUNS];
	double accuracy, deviation;
} accuracies[] = {
#define ACCURACY(figure, event, misses, expected, a, b, c, d, e, accuracy, deviation)              \
	{ figure, event, misses, expected, { a, b, c, d, e }, accuracy, deviation },
#define OVERHEAD(...)
#include "published_counts.def"
#undef ACCURACY
#undef OVERHEAD
};

static const struct overhead_row {
	int signals;
	const char *event, *misses;
	double original[RUNS], profiled[RUNS], overhead;
} overheads[] = {
#define ACCURACY(...)
#define OVERHEAD(signals, event, misses, a, b, c, d, e, f, g, h, i, j, overhead)                   \
	{ signals, event, misses, { a, b, c, d, e }, { f, g, h, i, j }, overhead },
#include "published_counts.def"
#undef ACCURACY
#undef OVERHEAD
};

/* Whose number of pages is known, if there are kernels, and which there are none of elsewhere */
static const struct kernel *some_kernel(void)
{
	static const struct kernel none = { .name = "none" };
	const struct kernel *kernel = kernel_named("touch");

	return kernel ? kernel : &none;
}

static void make_runs(struct run runs[RUNS])
{
	for (uint32_t n = 0; n < RUNS; n++) {
		memset(&runs[n], 0, sizeof(runs[n]));
		CU_ASSERT_EQUAL_FATAL(run_allocate(&runs[n], 1, 1), 0);
	}
}

static void free_runs(struct run runs[RUNS])
{
	for (uint32_t n = 0; n < RUNS; n++)
		run_free(&runs[n]);
}

static void fill(struct run runs[RUNS], const struct accuracy_row *row)
{
	for (uint32_t n = 0; n < RUNS; n++) {
		struct counts *counts = run_counts(&runs[n], 0, 0);

		memset(counts, 0, sizeof(*counts));
		counts->truth = row->expected * PERIOD;
		counts->all = counts->samples = counts->user_mode = counts->right = row->samples[n];
	}
}

static struct series series_of(const struct run runs[RUNS])
{
	return (struct series){
		.kernel = some_kernel(), .event = event_named("page_faults", 11), .period = PERIOD,
		.runs = runs, .count = RUNS,
	};
}

static void accuracy_and_stability(void)
{
	struct run runs[RUNS] = { { 0 } };
	const struct series series = series_of(runs);

	make_runs(runs);
	CU_ASSERT_EQUAL(sizeof(accuracies) / sizeof(accuracies[0]), 25);
	for (size_t n = 0; n < sizeof(accuracies) / sizeof(accuracies[0]); n++) {
		struct metric_result accuracy, stability;

		fill(runs, &accuracies[n]);
		accuracy = metric_of(METRIC_accuracy, &series);
		stability = metric_of(METRIC_stability, &series);
		CU_ASSERT_TRUE(accuracy.is_there && stability.is_there);
		CU_ASSERT_DOUBLE_EQUAL(accuracy.value, accuracies[n].accuracy, LAST_DIGIT);
		CU_ASSERT_DOUBLE_EQUAL(stability.value, accuracies[n].deviation, LAST_DIGIT);
		/* and much nearer, but for a number that was rounded before it was published */
		if (fabs(accuracy.value - accuracies[n].accuracy) > 0.002)
			printf("# figure %d, %s, %s: %f, published %f\n", accuracies[n].figure,
			       accuracies[n].event, accuracies[n].misses, accuracy.value,
			       accuracies[n].accuracy);
	}
	free_runs(runs);
}

/* What an absolute error hides: too many samples are as inaccurate as too few. By hand from the counts */
static void signed_errors(void)
{
	static const struct {
		size_t row;
		double error;
	} rows[] = {
		{ 0, 2.39 }, { 5, 7.83 }, { 9, 8.68 }, { 10, 1.13 }, { 11, 15.98 }, { 15, 0.02 },
		{ 20, -0.01 },
	};
	struct run runs[RUNS] = { { 0 } };
	const struct series series = series_of(runs);

	make_runs(runs);
	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct metric_result error;

		fill(runs, &accuracies[rows[n].row]);
		error = metric_of(METRIC_error, &series);
		CU_ASSERT_DOUBLE_EQUAL(error.value, rows[n].error, 0.006);
		CU_ASSERT_TRUE(error.low <= error.value && error.value <= error.high);
		CU_ASSERT_EQUAL(error.verdict, rows[n].error > 2 ? VERDICT_WORSE : VERDICT_OK);
	}
	free_runs(runs);
}

static void time_overhead(void)
{
	struct run runs[RUNS] = { { 0 } }, bare[RUNS] = { { 0 } };
	struct series series = series_of(runs);

	series.bare = bare;
	make_runs(runs);
	make_runs(bare);
	CU_ASSERT_EQUAL(sizeof(overheads) / sizeof(overheads[0]), 24);
	for (size_t n = 0; n < sizeof(overheads) / sizeof(overheads[0]); n++) {
		struct metric_result overhead;

		for (uint32_t run = 0; run < RUNS; run++) {
			bare[run].thread[0].cpu_ns = (uint64_t)llround(1e9 * overheads[n].original[run]);
			runs[run].thread[0].cpu_ns = (uint64_t)llround(1e9 * overheads[n].profiled[run]);
		}
		overhead = metric_of(METRIC_time_overhead, &series);
		CU_ASSERT_DOUBLE_EQUAL(overhead.value, overheads[n].overhead, LAST_DIGIT);
		if (fabs(overhead.value - overheads[n].overhead) > LAST_DIGIT)
			printf("# signals %d, %s, %s: %f, published %f\n", overheads[n].signals,
			       overheads[n].event, overheads[n].misses, overhead.value,
			       overheads[n].overhead);
	}
	free_runs(runs);
	free_runs(bare);
}

/* Normal, by the sum of twelve uniform numbers */
static double normal(struct random *random)
{
	double sum = -6;

	for (uint32_t n = 0; n < 12; n++)
		sum += (double)random_below(random, 1u << 30) / (1u << 30);
	return sum;
}

/* Times vary by 2 %: the interval holds 50 % in 94 of 100 sets of runs or more. */
static void overhead_interval(void)
{
	enum { SEEDS = 1000 };
	struct run runs[RUNS], bare[RUNS];
	const struct series series = { .kernel = some_kernel(), .event = event_at(0), .period = PERIOD,
				       .runs = runs, .bare = bare, .count = RUNS };
	struct random random = random_of(20261125);
	uint32_t missed = 0;

	make_runs(runs);
	make_runs(bare);
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct metric_result found;

		for (uint32_t n = 0; n < RUNS; n++) {
			bare[n].thread[0].cpu_ns = (uint64_t)(1e9 * (1 + 0.02 * normal(&random)));
			runs[n].thread[0].cpu_ns = (uint64_t)(1.5e9 * (1 + 0.02 * normal(&random)));
		}
		found = metric_of(METRIC_time_overhead, &series);
		CU_ASSERT_TRUE(found.low < found.value && found.value < found.high);
		missed += found.low > 50 || found.high < 50;
	}
	printf("# %u of %d intervals without the overhead\n", missed, SEEDS);
	CU_ASSERT_TRUE(missed <= SEEDS * 6 / 100);
	CU_ASSERT_TRUE(missed >= SEEDS * 3 / 100);
	free_runs(runs);
	free_runs(bare);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "accuracy and stability of figures 3 and 4", accuracy_and_stability },
		{ "signed errors of the same counts", signed_errors },
		{ "time overhead of figure 8", time_overhead },
		{ "the interval of time overhead", overhead_interval },
	};

	return tap_main("bench_paper", cases, sizeof(cases) / sizeof(cases[0]));
}
