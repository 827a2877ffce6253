/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IBS starts to count ops at a random number below 128: how many samples are right then, what chance makes of
 * few, what is in step, and how many of all ops are in the ring. The counter is made up here.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/accuracy/judge.h"
#include "bench/accuracy/metrics.h"
#include "bench/accuracy/periods.h"
#include "bench/accuracy/sampling.h"
#include "kernels_here.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define RUNS 5u
#define SEEDS 100u
#define KERNEL "loads4" /* 4 of the 7 instructions of a turn load */

static const struct bench_event *event_of(const char *name)
{
	return event_named(name, strlen(name));
}

static size_t first_of_turn(const struct kernel *kernel)
{
	size_t site = 0;

	while (kernel->sites[site].part != PART_TURN)
		site++;
	return site;
}

/* A run of so many ops; the event is of all of them or of loads. The counter starts at so many numbers. */
static void simulate(const struct kernel *kernel, const struct bench_event *event, uint64_t period,
		     uint64_t ops, uint32_t starts, struct random *random, struct counts *counts)
{
	const uint64_t turn = (uint64_t)kernel->turn[QUANTITY_OPS];
	const uint64_t loads = (uint64_t)kernel->turn[QUANTITY_LOADS];
	const size_t first = first_of_turn(kernel);
	struct kernel_state state = { 0 };

	memset(counts, 0, sizeof(*counts));
	for (uint64_t op = period; op < ops; op += period - random_below(random, starts)) {
		struct seen_sample seen = { .mode = MODE_USER };

		counts->all++;
		seen.ip = (uint64_t)(uintptr_t)kernel->code + kernel->sites[first + op % turn].offset;
		if (!event->subset || op % turn < loads)
			counts_add_sample(counts, event, kernel, &state, &seen);
	}
	counts->truth = event->subset ? ops / turn * loads : ops;
}

struct simulated {
	struct run runs[RUNS];
	struct series series;
};

static void make_with(const char *kernel, struct simulated *made, const char *event, uint64_t period,
		      uint64_t samples, uint32_t starts, uint64_t seed)
{
	struct random random = random_of(seed);

	memset(made, 0, sizeof(*made));
	made->series = (struct series){ .kernel = kernel_named(kernel), .event = event_of(event),
					.period = period, .runs = made->runs, .count = RUNS };
	for (uint32_t n = 0; n < RUNS; n++) {
		CU_ASSERT_EQUAL_FATAL(run_allocate(&made->runs[n], 1, 1), 0);
		simulate(made->series.kernel, made->series.event, period, samples * period, starts, &random,
			 run_counts(&made->runs[n], 0, 0));
	}
}

static void make(struct simulated *made, const char *event, uint64_t period, uint64_t samples,
		 uint32_t starts, uint64_t seed)
{
	make_with(KERNEL, made, event, period, samples, starts, seed);
}

static void discard(struct simulated *made)
{
	for (uint32_t n = 0; n < RUNS; n++)
		run_free(&made->runs[n]);
}

/* Beside the mean and deviation of many that were drawn */
static void mean_and_deviation(void)
{
	enum { DRAWN = 200000 };
	static const uint64_t periods[] = { 16, 100, 144, 272, 100016 };
	const struct bench_event *event = event_of("ibs_loads");
	struct random random = random_of(3);

	for (size_t n = 0; n < sizeof(periods) / sizeof(periods[0]); n++) {
		double sum = 0, squares = 0, mean, deviation;

		for (uint32_t k = 0; k < DRAWN; k++) {
			const uint64_t start = random_below(&random, 128);
			const double left = periods[n] > start ? (double)(periods[n] - start) : 1;

			sum += left;
			squares += left * left;
		}
		mean = sum / DRAWN;
		deviation = sqrt(squares / DRAWN - mean * mean);
		CU_ASSERT_DOUBLE_EQUAL(event_mean_period(event, periods[n]), mean, 0.5);
		CU_ASSERT_DOUBLE_EQUAL(event_period_deviation(event, periods[n]), deviation, 0.5);
	}
	CU_ASSERT_DOUBLE_EQUAL(event_mean_period(event, 100016), 100016 - 63.5, 1e-6);
	/* of fetches the low four bits are random: 0 to 15, whose variance is 255 / 12 */
	event = event_of("ibs_fetch_lines");
	CU_ASSERT_DOUBLE_EQUAL(event_mean_period(event, 144), 144 - 7.5, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(event_period_deviation(event, 144), sqrt(255 / 12.), 1e-6);
	/* what counts cycles, or is no IBS, is not random */
	CU_ASSERT_EQUAL(event_mean_period(event_of("ibs_op_cycles"), 144), 144);
	CU_ASSERT_EQUAL(event_period_deviation(event_of("pebs_loads"), 144), 0);
}

/* No alarm without a fault, with a short period and few samples; the interval holds what is right. */
static void no_alarm(const char *event, uint64_t period, uint64_t samples)
{
	static const enum metric metrics[] = { METRIC_error, METRIC_error_rms, METRIC_unexplained,
					       METRIC_spread };
	uint32_t alarmed = 0, held = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct metric_result error;
		struct simulated made;
		int is_worse = 0;

		make(&made, event, period, samples, 128, seed);
		for (size_t n = 0; n < sizeof(metrics) / sizeof(metrics[0]); n++)
			is_worse |= metric_of(metrics[n], &made.series).verdict == VERDICT_WORSE;
		error = metric_of(METRIC_error, &made.series);
		held += error.low <= 0 && error.high >= 0;
		alarmed += (uint32_t)is_worse;
		discard(&made);
	}
	printf("# %s, period %u: alarms in %u, intervals hold in %u of %u\n", event, (unsigned int)period,
	       alarmed, held, SEEDS);
	CU_ASSERT_TRUE(alarmed <= 4);
	/* of 95: as few in one of a thousand cases */
	CU_ASSERT_TRUE(held >= 88);
}

static void alarms(void)
{
	if (!there_are_kernels())
		return;
	no_alarm("ibs_op", 1008, 400);
	no_alarm("ibs_loads", 1008, 400);
}

/* What is said to be chance is the deviation of errors from run to run. */
static void chance_of(const char *event)
{
	double values[SEEDS * RUNS], found, floor = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct simulated made;

		make(&made, event, 144, 400, 128, seed);
		for (uint32_t n = 0; n < RUNS; n++) {
			const struct counts *counts = run_counts(&made.runs[n], 0, 0);
			const double expected = (double)counts->truth / 80.5;

			values[(seed - 1) * RUNS + n] = 100 * ((double)counts->samples - expected) / expected;
		}
		floor += metric_of(METRIC_error, &made.series).floor / SEEDS;
		discard(&made);
	}
	found = deviation_of(values, SEEDS * RUNS);
	printf("# %s: errors deviate by %.3f%%, chance is %.3f%%\n", event, found, floor);
	CU_ASSERT_DOUBLE_EQUAL(floor / found, 1, 0.15);
}

static void chance(void)
{
	if (!there_are_kernels())
		return;
	chance_of("ibs_op");
	chance_of("ibs_loads");
}

/* Samples of what is executed beside the kernel, as looks at the clock, are no error of its counts. */
static void beside_the_kernel(void)
{
	const struct seen_sample elsewhere = { .ip = 0x1000, .mode = MODE_USER };
	struct metric_result before, after;
	struct kernel_state state = { 0 };
	struct simulated made;
	struct counts *counts;

	if (!there_are_kernels())
		return;
	make(&made, "ibs_op", 144, 400, 128, 1);
	before = metric_of(METRIC_error, &made.series);
	counts = run_counts(&made.runs[0], 0, 0);
	for (uint32_t n = 0; n < 50; n++) {
		counts->all++;
		counts_add_sample(counts, made.series.event, made.series.kernel, &state, &elsewhere);
	}
	after = metric_of(METRIC_error, &made.series);
	CU_ASSERT_DOUBLE_EQUAL(before.value, after.value, 1e-9);
	CU_ASSERT_TRUE(metric_of(METRIC_outside, &made.series).value > 1);
	discard(&made);
}

/* Counters that are not random are found by the samples that are missing. */
static void not_random(void)
{
	struct simulated made;

	if (!there_are_kernels())
		return;
	make(&made, "ibs_op", 1008, 400, 1, 1);
	CU_ASSERT_EQUAL(metric_of(METRIC_error, &made.series).verdict, VERDICT_WORSE);
	CU_ASSERT_TRUE(metric_of(METRIC_error, &made.series).value < -5);
	discard(&made);
}

/* The paper's accuracy is by the period that was asked for. */
static void papers_accuracy(void)
{
	struct simulated made;

	if (!there_are_kernels())
		return;
	make(&made, "ibs_op", 144, 400, 128, 1);
	CU_ASSERT_TRUE(metric_of(METRIC_accuracy, &made.series).value < 40);
	CU_ASSERT_TRUE(fabs(metric_of(METRIC_error, &made.series).value) < 10);
	discard(&made);
}

/*
 * A random period is in step with nothing, one that is not is: where it, a turn and an outer turn have a
 * divisor in common. Of a subset ops are counted.
 */
static void in_step(void)
{
	struct simulated made;

	if (!there_are_kernels())
		return;
	make(&made, "ibs_loads", 1008, 400, 128, 1);
	CU_ASSERT_STRING_EQUAL(metric_of(METRIC_bias, &made.series).says, "");
	discard(&made);
	make_with("alu20", &made, "ibs_op", 1008, 400, 128, 1);
	CU_ASSERT_STRING_EQUAL(metric_of(METRIC_bias, &made.series).says, "");
	discard(&made);
	make_with("alu20", &made, "ibs_op", 1008, 400, 1, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(metric_of(METRIC_bias, &made.series).says,
				      "the 20 events of a turn have the divisor 4 in common"));
	CU_ASSERT_EQUAL(metric_of(METRIC_bias, &made.series).verdict, VERDICT_WORSE);
	discard(&made);
	/* the outer turns of this one have 4 ops more than the 7 of each of their turns */
	make(&made, "ibs_loads", 1008, 400, 1, 1);
	CU_ASSERT_STRING_EQUAL(metric_of(METRIC_bias, &made.series).says, "");
	CU_ASSERT_EQUAL(series_step(&made.series).turn, 7);
	discard(&made);
}

/* The ring has room for all samples of a slice, not only for those of the subset. */
static void ring(void)
{
	const struct bench_event *event = event_of("ibs_l1_misses");
	const struct kernel *kernel = kernel_named("chase20");
	double each, bytes;

	if (!there_are_kernels())
		return;
	each = event_counted_each(event, kernel, 1000) / event_mean_period(event, 144);
	CU_ASSERT_DOUBLE_EQUAL(each, 20004 / 80.5, 1);
	bytes = (double)measure_slice(each, 10000) * each * SAMPLING_RECORD;
	CU_ASSERT_TRUE(bytes <= SAMPLING_PAGES * 4096.0 / 2 * 1.01);
	/* what has its own counter has no others in the ring */
	CU_ASSERT_EQUAL(event_counted_each(event_of("pebs_l1_misses"), kernel, 1000), 1000);
	/* a locked operation is several ops; how many is not known */
	CU_ASSERT_TRUE(event_counted_each(event_of("ibs_locked"), kernel_named("mixed"), 1000) >= 15000);
	CU_ASSERT_EQUAL(event_counted_each(event_of("ibs_fetch"), kernel, 1000), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "mean and deviation of the period", mean_and_deviation },
		{ "without a fault: no alarm", alarms },
		{ "what chance makes of the error", chance },
		{ "samples beside the kernel", beside_the_kernel },
		{ "a counter that is not random", not_random },
		{ "the paper's accuracy", papers_accuracy },
		{ "in step or not", in_step },
		{ "the ring has room for all of them", ring },
	};

	return tap_main("bench_random_periods", cases, sizeof(cases) / sizeof(cases[0]));
}
