/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shares of blocks of which some were recorded, by chance: how often their intervals hold the truth, which
 * the blocks are made by.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/by/row_blocks.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define RUNS 1000
#define BLOCKS_MOST 4000
#define WEIGHT 4096

/* Sites that ask for blocks: how many, how long, and what part of all accesses they have */
struct site {
	uint32_t blocks;
	double bytes_least, bytes_most, share;
	double unevenness; /* of accesses to its blocks: the logarithm's deviation; 0: all have as many */
};

static const struct scenario {
	const char *name;
	double interval;
	uint32_t samples;
	struct site site[3];
} scenarios[] = {
	{ "many small blocks", 65536, 3000,
	  { { 3000, 64, 64, 0.5, 0 }, { 1000, 512, 4096, 0.3, 0 }, { 5, 1e6, 1e7, 0.2, 0 } } },
	{ "few samples", 16384, 200,
	  { { 3000, 256, 256, 0.5, 0 }, { 1000, 512, 4096, 0.3, 0 }, { 5, 1e6, 1e7, 0.2, 0 } } },
	{ "sizes that differ", 65536, 3000,
	  { { 2000, 32, 100000, 0.6, 0 }, { 500, 1000, 50000, 0.3, 0 }, { 20, 1e5, 1e6, 0.1, 0 } } },
	{ "some blocks are hot", 16384, 3000,
	  { { 2000, 1024, 1024, 0.6, 0.7 }, { 1000, 512, 4096, 0.3, 0.7 }, { 5, 1e6, 1e7, 0.1, 0 } } },
	{ "all are recorded", 16, 1000,
	  { { 1000, 4096, 4096, 0.6, 0 }, { 1000, 8192, 8192, 0.3, 0 }, { 5, 1e6, 1e7, 0.1, 0 } } },
};

static double uniform(struct random *random)
{
	return ((double)(random_next(random) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct random *random)
{
	return sqrt(-2 * log(uniform(random))) * cos(2 * 3.14159265358979323846 * uniform(random));
}

struct blocks {
	double probability[BLOCKS_MOST], until[BLOCKS_MOST]; /* sum of accesses up to that block */
	int is_recorded[BLOCKS_MOST];
};

static void make_blocks(const struct site *site, double interval, struct random *random,
			struct blocks *blocks)
{
	double sum = 0;

	for (uint32_t n = 0; n < site->blocks; n++) {
		const double factor = pow(site->bytes_most / site->bytes_least, uniform(random));
		const double bytes = site->bytes_least * factor;

		blocks->probability[n] = 1 - exp(-bytes / interval);
		blocks->is_recorded[n] = uniform(random) < blocks->probability[n];
		sum += exp(site->unevenness * normal(random));
		blocks->until[n] = sum;
	}
}

static uint32_t block_of(const struct site *site, const struct blocks *blocks, struct random *random)
{
	const double at = uniform(random) * blocks->until[site->blocks - 1];
	uint32_t low = 0, high = site->blocks - 1;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;

		if (blocks->until[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t site_of(const struct scenario *scenario, struct random *random)
{
	const double at = uniform(random), first = scenario->site[0].share;

	return at < first ? 0 : at < first + scenario->site[1].share ? 1 : 2;
}

/* What a run adds: 'held' and 'asked' by site, where any of its blocks was met */
static void run(const struct scenario *scenario, uint64_t seed, uint32_t held[3], uint32_t asked[3])
{
	static struct blocks blocks[3];
	struct random random = random_of(seed);
	struct row_blocks met = { .list = NULL };
	struct weighted rows[4] = { { .samples = 0 } }, whole = { .samples = 0 };
	const struct weighted sample = weighted_of(1, WEIGHT);
	struct row_estimates estimates;

	for (uint32_t n = 0; n < 3; n++)
		make_blocks(&scenario->site[n], scenario->interval, &random, &blocks[n]);
	for (uint32_t n = 0; n < scenario->samples; n++) {
		const uint32_t site = site_of(scenario, &random);
		const uint32_t block = block_of(&scenario->site[site], &blocks[site], &random);
		const int is_recorded = blocks[site].is_recorded[block];
		const uint32_t row = is_recorded ? site : 3;
		const uint64_t id =
			is_recorded ? (uint64_t)site << 32 | (block + 1) : ROW_BLOCK_UNRECORDED;

		weighted_add(&rows[row], &sample);
		weighted_add(&whole, &sample);
		CU_ASSERT_EQUAL_FATAL(
			row_blocks_add(&met, row, id, blocks[site].probability[block], WEIGHT), 0);
	}
	CU_ASSERT_EQUAL_FATAL(row_estimates_make(&estimates, &met, 4), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(estimates.rows);
	for (uint32_t n = 0; n < 3; n++) {
		double share;
		const struct interval interval = row_estimate_share(&estimates, n, &rows[n], &whole,
								    interval_confidence, &share);

		if (!rows[n].samples)
			continue;
		asked[n]++;
		share = scenario->site[n].share;
		held[n] += interval.low <= share && share <= interval.high;
	}
	row_estimates_free(&estimates);
	row_blocks_free(&met);
}

/* In 95 of 100; fewer by three standard errors are chance */
static uint32_t least_of(uint32_t asked)
{
	return (uint32_t)floor(0.95 * asked - 3 * sqrt(asked * 0.95 * 0.05));
}

static void test_intervals(void)
{
	for (size_t s = 0; s < sizeof(scenarios) / sizeof(scenarios[0]); s++) {
		uint32_t held[3] = { 0 }, asked[3] = { 0 };

		for (uint64_t seed = 1; seed <= RUNS; seed++)
			run(&scenarios[s], seed, held, asked);
		for (uint32_t n = 0; n < 3; n++) {
			printf("# %s: site %u: %u of %u\n", scenarios[s].name, n, held[n], asked[n]);
			CU_ASSERT(asked[n] > RUNS / 2);
			CU_ASSERT(held[n] >= least_of(asked[n]));
		}
	}
}

/* Three blocks of one row, and what is in none of them */
static void test_by_hand(void)
{
	struct row_blocks blocks = { .list = NULL };
	const struct weighted row = weighted_of(70, 2), whole = weighted_of(200, 2);
	struct row_estimates estimates;
	struct interval interval;
	double share;

	CU_ASSERT_EQUAL(row_blocks_add(&blocks, 1, 7, 0.5, 20), 0);
	CU_ASSERT_EQUAL(row_blocks_add(&blocks, 1, 7, 0.5, 20), 0);
	CU_ASSERT_EQUAL(row_blocks_add(&blocks, 1, 8, 0.25, 20), 0);
	CU_ASSERT_EQUAL(row_blocks_add(&blocks, 1, ROW_BLOCK_UNRECORDED, 0, 30), 0);
	CU_ASSERT_EQUAL_FATAL(row_estimates_make(&estimates, &blocks, 2), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(estimates.rows);
	CU_ASSERT_EQUAL(estimates.rows[1].blocks, 2);
	CU_ASSERT_EQUAL(estimates.rows[0].blocks, 0);
	/* 30 in none, of which recorded ones stand for 40 and 60 */
	CU_ASSERT_DOUBLE_EQUAL(estimates.unexplained, 0, 1e-12);
	interval = row_estimate_share(&estimates, 1, &row, &whole, interval_confidence, &share);
	/* 40 / 0.5 + 20 / 0.25, and 140 - 60 - 30 that stand for themselves, of 400 */
	CU_ASSERT_DOUBLE_EQUAL(share, (80 + 80 + 50) / 400.0, 1e-12);
	CU_ASSERT(interval.low < share && share < interval.high);
	interval = row_estimate_share(&estimates, 1, &row, &whole, (struct confidence){ INTERVAL_Z, NAN },
				      &share);
	CU_ASSERT(isnan(interval.low) && isnan(interval.high));
	row_estimates_free(&estimates);
	row_blocks_cut(&blocks);
	CU_ASSERT_EQUAL(row_blocks_add(&blocks, 1, 7, 0.5, 20), 0);
	CU_ASSERT_EQUAL(row_estimates_make(&estimates, &blocks, 2), 0);
	CU_ASSERT_PTR_NULL(estimates.rows);
	row_blocks_free(&blocks);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "three blocks, by hand", test_by_hand },
		{ "95 of 100 intervals hold the share of a site", test_intervals },
	};

	return tap_main("row blocks", cases, sizeof(cases) / sizeof(cases[0]));
}
