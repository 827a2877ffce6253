/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of what was met with known probabilities: how often their intervals hold what there is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/random.h"
#include "statistics/thinned.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define SEEDS 4000u

/* Blocks of memory as programs have them: most are small */
enum sizes { MIXED, EQUAL, LARGE, FEW_LARGE };

static double size_of(enum sizes sizes, struct random *random)
{
	switch (sizes) {
	case MIXED: return 64 * (double)random_below(random, random_below(random, 16) ? 32 : 1024) + 37;
	case EQUAL: return 100;
	case LARGE: return 10000;
	default: return random_below(random, 100) ? 50 : 100000;
	}
}

static const struct population {
	const char *name;
	uint32_t count;
	enum sizes sizes;
	double interval; /* mean bytes between points: a block has one with 1 - exp(-size / interval) */
	int only_bytes; /* 1: small ones are often not met at all, and nothing tells how many there are */
} populations[] = {
	{ "mixed, 3 met", 100, MIXED, 65536, 1 },     { "mixed, 20 met", 800, MIXED, 65536, 0 },
	{ "mixed, 500 met", 20000, MIXED, 65536, 0 }, { "equal, 3 met", 300, EQUAL, 10000, 0 },
	{ "equal, 30 met", 3000, EQUAL, 10000, 0 },   { "equal, 200 met", 20000, EQUAL, 10000, 0 },
	{ "large, 7 of 10", 10, LARGE, 8192, 0 },     { "large, 700 of 1000", 1000, LARGE, 8192, 0 },
	{ "few large", 1000, FEW_LARGE, 20000, 1 },
};

struct held {
	uint32_t runs, above, below; /* that met anything; whose interval was above, below what there is */
};

static void judge(struct held *held, const struct thinned *thinned, double truth)
{
	const struct interval interval = thinned_interval(thinned);

	if (!thinned->largest)
		return;
	held->runs++;
	held->above += interval.low > truth * (1 + 1e-9);
	held->below += interval.high < truth * (1 - 1e-9);
}

static void meet(const struct population *population, uint64_t seed, struct held *of_blocks,
		 struct held *of_bytes)
{
	struct random random = random_of(seed * UINT64_C(0x2545f4914f6cdd1d));
	struct thinned blocks = { 0 }, bytes = { 0 };
	double all = 0;

	for (uint32_t n = 0; n < population->count; n++) {
		const double size = size_of(population->sizes, &random), gap = size / population->interval;
		const double drawn = ((double)(random_next(&random) >> 11) + 0.5) / 9007199254740992.0;

		all += size;
		if (-log(drawn) > gap)
			continue;
		thinned_add(&blocks, 1, -expm1(-gap));
		thinned_add(&bytes, size, -expm1(-gap));
	}
	thinned_unmet(&bytes, population->interval);
	judge(of_blocks, &blocks, population->count);
	judge(of_bytes, &bytes, all);
}

/* 95 of 100 less what chance takes from so many runs in one of 1000 tests */
static void coverage(void)
{
	const uint32_t seeds = repetitions(SEEDS, SEEDS / 4);

	for (size_t n = 0; n < sizeof(populations) / sizeof(populations[0]); n++) {
		struct held both[2] = { { 0 }, { 0 } };

		for (uint64_t seed = 1; seed <= seeds; seed++)
			meet(&populations[n], seed, &both[0], &both[1]);
		for (size_t what = populations[n].only_bytes ? 1 : 0; what < 2; what++) {
			const struct held *held = &both[what];
			const double runs = held->runs, missed = held->above + held->below;

			printf("# %s, %s: %.1f%% of %u, above %u, below %u\n", populations[n].name,
			       what ? "bytes" : "blocks", 100 - 100 * missed / runs, held->runs, held->above,
			       held->below);
			CU_ASSERT_TRUE(held->runs > seeds / 2);
			CU_ASSERT_TRUE(missed <= 0.05 * runs + 3.1 * sqrt(0.05 * 0.95 * runs));
		}
	}
}

/*
 * Of equal weights it is that of a Poisson count. F. Garwood, "Fiducial limits for the Poisson distribution",
 * Biometrika 28 (1936): of 1, 5, 20 and 100
 */
static void poisson(void)
{
	static const struct {
		uint32_t count;
		double low, high;
	} rows[] = { { 1, 0.0253, 5.572 }, { 5, 1.6235, 11.668 }, { 20, 12.2165, 30.8884 },
		     { 100, 81.364, 121.627 } };

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct thinned thinned = { 0 };
		struct interval interval;

		for (uint32_t i = 0; i < rows[n].count; i++)
			thinned_add(&thinned, 1e-7, 1e-7);
		interval = thinned_interval(&thinned);
		CU_ASSERT_DOUBLE_EQUAL(interval.low / rows[n].low, 1, 2e-3);
		CU_ASSERT_DOUBLE_EQUAL(interval.high / rows[n].high, 1, 1e-4);
	}
}

/* Where the quantile is another function it goes on as it was. */
static void many(void)
{
	double before = 0;

	for (uint32_t count = 990; count < 1010; count++) {
		struct thinned thinned = { 0 };
		struct interval interval;

		for (uint32_t i = 0; i < count; i++)
			thinned_add(&thinned, 1, 1e-9);
		interval = thinned_interval(&thinned);
		if (before > 0)
			CU_ASSERT_DOUBLE_EQUAL((interval.high - before) * 1e-9, 1.03, 0.015);
		before = interval.high;
	}
}

/* What is met always is as it is, beside what is not and merged with it, too. */
static void certain(void)
{
	struct thinned one = { 0 }, other = { 0 }, none = { 0 }, both;
	struct interval interval;

	thinned_add(&one, 4096, 1);
	thinned_add(&one, 8192, 1);
	interval = thinned_interval(&one);
	CU_ASSERT_TRUE(interval.low == 12288 && interval.high == 12288);
	thinned_add(&other, 100, 0.01);
	both = other;
	thinned_merge(&both, &one);
	thinned_add(&one, 100, 0.01);
	CU_ASSERT_EQUAL(memcmp(&one, &both, sizeof(one)), 0);
	interval = thinned_interval(&one);
	CU_ASSERT_EQUAL(one.n, 3);
	CU_ASSERT_DOUBLE_EQUAL(one.sum, 22288, 1e-6);
	CU_ASSERT_TRUE(interval.low >= 12388 && interval.high > 22288);
	interval = thinned_interval(&none);
	CU_ASSERT_TRUE(interval.low == 0 && interval.high == 0);
	/* Of a Poisson process with one point in 1000 none was met: exp(-3.6889) is 0.025 */
	thinned_unmet(&none, 1000);
	interval = thinned_interval(&none);
	CU_ASSERT_EQUAL(interval.low, 0);
	CU_ASSERT_DOUBLE_EQUAL(interval.high, 3688.88, 0.01);
	thinned_add(&none, 5000, 1);
	interval = thinned_interval(&none);
	CU_ASSERT_EQUAL(interval.low, 5000);
	CU_ASSERT_DOUBLE_EQUAL(interval.high, 8688.88, 0.01);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "intervals hold what there is", coverage },
		{ "Poisson counts", poisson },
		{ "many", many },
		{ "what is met always", certain },
	};

	return tap_main("statistics_thinned", cases, sizeof(cases) / sizeof(cases[0]));
}
