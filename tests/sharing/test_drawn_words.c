/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a line that are drawn (sharing/drawn_words.h): every set of them as often as it is said. */
#include "sharing/drawn_words.h"

#include <math.h>

#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define FIRST 2u
#define SETS (1u << EXPERIMENT_WORDS)

static uint32_t counts[SETS];

static void draw(const struct experiment_hints *hints, uint32_t count, uint32_t draws,
		 struct drawn_words *drawn)
{
	struct random random = random_of(count);

	for (uint32_t n = 0; n < SETS; n++)
		counts[n] = 0;
	for (uint32_t n = 0; n < draws; n++) {
		uint32_t words = 0;

		drawn_words_draw(drawn, hints, FIRST, 1u << FIRST, count, &random);
		CU_ASSERT_EQUAL(drawn->count, count);
		for (uint32_t at = 0; at < count; at++)
			words |= 1u << drawn->word[at];
		/* another word each time, and never the first */
		CU_ASSERT_EQUAL((uint32_t)__builtin_popcount(words), count);
		CU_ASSERT_FALSE(words >> FIRST & 1);
		for (uint32_t set = 0; set < SETS; set++)
			counts[set] += (words & set) != 0;
	}
}

/* Of a set within five standard deviations */
static void check(const struct experiment_hints *hints, uint32_t count)
{
	const uint32_t draws = repetitions(200000, 20000);
	struct drawn_words drawn;
	double all = 0;

	draw(hints, count, draws, &drawn);
	for (uint32_t set = 0; set < SETS; set++) {
		const double chance = drawn_words_chance(&drawn, set);

		CU_ASSERT(chance >= 0 && chance < 1 + 1e-9);
		CU_ASSERT_DOUBLE_EQUAL((double)counts[set] / draws, chance,
				       5 * sqrt(chance * fmax(1 - chance, 0) / draws) + 1e-9);
	}
	for (uint32_t word = 0; word < EXPERIMENT_WORDS; word++) {
		all += drawn_words_chance(&drawn, 1u << word);
		CU_ASSERT_TRUE(word == FIRST || drawn_words_chance(&drawn, 1u << word) > 0);
	}
	CU_ASSERT_DOUBLE_EQUAL(all, count, 1e-9);
}

static void chances(void)
{
	static const struct experiment_hints hints[] = {
		{ .stores = 0 },
		{ .counts = { 5, 5, 5, 5, 5 } },
		{ .counts = { 3, 9, 2, 0, 0, 0, 1, 50 } },
		{ .counts = { 1000000, 1, 0, 0, 0, 0, 0, 1000000 } },
		{ .counts = { 7, 0, 0, 0, 4, 0, 2, 0 }, .words = { 4, 0, 0, 0, 2, 0, 2, 0 } },
	};

	for (size_t n = 0; n < sizeof(hints) / sizeof(hints[0]); n++) {
		for (uint32_t count = 1; count <= DRAWN_WORDS_MOST; count++)
			check(&hints[n], count);
	}
}

/* What the first word tells of is no place beside it, and how much of the others is not watched */
static void places(void)
{
	const struct experiment_hints hints = { .counts = { 8, 0, 9, 0, 3, 1 },
						.words = { 4, 0, 1, 0, 2, 1 } };
	const struct experiment_hints one = { .counts = { 8, 0, 9 }, .words = { 4, 0, 1 } };
	struct drawn_words drawn;
	struct random random = random_of(1);

	CU_ASSERT_EQUAL(drawn_words_places(&hints, FIRST), 2);
	CU_ASSERT_EQUAL(drawn_words_places(&hints, 6), 4);
	drawn_words_draw(&drawn, &hints, FIRST, 1u << FIRST, DRAWN_WORDS_MOST, &random);
	CU_ASSERT_EQUAL(drawn.beside, 3u << 4);
	CU_ASSERT_FALSE(drawn.is_one);
	CU_ASSERT_DOUBLE_EQUAL(drawn.unwatched, 0, 1e-9);
	for (uint32_t n = 0; n < 100; n++) {
		drawn_words_draw(&drawn, &hints, FIRST, 1u << FIRST, 1, &random);
		if (drawn.word[0] == 4 ||
		    drawn.word[0] == 5) /* which both are met by the more frequent one */
			CU_ASSERT_EQUAL(drawn.reach[0], 3u << 4);
		CU_ASSERT_DOUBLE_EQUAL(drawn.unwatched, drawn.reach[0] == 3u << 4 ? 0 : 1, 1e-9);
	}
	drawn_words_draw(&drawn, &one, FIRST, 1u << FIRST, 1, &random);
	CU_ASSERT_TRUE(drawn.is_one);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each set of words has the chance that is told", chances },
		{ "what the first word does not tell of", places },
	};

	return tap_main("drawn_words", cases, sizeof(cases) / sizeof(cases[0]));
}
