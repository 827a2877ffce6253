// SPDX-License-Identifier: BSD-3-Clause
/*
 * Observations that are counted later, or by several of which each counts a part, are those counted at once:
 * each tally, in its slot.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/mix/observations.h"
#include "statistics/random.h"
#include "tests/support/repetitions.h"
#include "tests/support/same_observations.h"

#define BLOCKS 700u

static uint32_t some_block(struct random *random, int is_placed)
{
	return is_placed || random_below(random, 40) ? (uint32_t)random_below(random, BLOCKS)
						     : FLOW_NONE;
}

#define DIFFERENT 2000u

struct observed {
	uint32_t kind, block, count;
	uint64_t period;
	struct mix_jump jumps[MIX_STACK_MOST];
	uint32_t streams[MIX_STACK_MOST];
};

/*
 * Stacks whose streams are all in the graph have numbers of them, of some of which one stream is missing. The
 * last ones come too late for one.
 */
static void draw_stack(struct random *random, struct observed *drawn, uint32_t *streams)
{
	const int is_placed = (int)random_below(random, 2);
	const uint32_t missing = is_placed && random_below(random, 8)
					 ? MIX_STACK_MOST
					 : (uint32_t)random_below(random, 4);

	for (uint32_t at = 0; at < drawn->count; at++)
		drawn->jumps[at] = (struct mix_jump){ some_block(random, is_placed),
						      some_block(random, is_placed) };
	for (uint32_t at = 0; at + 1 < drawn->count; at++) {
		const int is_late = *streams >= MIX_NUMBERED_MOST - 1;

		drawn->streams[at] = !is_placed || at == missing || is_late ? 0 : ++*streams;
	}
}

static struct observed *draw(uint64_t seed)
{
	struct observed *drawn = calloc(DIFFERENT, sizeof(*drawn));
	struct random random = random_of(seed);
	uint32_t streams = MIX_NUMBERED_MOST - 8000;

	CU_ASSERT_FATAL(drawn != NULL);
	for (uint32_t n = 0; n < DIFFERENT; n++) {
		drawn[n].kind = (uint32_t)random_below(&random, 3);
		drawn[n].block = some_block(&random, 0);
		drawn[n].period = random_below(&random, 100000);
		drawn[n].count = (uint32_t)random_below(&random, MIX_STACK_MOST + 1);
		draw_stack(&random, &drawn[n], &streams);
	}
	CU_ASSERT_EQUAL(streams, MIX_NUMBERED_MOST - 1);
	return drawn;
}

static int count(const struct observed *observed, uint32_t n, int has_numbers,
		 struct mix_observations *seen)
{
	const struct mix_jump branch = { observed->block, n % BLOCKS };

	switch (observed->kind) {
	case MIX_SAMPLE:
		return mix_add_sample(seen, observed->block, observed->period, n);
	case MIX_BRANCH:
		return mix_add_branch(seen, branch, observed->period, n);
	default:
		return has_numbers
			       ? mix_add_numbered_stack(seen, observed->jumps, observed->streams,
							observed->count, observed->period, n)
			       : mix_add_stack(seen, observed->jumps, observed->count,
					       observed->period, n);
	}
}

#define PARTS_MOST 5u

/* Who counts a part has numbers of its own for blocks */
static uint32_t own_number(uint32_t block, uint32_t part)
{
	return block == FLOW_NONE ? block : block * (part % 2 ? 1 : 3) + part;
}

static int count_as(const struct observed *observed, uint32_t n, uint32_t part,
		    struct mix_observations *seen)
{
	struct observed own = *observed;
	const struct mix_jump branch = { own_number(observed->block, part),
					 own_number(n % BLOCKS, part) };

	own.block = own_number(observed->block, part);
	for (uint32_t at = 0; at < own.count; at++)
		own.jumps[at] = (struct mix_jump){ own_number(observed->jumps[at].from, part),
						   own_number(observed->jumps[at].to, part) };
	mix_observations_at(seen, n);
	return observed->kind == MIX_BRANCH ? mix_add_branch(seen, branch, observed->period, n)
					    : count(&own, n, 1, seen);
}

/* @return by the number of whoever counts 'part': the block's own */
static uint32_t *numbers_of_part(uint32_t part)
{
	uint32_t *numbers = calloc(own_number(BLOCKS, part) + 1, sizeof(*numbers));

	CU_ASSERT_FATAL(numbers != NULL);
	for (uint32_t block = 0; block < BLOCKS; block++)
		numbers[own_number(block, part)] = block;
	return numbers;
}

/* What comes is handed out by chance, some in a row, as threads would take it; one may get nothing. */
static void compare_joined(const struct observed *drawn, uint32_t count_of_all, uint32_t parts)
{
	struct mix_observations alone = { 0 }, joined = { 0 }, of[PARTS_MOST];
	struct mix_observations *from[PARTS_MOST];
	uint32_t *numbers[PARTS_MOST];
	struct random random = random_of(count_of_all + parts);
	uint32_t part = 0;
	int failed = 0;

	for (uint32_t n = 0; n < parts; n++) {
		memset(&of[n], 0, sizeof(of[n]));
		failed |= mix_observations_defer(&of[n]) < 0;
		from[n] = &of[n];
		numbers[n] = numbers_of_part(n);
	}
	for (uint32_t at = 0; at < count_of_all; at++) {
		if (random_below(&random, 20) == 0)
			part = (uint32_t)random_below(&random, parts);
		failed |= count(&drawn[at % DIFFERENT], at, 0, &alone) < 0;
		failed |= count_as(&drawn[at % DIFFERENT], at, part, &of[part]) < 0;
	}
	for (uint32_t n = 0; n < parts; n++)
		failed |= mix_observations_count(&of[n]) < 0;
	failed |= mix_observations_defer(&joined) < 0;
	failed |= mix_observations_join(&joined, from, (const uint32_t *const *)numbers, parts) < 0;
	failed |= mix_observations_settle(&joined) < 0;
	CU_ASSERT_EQUAL(failed, 0);
	same_observations(&alone, &joined);
	for (uint32_t n = 0; n < parts; n++) {
		mix_observations_free(&of[n]);
		free(numbers[n]);
	}
}

static void test_joined(void)
{
	static const uint32_t counts[] = { 0, 1, 200, 3000, 60000 };
	struct observed *drawn = draw(7);

	for (uint32_t parts = 1; parts <= PARTS_MOST; parts++) {
		for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++)
			compare_joined(drawn, counts[n], parts);
		for (uint32_t n = 0; n < 300; n += repetitions(1, 9))
			compare_joined(drawn, n, parts);
	}
	free(drawn);
}

static void count_all(const struct observed *drawn, uint32_t count_of_all, int has_numbers,
		      struct mix_observations *seen)
{
	int failed = 0;

	for (uint32_t at = 0; at < count_of_all; at++)
		failed |= count(&drawn[at % DIFFERENT], at, has_numbers, seen);
	CU_ASSERT_EQUAL(failed, 0);
}

static void compare_deferred(const struct observed *drawn, uint32_t count_of_all)
{
	for (int has_numbers = 0; has_numbers < 2; has_numbers++) {
		struct mix_observations alone = { 0 }, deferred = { 0 };

		count_all(drawn, count_of_all, 0, &alone);
		CU_ASSERT_EQUAL(mix_observations_defer(&deferred), 0);
		count_all(drawn, count_of_all, has_numbers, &deferred);
		CU_ASSERT_EQUAL(mix_observations_settle(&deferred), 0);
		same_observations(&alone, &deferred);
	}
}

/* Some that no group has a batch of, and many of each. Tables grow behind the stack that fills them. */
static void test_deferred(void)
{
	for (uint64_t seed = 1; seed <= repetitions(3, 1); seed++) {
		struct observed *drawn = draw(seed);

		for (uint32_t n = 0; n < 500; n += repetitions(1, 9))
			compare_deferred(drawn, n);
		compare_deferred(drawn, 3000);
		compare_deferred(drawn, 60000);
		free(drawn);
	}
}

/*
 * A table that is about to grow grows with the next observation, and be it of what was seen before. Blocks
 * have the largest numbers.
 */
static void test_deferred_growth(void)
{
	for (uint32_t samples = 2600; samples < 2740; samples++) {
		struct mix_observations alone = { 0 }, deferred = { 0 };

		CU_ASSERT_EQUAL(mix_observations_defer(&deferred), 0);
		for (uint32_t n = 0; n < samples; n++) {
			const uint32_t block = MIX_BLOCKS_MOST - 1 - n;

			CU_ASSERT_EQUAL(mix_add_sample(&alone, block, 7, n), 0);
			CU_ASSERT_EQUAL(mix_add_sample(&deferred, block, 7, n), 0);
		}
		CU_ASSERT_EQUAL(mix_add_sample(&alone, MIX_BLOCKS_MOST - 1, 7, 0), 0);
		CU_ASSERT_EQUAL(mix_add_sample(&deferred, MIX_BLOCKS_MOST - 1, 7, 0), 0);
		CU_ASSERT_EQUAL(mix_observations_settle(&deferred), 0);
		same_observations(&alone, &deferred);
	}
}

/* What was never settled is freed, too */
static void test_unsettled(void)
{
	struct observed *drawn = draw(3);
	struct mix_observations seen = { 0 };

	CU_ASSERT_EQUAL(mix_observations_defer(&seen), 0);
	CU_ASSERT_EQUAL(mix_observations_defer(&seen), 0);
	count_all(drawn, 3000, 1, &seen);
	CU_ASSERT_EQUAL(seen.tallies.count, 0);
	mix_observations_free(&seen);
	free(drawn);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "several that count a part each are one", test_joined },
		{ "the same as without being put off", test_deferred },
		{ "tables grow as without being put off", test_deferred_growth },
		{ "what was put off is freed", test_unsettled },
	};

	return tap_main("mix_deferred", cases, sizeof(cases) / sizeof(cases[0]));
}
