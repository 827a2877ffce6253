/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of sums alone: the same, and with the same intervals, as those of values that are told one by one. */
#include <math.h>

#include "statistics/moments.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define SAMPLES 400

struct drawn {
	uint64_t value[SAMPLES], weight[SAMPLES];
	struct weighted whole;
	double mean;
};

enum weighing { ALIKE, UNKNOWN, DIFFERENT, SOME_UNKNOWN, WEIGHINGS };

static uint64_t weight_of(enum weighing weighing, struct random *random)
{
	switch (weighing) {
	case ALIKE:
		return 4096;
	case UNKNOWN:
		return 0;
	case DIFFERENT:
		return 1000 + random_below(random, 3000);
	default:
		return random_below(random, 2) * 4096;
	}
}

/* Values far from zero, some much larger than the others */
static struct drawn draw(enum weighing weighing, uint64_t seed)
{
	struct random random = random_of(seed);
	struct drawn drawn = { .mean = 0 };
	double sum = 0, weights = 0;

	for (uint32_t n = 0; n < SAMPLES; n++) {
		struct weighted sample;

		drawn.value[n] = 40000 + random_below(&random, 100) + (random_below(&random, 9) ? 0 : 5000);
		drawn.weight[n] = weight_of(weighing, &random);
		sample = weighted_of(1, drawn.weight[n]);
		weighted_add(&drawn.whole, &sample);
	}
	for (uint32_t n = 0; n < SAMPLES; n++) {
		const double weight = weighted_are_counted(&drawn.whole) ? 1 : (double)drawn.weight[n];

		sum += weight * (double)drawn.value[n];
		weights += weight;
	}
	drawn.mean = sum / weights;
	return drawn;
}

static struct interval by_values(const struct drawn *drawn)
{
	struct spread spread = { .mean = drawn->mean };

	for (uint32_t n = 0; n < SAMPLES; n++) {
		const struct weighted sample = weighted_of(1, drawn->weight[n]);

		if (weighted_are_counted(&drawn->whole))
			spread_add_counted(&spread, 1, (double)drawn->value[n]);
		else
			spread_add(&spread, &sample, (double)drawn->value[n]);
	}
	return spread_interval(&spread, &drawn->whole, (struct confidence){ INTERVAL_Z, 1 });
}

/* In so many parts, which are put together then */
static struct moments summed(const struct drawn *drawn, uint32_t parts)
{
	struct moments all = { .pivot = 0 };

	for (uint32_t part = 0; part < parts; part++) {
		struct moments moments = { .pivot = 0 };

		for (uint32_t n = part; n < SAMPLES; n += parts)
			moments_add(&moments, drawn->value[n], drawn->weight[n]);
		moments_merge(&all, &moments);
	}
	return all;
}

static void check(const struct drawn *drawn, uint32_t parts)
{
	const struct moments moments = summed(drawn, parts);
	const struct interval expected = by_values(drawn);
	const struct interval told = moments_interval(&moments, (struct confidence){ INTERVAL_Z, 1 });

	CU_ASSERT_EQUAL(moments.samples.samples, SAMPLES);
	CU_ASSERT_DOUBLE_EQUAL(moments_mean(&moments), drawn->mean, 1e-6);
	CU_ASSERT(expected.low < drawn->mean && drawn->mean < expected.high);
	CU_ASSERT_DOUBLE_EQUAL(told.low, expected.low, 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(told.high, expected.high, 1e-4);
}

static void test_same_as_values(void)
{
	for (enum weighing weighing = ALIKE; weighing < SOME_UNKNOWN; weighing++) {
		for (uint64_t seed = 1; seed <= 20; seed++) {
			const struct drawn drawn = draw(weighing, seed);

			check(&drawn, 1);
			check(&drawn, 3);
			check(&drawn, SAMPLES);
		}
	}
}

static void test_nothing(void)
{
	const struct confidence confidence = { INTERVAL_Z, 1 };
	const struct drawn drawn = draw(SOME_UNKNOWN, 1);
	struct moments moments = { .pivot = 0 };

	CU_ASSERT(isnan(moments_mean(&moments)));
	CU_ASSERT(isnan(moments_interval(&moments, confidence).low));
	/* what some stand for is not known: no sum is told */
	moments = summed(&drawn, 2);
	CU_ASSERT(isnan(moments_mean(&moments)));
	CU_ASSERT(isnan(moments_interval(&moments, confidence).high));
	/* few samples: a mean without an interval */
	moments = (struct moments){ .pivot = 0 };
	for (uint64_t n = 0; n < 5; n++)
		moments_add(&moments, n, 1);
	CU_ASSERT_DOUBLE_EQUAL(moments_mean(&moments), 2, 1e-12);
	CU_ASSERT(isnan(moments_interval(&moments, confidence).low));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the mean and its interval, as of values that are told one by one", test_same_as_values },
		{ "no samples, some of unknown weight, few", test_nothing },
	};

	return tap_main("moments", cases, sizeof(cases) / sizeof(cases[0]));
}
