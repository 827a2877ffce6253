/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on a type's layout: how often it is given of what is true, and of what is just not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/type_page/advice.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define RUNS 400
#define SAMPLES 600
/* Of RUNS at most so many may be wrong: 5%, and what chance adds in one of a thousand tests */
#define WRONG_MOST 34

/* long key; char room[112]; long far; */
static struct shape_row rows[] = {
	{ .path = "key", .name = "key", .bytes = 8, .elements = 1, .parent = SHAPE_NO_ROW, .end = 1 },
	{ .path = "room[]", .name = "room", .offset = 8, .bytes = 112, .elements = 112,
	  .parent = SHAPE_NO_ROW, .end = 2 },
	{ .path = "far", .name = "far", .offset = 120, .bytes = 8, .elements = 1, .parent = SHAPE_NO_ROW,
	  .end = 3 },
};
static const struct type_shape shape = {
	.file = "program", .name = "struct wide", .bytes = 128, .rows = rows, .count = 3,
};

enum { KEY, ROOM, FAR };

static void touch(struct type_tally *tally, uint32_t row, const char *function, uint64_t start)
{
	const struct tally_sample sample = {
		.weighted = weighted_of(1, 4096), .weight = 4096, .start = start, .function = function,
	};

	CU_ASSERT_EQUAL_FATAL(member_tally_add(tally, &sample, &row, 1), 0);
}

/* Is it given? */
static int has(const struct type_tally *tally, const char *name)
{
	const struct weighted *all = &member_tally_whole(tally)->samples;
	struct advice advice[ADVICE_IDS];
	const int count = advice_of(tally, all, interval_confidence, 1, advice);
	int is_there = 0;

	CU_ASSERT_FATAL(count >= 0);
	for (int n = 0; n < count; n++) {
		is_there |= strcmp(advice[n].name, name) == 0;
		free(advice[n].text);
	}
	return is_there;
}

/* So many of RUNS: of 'key' that share of the samples, the others' of what is cold */
static int given_one_member(double share, uint64_t seed)
{
	int given = 0;

	for (uint64_t run = 0; run < RUNS; run++) {
		struct random random = random_of(seed + run);
		struct type_tally *tally = member_tally_new(&shape, 0, 0);

		CU_ASSERT_PTR_NOT_NULL_FATAL(tally);
		for (uint32_t n = 0; n < SAMPLES; n++)
			touch(tally, random_below(&random, 1000000) < 1e6 * share ? KEY : ROOM, NULL,
			      128 * random_below(&random, 100));
		given += has(tally, "one_member");
		member_tally_free(tally);
	}
	return given;
}

/* Likewise of two members, which that share of the samples touches in one function */
static int given_hot_apart(double share, uint64_t seed)
{
	int given = 0;

	for (uint64_t run = 0; run < RUNS; run++) {
		struct random random = random_of(seed + run);
		struct type_tally *tally = member_tally_new(&shape, 0, 0);

		CU_ASSERT_PTR_NOT_NULL_FATAL(tally);
		for (uint32_t n = 0; n < SAMPLES; n++) {
			const uint32_t row = random_below(&random, 2) ? KEY : FAR;
			const int is_both = random_below(&random, 1000000) < 1e6 * share;

			touch(tally, row, is_both ? "both" : row == KEY ? "near" : "away",
			      128 * random_below(&random, 100));
		}
		given += has(tally, "hot_apart");
		member_tally_free(tally);
	}
	return given;
}

static void test_threshold(void)
{
	const int one = given_one_member(0.90, 1), apart = given_hot_apart(0.50, 2);

	printf("# at the threshold given in %d and %d of %d\n", one, apart, RUNS);
	CU_ASSERT(one <= WRONG_MOST);
	CU_ASSERT(apart <= WRONG_MOST);
}

static void test_true(void)
{
	const int one = given_one_member(0.97, 3), apart = given_hot_apart(0.70, 4);

	printf("# above it given in %d and %d of %d\n", one, apart, RUNS);
	CU_ASSERT(one > RUNS * 9 / 10);
	CU_ASSERT(apart > RUNS * 9 / 10);
}

/* Samples that depend on each other in a way that is not known support nothing. */
static void test_dependent(void)
{
	struct type_tally *tally = member_tally_new(&shape, 0, 0);
	struct advice advice[ADVICE_IDS];

	CU_ASSERT_PTR_NOT_NULL_FATAL(tally);
	for (uint32_t n = 0; n < SAMPLES; n++)
		touch(tally, KEY, "both", 128 * n);
	CU_ASSERT(has(tally, "one_member"));
	CU_ASSERT_EQUAL(advice_of(tally, &member_tally_whole(tally)->samples,
				  (struct confidence){ INTERVAL_Z, NAN }, 1, advice),
			0);
	member_tally_free(tally);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what is just not so is said in 5 of 100 or less", test_threshold },
		{ "what is so is said", test_true },
		{ "of samples that depend on each other nothing is", test_dependent },
	};

	return tap_main("advice", cases, sizeof(cases) / sizeof(cases[0]));
}
