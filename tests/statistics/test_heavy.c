/* SPDX-License-Identifier: BSD-3-Clause */
/* Heavy hitters against counts of all keys: streams made to defeat a bounded table. */
#include <stdlib.h>
#include <string.h>

#include "statistics/heavy.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define LIMIT 64u
#define KEYS 4096u
#define MOST 20000u

static uint64_t random_state;

static uint64_t random_next(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return random_state >> 20;
}

static uint32_t random_below(uint32_t limit)
{
	return (uint32_t)(random_next() % limit);
}

/* Key n stands for this pair: (0, 0) is one like any other */
static uint64_t space_of(uint32_t key)
{
	return key % 3;
}

static uint64_t address_of(uint32_t key)
{
	return (uint64_t)(key / 3) << 40;
}

static uint64_t truth[KEYS], total;

static void begin(struct heavy *heavy, uint32_t limit)
{
	memset(truth, 0, sizeof(truth));
	total = 0;
	CU_ASSERT_EQUAL_FATAL(heavy_init(heavy, limit), 0);
}

static void add(struct heavy *heavy, uint32_t key, uint64_t weight)
{
	struct heavy_entry *entry = heavy_add(heavy, space_of(key), address_of(key), weight);

	CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
	CU_ASSERT(entry->space == space_of(key) && entry->address == address_of(key));
	entry->figures[0]++;
	entry->figures[1] += weight;
	truth[key] += weight;
	total += weight;
}

static int by_weight_and_key(const void *a, const void *b)
{
	const struct heavy_entry *left = *(const struct heavy_entry *const *)a;
	const struct heavy_entry *right = *(const struct heavy_entry *const *)b;

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	if (left->space != right->space)
		return left->space < right->space ? -1 : 1;
	return left->address < right->address ? -1 : left->address > right->address;
}

/* The first so many are those of all, whatever that number is. */
static void check_top(const struct heavy *heavy, const struct heavy_entry *const *all)
{
	static const size_t rooms[] = { 0, 1, 2, 3, 7, LIMIT / 2, LIMIT - 1, LIMIT };
	const struct heavy_entry *top[LIMIT];

	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		const size_t count = heavy_top(heavy, top, rooms[i], by_weight_and_key);

		CU_ASSERT_EQUAL_FATAL(count, rooms[i] < heavy->count ? rooms[i] : heavy->count);
		for (size_t n = 0; n < count; n++)
			CU_ASSERT_PTR_EQUAL(top[n], all[n]);
	}
}

/* All that is promised */
static void check(const struct heavy *heavy)
{
	const struct heavy_entry *top[KEYS];
	size_t count = heavy_top(heavy, top, KEYS, by_weight_and_key);
	unsigned char is_there[KEYS] = { 0 };

	CU_ASSERT_EQUAL_FATAL(count, heavy->count);
	check_top(heavy, top);
	CU_ASSERT(heavy->count <= heavy->limit && heavy->total == total);
	/* floor <= total / (limit / 2), in whole numbers */
	CU_ASSERT(heavy->floor * (heavy->limit / 2) <= total);
	for (size_t n = 0; n < count; n++) {
		uint32_t key = (uint32_t)(top[n]->address >> 40) * 3 + (uint32_t)top[n]->space;

		CU_ASSERT_FATAL(key < KEYS && !is_there[key]);
		is_there[key] = 1;
		CU_ASSERT(top[n]->weight <= truth[key]);
		CU_ASSERT(truth[key] <= top[n]->weight + top[n]->missed);
		CU_ASSERT(top[n]->missed <= heavy->floor);
		CU_ASSERT(top[n]->figures[1] == top[n]->weight);
		CU_ASSERT(!n || by_weight_and_key(&top[n - 1], &top[n]) < 0);
	}
	for (uint32_t key = 0; key < KEYS; key++)
		CU_ASSERT(is_there[key] || truth[key] <= heavy->floor);
	if (!heavy->dropped)
		CU_ASSERT_EQUAL(heavy->floor, 0);
}

static int is_listed(const struct heavy *heavy, uint32_t key, uint64_t *weight)
{
	for (uint32_t n = 0; n < heavy->count; n++) {
		if (heavy->entries[n].space == space_of(key) &&
		    heavy->entries[n].address == address_of(key)) {
			*weight = heavy->entries[n].weight;
			return 1;
		}
	}
	return 0;
}

static void test_exact(void)
{
	struct heavy heavy;

	begin(&heavy, LIMIT);
	check(&heavy);
	for (uint32_t n = 0; n < 100 * LIMIT; n++)
		add(&heavy, random_below(LIMIT), random_below(5));
	for (uint32_t n = 0; n < heavy.count; n++)
		CU_ASSERT_EQUAL(heavy.entries[n].missed, 0);
	CU_ASSERT(heavy.dropped == 0 && heavy.floor == 0);
	check(&heavy);
	heavy_free(&heavy);
}

/* Many keys once each, then one that has most of the weight: a table that is full hides it */
static void test_late(void)
{
	const struct heavy_entry *top[1];
	struct heavy heavy;
	uint64_t weight;

	begin(&heavy, LIMIT);
	for (uint32_t key = 0; key < KEYS - 1; key++)
		add(&heavy, key, 1);
	for (uint32_t n = 0; n < 3 * KEYS; n++)
		add(&heavy, KEYS - 1, 1);
	check(&heavy);
	CU_ASSERT(is_listed(&heavy, KEYS - 1, &weight) && weight == 3 * KEYS);
	CU_ASSERT(heavy_top(&heavy, top, 1, by_weight_and_key) == 1 && top[0]->weight == 3 * KEYS);
	heavy_free(&heavy);
}

/* The heavy one comes as rarely as it can, each time behind as many new ones as push it out */
static void test_interleaved(void)
{
	struct heavy heavy;
	uint64_t weight;

	for (uint32_t gap = 1; gap < LIMIT / 2 - 1; gap++) {
		uint32_t next = 1;

		begin(&heavy, LIMIT);
		for (uint32_t round = 0; round < MOST / gap; round++) {
			for (uint32_t n = 0; n < gap; n++, next = next % (KEYS - 1) + 1)
				add(&heavy, next, 1);
			add(&heavy, 0, 1);
		}
		check(&heavy);
		CU_ASSERT(is_listed(&heavy, 0, &weight)); /* 1 of gap + 1 > 1 of LIMIT / 2 */
		heavy_free(&heavy);
	}
}

/* All alike: ties everywhere, nothing is heavy, and nothing may be claimed */
static void test_ties(void)
{
	struct heavy heavy;

	for (uint32_t weight = 0; weight < 3; weight++) {
		begin(&heavy, LIMIT);
		for (uint32_t n = 0; n < MOST; n++)
			add(&heavy, n % KEYS, weight);
		CU_ASSERT(heavy.count >= LIMIT / 2);
		check(&heavy);
		heavy_free(&heavy);
	}
}

static void test_small(void)
{
	struct heavy heavy;

	for (uint32_t limit = 2; limit < 20; limit++) {
		begin(&heavy, limit);
		for (uint32_t n = 0; n < 2000; n++)
			add(&heavy, random_below(40), 1 + random_below(3));
		check(&heavy);
		heavy_free(&heavy);
	}
}

/* Skewed by chance, in random order, ascending and descending; weights up to 2^40 */
static void test_seeds(void)
{
	uint32_t seeds = repetitions(400, 40);

	for (uint32_t seed = 1; seed <= seeds; seed++) {
		uint32_t limit = 2 + random_below(2 * LIMIT), skew = random_below(4);
		uint32_t shift = random_below(40), count = random_below(MOST);
		struct heavy heavy;

		random_state = seed;
		begin(&heavy, limit);
		for (uint32_t n = 0; n < count; n++) {
			uint32_t key = random_below(KEYS);

			for (uint32_t again = 0; again < skew; again++) /* about 1/x of a power */
				key = random_below(key + 1);
			if (seed % 3 == 1)
				key = (uint32_t)((uint64_t)n * KEYS / MOST);
			else if (seed % 3 == 2 && n % 2)
				key = KEYS - 1 - (uint32_t)((uint64_t)n * KEYS / MOST);
			add(&heavy, key, random_next() % ((UINT64_C(1) << shift) + 1));
			if (n % 1000 == 0)
				check(&heavy);
		}
		check(&heavy);
		heavy_free(&heavy);
	}
}

static void combine(struct heavy_entry *to, const struct heavy_entry *from)
{
	to->figures[0] += from->figures[0];
	to->figures[1] += from->figures[1];
}

/* A stream in parts, each with a table of its own, then all of them in one */
static void test_merge(void)
{
	uint32_t seeds = repetitions(400, 40);

	for (uint32_t seed = 1; seed <= seeds; seed++) {
		uint32_t limit = 2 + random_below(2 * LIMIT), parts = 2 + random_below(6);
		struct heavy whole, part;

		random_state = seed;
		begin(&whole, limit);
		for (uint32_t n = 0; n < parts; n++) {
			uint32_t count = random_below(MOST / 4), keys = 1 + random_below(KEYS);

			CU_ASSERT_EQUAL_FATAL(heavy_init(&part, limit), 0);
			for (uint32_t i = 0; i < count; i++)
				add(&part, KEYS - 1 - random_below(1 + random_below(keys)),
				    random_below(50));
			CU_ASSERT_EQUAL(heavy_merge(&whole, &part, combine), 0);
			heavy_free(&part);
			check(&whole);
			/* and it counts on */
			for (uint32_t i = 0; i < count % 100; i++)
				add(&whole, random_below(keys), 3);
			check(&whole);
		}
		heavy_free(&whole);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "as long as there is room all is exact", test_exact },
		{ "one that comes last has most of the weight", test_late },
		{ "one in each gap of new ones", test_interleaved },
		{ "ties, and weights of 0", test_ties },
		{ "the smallest tables", test_small },
		{ "bounds hold over random streams", test_seeds },
		{ "and over parts that were counted apart", test_merge },
	};

	return tap_main("heavy", cases, sizeof(cases) / sizeof(cases[0]));
}
