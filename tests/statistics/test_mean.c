/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of what samples measured: their intervals by hand, and how often these hold the truth. */
#include <math.h>

#include "statistics/mean.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define RUNS 2000
#define SAMPLES_MOST 1000

static uint64_t state = 20261125;

/*
 * Cycles whose logarithms are normal with that spread about two middles, of which so many of all samples
 * have the second. Periods likewise, about 1000.
 */
static const struct scenario {
	const char *name;
	double first, second, seconds, spread, period_spread;
} scenarios[] = {
	{ "alike", 100, 0, 0, 0.3, 0 },
	{ "a tail", 100, 0, 0, 0.7, 0 },
	{ "a long tail", 100, 0, 0, 1, 0 },
	{ "a longer tail", 100, 0, 0, 1.3, 0 },
	{ "two levels", 14, 500, 0.5, 0.05, 0 },
	{ "one of ten is slow", 14, 500, 0.1, 0.05, 0 },
	{ "one of twenty is slow", 20, 400, 0.05, 0.3, 0 },
	{ "periods that vary", 100, 0, 0, 0.7, 0.5 },
	{ "periods that vary much", 100, 0, 0, 1, 1 },
	{ "periods and levels", 14, 500, 0.1, 0.1, 0.7 },
};

static const uint32_t numbers[] = { 30, 60, 100, 300, SAMPLES_MOST };

static double truth_of(const struct scenario *scenario)
{
	return (scenario->first * (1 - scenario->seconds) + scenario->second * scenario->seconds) *
	       exp(scenario->spread * scenario->spread / 2);
}

static void add(struct spread *spread, const struct weighted *samples, int are_counted, double value)
{
	if (are_counted)
		spread_add_counted(spread, samples->samples, value);
	else
		spread_add(spread, samples, value);
}

/* Of samples of which so many in a row are the same, as those that are in step with a loop may be */
static struct interval draw(const struct scenario *scenario, uint32_t count, uint32_t alike)
{
	const struct confidence confidence = { INTERVAL_Z, alike };
	static double values[SAMPLES_MOST];
	static uint64_t periods[SAMPLES_MOST];
	struct weighted whole = { 0 };
	struct spread spread = { 0 };
	double sum = 0;

	for (uint32_t n = 0; n < count; n++) {
		const int is_second = random_uniform(&state) < scenario->seconds;
		const double middle = is_second ? scenario->second : scenario->first;
		struct weighted sample;

		values[n] = middle * exp(scenario->spread * random_normal(&state));
		periods[n] = (uint64_t)ceil(1000 * exp(scenario->period_spread * random_normal(&state)));
		if (n % alike) {
			values[n] = values[n - 1];
			periods[n] = periods[n - 1];
		}
		sample = weighted_of(1, periods[n]);
		weighted_add(&whole, &sample);
		sum += values[n] * (double)periods[n];
	}
	spread.mean = sum / (double)whole.weight;
	for (uint32_t n = 0; n < count; n++) {
		const struct weighted sample = weighted_of(1, periods[n]);

		add(&spread, &sample, weighted_are_counted(&whole), values[n]);
	}
	return spread_interval(&spread, &whole, confidence);
}

static void check_scenario(const struct scenario *scenario, uint32_t count, uint32_t alike)
{
	const double truth = truth_of(scenario);
	uint32_t missed = 0, told = 0;

	for (uint32_t run = 0; run < RUNS; run++) {
		const struct interval interval = draw(scenario, count, alike);

		told += !isnan(interval.low);
		missed += interval.low > truth || interval.high < truth;
	}
	if (missed > RUNS * 6 / 100 || (count == SAMPLES_MOST && told < RUNS * 9 / 10))
		printf("# %s, %u samples, %u alike: told %u, missed %u of %u\n", scenario->name, count,
		       alike, told, missed, RUNS);
	CU_ASSERT(missed <= RUNS * 6 / 100);
	/* It is not by telling nothing that nothing is wrong. */
	CU_ASSERT(count < SAMPLES_MOST || told >= RUNS * 9 / 10);
}

static void intervals(void)
{
	for (size_t n = 0; n < sizeof(scenarios) / sizeof(scenarios[0]); n++) {
		for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
			check_scenario(&scenarios[n], numbers[i], 1);
	}
}

static void intervals_of_dependent_samples(void)
{
	for (size_t n = 0; n < sizeof(scenarios) / sizeof(scenarios[0]); n++) {
		check_scenario(&scenarios[n], 300, 3);
		check_scenario(&scenarios[n], 900, 3);
	}
}

/* How far they depend on each other is not known. */
static void none_in_step(void)
{
	const struct weighted half = weighted_of(50, 7), whole = weighted_of(100, 7);
	struct spread spread = { .mean = 100 };
	struct interval interval;

	spread_add_counted(&spread, half.samples, 90);
	spread_add_counted(&spread, half.samples, 110);
	interval = spread_interval(&spread, &whole, (struct confidence){ INTERVAL_Z, NAN });
	CU_ASSERT(isnan(interval.low) && isnan(interval.high));
}

/* 50 samples of 90 and 50 of 110: no skewness, and the formula is short */
static void check_by_hand(const struct spread *spread)
{
	const struct weighted whole = weighted_of(100, 7);
	const double t = 1.984217 * 10 / sqrt(99), step = 10.0 / 200;
	const struct interval interval = spread_interval(spread, &whole, interval_confidence);

	CU_ASSERT_DOUBLE_EQUAL(interval.low, 100 - t - step, 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(interval.high, 100 + t + step, 1e-4);
}

static void by_hand(void)
{
	struct spread one_by_one = { .mean = 100 }, together = { .mean = 100 };
	struct histogram histogram = { .high = NULL };

	spread_add_counted(&one_by_one, 50, 90);
	spread_add_counted(&one_by_one, 50, 110);
	check_by_hand(&one_by_one);
	CU_ASSERT_EQUAL_FATAL(histogram_add_times(&histogram, 90, 50), 0);
	CU_ASSERT_EQUAL_FATAL(histogram_add_times(&histogram, 110, 50), 0);
	spread_add_histogram(&together, &histogram);
	check_by_hand(&together);
	histogram_free(&histogram);
}

static int is_told(uint64_t samples, uint64_t others, double value, uint64_t weight)
{
	const struct weighted a = weighted_of(samples, 7), b = weighted_of(others, weight);
	const struct weighted whole = weighted_sum_of(&a, &b);
	const int are_counted = weighted_are_counted(&whole);
	const double heavy = are_counted ? (double)others : (double)b.weight;
	const double light = are_counted ? (double)samples : (double)a.weight;
	struct spread spread = { .mean = (100 * light + value * heavy) / (light + heavy) };
	struct interval interval;

	add(&spread, &a, are_counted, 100);
	add(&spread, &b, are_counted, value);
	interval = spread_interval(&spread, &whole, interval_confidence);
	CU_ASSERT_EQUAL(isnan(interval.low), isnan(interval.high));
	return !isnan(interval.low);
}

static void what_is_not_told(void)
{
	CU_ASSERT(is_told(50, 50, 110, 7));
	CU_ASSERT(!is_told(29, 29, 110, 7)); /* few samples */
	CU_ASSERT(!is_told(100, 0, 0, 7)); /* all the same */
	CU_ASSERT(!is_told(1000, 3, 60000, 7)); /* three make the sum */
	CU_ASSERT(!is_told(1000, 3, 110, 70000)); /* three weigh more than the others */
	CU_ASSERT(!is_told(0, 0, 110, 7)); /* none */
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "by hand", by_hand },
		{ "few samples, or values that are all the same, have none", what_is_not_told },
		{ "nor have samples that are in step", none_in_step },
		{ "intervals hold the truth in 94 of 100 runs, or are not told", intervals },
		{ "of samples that depend on each other, too", intervals_of_dependent_samples },
	};

	return tap_main("mean", cases, sizeof(cases) / sizeof(cases[0]));
}
