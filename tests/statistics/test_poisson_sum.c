/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of sums of events that count differently: known ones, and how often they hold. */
#include "statistics/poisson_sum.h"

#include <stdio.h>
#include <stdlib.h>

#include "statistics/random.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

/* The exact 95% intervals of Garwood (Biometrika 28, 1936), as tables have them */
static const struct {
	double events, low, high;
} known[] = {
	{ 0, 0, 3.689 }, { 1, 0.025, 5.572 }, { 2, 0.242, 7.225 }, { 3, 0.619, 8.767 }, { 5, 1.623, 11.668 },
	{ 10, 4.795, 18.390 }, { 30, 20.241, 42.827 }, { 100, 81.364, 121.627 },
};

static void garwood(void)
{
	for (size_t n = 0; n < sizeof(known) / sizeof(known[0]); n++) {
		struct poisson_sum sum = { .most = 7 };
		struct interval interval;

		poisson_sum_add(&sum, known[n].events, 7);
		interval = poisson_sum_interval(&sum, interval_confidence);
		CU_ASSERT_DOUBLE_EQUAL(interval.high / 7, known[n].high, 0.007 * known[n].high);
		CU_ASSERT_TRUE(interval.low / 7 <= known[n].low * 1.001);
		CU_ASSERT_DOUBLE_EQUAL(interval.low / 7, known[n].low, 0.02 + 0.004 * known[n].low);
	}
}

/* What one event more or less would add makes it wider, and samples that depend on each other do. */
static void widened(void)
{
	const struct confidence four = { INTERVAL_Z, 4 }, none = { INTERVAL_Z, NAN };
	struct poisson_sum sum = { .sum = 0 }, more;
	struct interval narrow, wide;

	poisson_sum_add(&sum, 100, 1);
	more = sum;
	poisson_sum_add(&more, 1, 50);
	narrow = poisson_sum_interval(&sum, interval_confidence);
	wide = poisson_sum_interval(&more, interval_confidence);
	CU_ASSERT_TRUE(wide.high - 150 > 2 * (narrow.high - 100));
	wide = poisson_sum_interval(&sum, four);
	CU_ASSERT_DOUBLE_EQUAL((wide.high - wide.low) / (narrow.high - narrow.low), 2, 0.1);
	CU_ASSERT_TRUE(isnan(poisson_sum_interval(&sum, none).low));
	CU_ASSERT_TRUE(isnan(poisson_sum_interval(&sum, none).high));
}

/* What each event adds is not known better than by a factor: however many there are, that stays. */
static void unsure(void)
{
	struct poisson_sum sum = { .sum = 0 }, other = { .sum = 0 };
	struct interval interval;

	poisson_sum_add(&sum, 10000, 1);
	poisson_sum_add(&other, 10000, 1);
	sum.unsure = other.unsure = 6000;
	interval = poisson_sum_interval(&sum, interval_confidence);
	CU_ASSERT_TRUE(interval.low < 4000 && interval.low > 3000);
	CU_ASSERT_TRUE(interval.high > 16000 && interval.high < 20000);
	poisson_sum_merge(&sum, &other);
	sum = poisson_sum_scaled(&sum, 0.5);
	CU_ASSERT_DOUBLE_EQUAL(poisson_sum_interval(&sum, interval_confidence).low, interval.low,
			       20);
	CU_ASSERT_DOUBLE_EQUAL(poisson_sum_interval(&sum, interval_confidence).high, interval.high,
			       20);
}

/* What a damaged file may say: no events have such a sum and such a variance. */
static void impossible(void)
{
	const struct poisson_sum sums[] = { { 100, 0, 0, 0 },
					    { 1e60, 1e-300, 1, 0 },
					    { 1e60, 0, 1e-200, 0 } };

	for (size_t n = 0; n < sizeof(sums) / sizeof(sums[0]); n++) {
		const struct interval interval = poisson_sum_interval(&sums[n], interval_confidence);

		CU_ASSERT_TRUE(isnan(interval.low));
		CU_ASSERT_TRUE(isnan(interval.high));
	}
}

/* A Poisson variable, by products of uniform ones (D. Knuth, "Seminumerical Algorithms", 3.4.1) */
static uint32_t poisson(struct random *random, double mean)
{
	const double limit = exp(-mean);
	double product = 1;
	uint32_t count = 0;

	while ((product *= ((double)(random_next(random) >> 11) + 0.5) / 9007199254740992.0) > limit)
		count++;
	return count;
}

/* Kinds of events, how many are expected of each, and what one adds */
static const double mixtures[][2][2] = {
	{ { 2, 1 }, { 0, 0 } },  { { 20, 1 }, { 0, 0 } },	{ { 20, 1 }, { 1, 10 } },
	{ { 5, 1 }, { 5, 3 } },	 { { 200, 1 }, { 3, 100 } },	{ { 0.5, 1 }, { 0.5, 5 } },
};

static void hold(void)
{
	const uint32_t runs = repetitions(40000, 4000);
	struct random random = random_of(3);

	for (size_t n = 0; n < sizeof(mixtures) / sizeof(mixtures[0]); n++) {
		const double(*kind)[2] = mixtures[n];
		const double truth = kind[0][0] * kind[0][1] + kind[1][0] * kind[1][1];
		uint32_t holding = 0;

		for (uint32_t run = 0; run < runs; run++) {
			struct poisson_sum sum = { .most = fmax(kind[0][1], kind[1][1]) };
			struct interval interval;

			for (int i = 0; i < 2; i++)
				poisson_sum_add(&sum, poisson(&random, kind[i][0]), kind[i][1]);
			interval = poisson_sum_interval(&sum, interval_confidence);
			holding += interval.low <= truth && truth <= interval.high;
		}
		printf("# mixture %zu: %u of %u intervals hold\n", n, holding, runs);
		CU_ASSERT_TRUE(holding >= 0.945 * runs);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "of events that are all alike: the exact ones", garwood },
		{ "heavy events, and samples that depend on each other, make them wider", widened },
		{ "what all events alike may be wrong by does not grow less with their number",
		  unsure },
		{ "none of a sum and a variance that no events have", impossible },
		{ "they hold the truth in 95 of 100 runs, whatever events add", hold },
	};

	return tap_main("poisson_sum", cases, sizeof(cases) / sizeof(cases[0]));
}
