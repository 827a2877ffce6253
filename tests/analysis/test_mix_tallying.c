// SPDX-License-Identifier: BSD-3-Clause
/*
 * Observations that a thread of its own counts, or later, are those counted at once: each tally, in its
 * slot.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/mix/tallying.h"
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

static void hand_over(const struct observed *observed, uint32_t n, struct mix_tallying *tallying)
{
	const struct mix_jump branch = { observed->block, n % BLOCKS };

	switch (observed->kind) {
	case MIX_SAMPLE:
		mix_tally_sample(tallying, observed->block, observed->period, n);
		break;
	case MIX_BRANCH:
		mix_tally_branch(tallying, branch, observed->period, n);
		break;
	default:
		mix_tally_stack(tallying, observed->jumps, observed->streams, observed->count,
				observed->period, n);
	}
}

/*
 * Fewer than a batch, some, and so many that batches go round many times, and the one waits for the
 * other
 */
static void test_same(void)
{
	static const uint32_t counts[] = { 0, 1, 200, 3000, 60000 };

	struct observed *drawn = draw(7);

	for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
		int failed = 0;
		struct mix_observations alone = { 0 }, shared = { 0 };
		struct mix_tallying *tallying;

		/* As readers have it, and once without */
		if (counts[n] != 3000)
			CU_ASSERT_EQUAL(mix_observations_defer(&shared), 0);
		tallying = mix_tallying_begin(&shared);
		CU_ASSERT_FATAL(tallying != NULL);
		for (uint32_t at = 0; at < counts[n]; at++)
			hand_over(&drawn[at % DIFFERENT], at, tallying);
		for (uint32_t at = 0; at < counts[n]; at++)
			failed |= count(&drawn[at % DIFFERENT], at, 0, &alone);
		CU_ASSERT_EQUAL(failed, 0);
		CU_ASSERT_EQUAL(mix_tallying_end(tallying), 0);
		CU_ASSERT_EQUAL(mix_observations_settle(&shared), 0);
		same_observations(&alone, &shared);
	}
	free(drawn);
	CU_ASSERT_EQUAL(mix_tallying_end(NULL), 0);
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
		{ "the same as without a thread", test_same },
		{ "the same as without being put off", test_deferred },
		{ "tables grow as without being put off", test_deferred_growth },
		{ "what was put off is freed", test_unsettled },
	};

	return tap_main("mix_tallying", cases, sizeof(cases) / sizeof(cases[0]));
}
