/* SPDX-License-Identifier: BSD-3-Clause */
/* See drawn_words.h. */
#include "drawn_words.h"

#include <string.h>

/*
 * Most draws are as often as words were seen accessed: a store to a word that is not watched is missed, and
 * lets an experiment go on that it ends. Some are even, so that each word has a chance: one in twenty, and
 * fewer the more accesses were seen: words that have as small a part in them were seen, most likely.
 */
#define EVEN_LEAST_OF 20.0

/* How often an access from there on was seen that the first word does not tell of already */
static uint32_t beside_first(const struct experiment_hints *hints, uint32_t first, uint32_t from)
{
	return drawn_words_reach(hints, from) >> first & 1 ? 0 : hints->counts[from];
}

uint32_t drawn_words_places(const struct experiment_hints *hints, uint32_t first)
{
	uint32_t places = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++)
		places += beside_first(hints, first, n) > 0;
	return places;
}

/* Of one draw */
static void take_shares(const struct experiment_hints *hints, uint32_t first,
			double shares[EXPERIMENT_WORDS])
{
	const double even = 1.0 / (EXPERIMENT_WORDS - 1);
	double all = 0, unseen;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++)
		all += beside_first(hints, first, n);
	unseen = 1 / (EVEN_LEAST_OF + all);
	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		shares[n] =
			all > 0 ? (1 - unseen) * beside_first(hints, first, n) / all + unseen * even
				: even;
		if (n == first)
			shares[n] = 0;
	}
}

/* Of several: what is more than certain goes to the others. */
static void take_chances(struct drawn_words *drawn, const double shares[EXPERIMENT_WORDS],
			 uint32_t count)
{
	double left = count, all = 1;
	uint32_t certain = 0, before;

	do {
		before = certain;
		for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
			if (certain >> n & 1 || !(shares[n] * left > all))
				continue;
			certain |= 1u << n;
			left -= 1;
			all -= shares[n];
		}
	} while (certain != before);
	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++)
		drawn->chance[n] = certain >> n & 1 ? 1 : shares[n] * left / all;
}

static void lay_out(struct drawn_words *drawn)
{
	double from = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		drawn->from[n] = from;
		from += drawn->chance[n];
	}
}

/* The words of the access that the thread makes most, of those that meet that word and not the first one */
static uint32_t most_at(const struct experiment_hints *hints, uint32_t first, uint32_t word)
{
	uint32_t most = word;

	for (uint32_t n = 0; n <= word; n++) {
		if (drawn_words_reach(hints, n) >> word & 1 &&
		    beside_first(hints, first, n) > beside_first(hints, first, most))
			most = n;
	}
	return beside_first(hints, first, most) ? drawn_words_reach(hints, most) : 1u << most;
}

uint32_t drawn_words_beside(const struct experiment_hints *hints, uint32_t first)
{
	uint32_t words = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		if (beside_first(hints, first, n))
			words |= drawn_words_reach(hints, n);
	}
	return words & ~(1u << first);
}

/* How much of that begins in none of these words */
static double unwatched_by(const struct experiment_hints *hints, uint32_t first, uint32_t words)
{
	double all = 0, watched = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		all += beside_first(hints, first, n);
		watched += words >> n & 1 ? beside_first(hints, first, n) : 0;
	}
	return all > 0 ? 1 - watched / all : 0;
}

/* Where that number falls: of rounding the last word has what is left over. */
static uint32_t word_at(const struct drawn_words *drawn, double at)
{
	uint32_t word = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		if (drawn->chance[n] > 0 && drawn->from[n] <= at)
			word = n;
	}
	return word;
}

static int has_none(const struct experiment_hints *hints)
{
	uint32_t all = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++)
		all |= hints->counts[n];
	return !all;
}

/* An access of a thread of which nothing is known has one word, or is as wide as the store: between these. */
static void take_unknown(struct drawn_words *drawn, uint32_t stored)
{
	const double words = __builtin_popcount(stored);

	drawn->most = EXPERIMENT_WORDS - 1;
	drawn->least = words < drawn->most ? drawn->most / words : 1;
}

void drawn_words_draw(struct drawn_words *drawn, const struct experiment_hints *hints,
		      uint32_t first, uint32_t stored, uint32_t count, struct random *random)
{
	const double drawn_at = random_uniform(random);
	double shares[EXPERIMENT_WORDS];
	uint32_t watched = 0;

	memset(drawn, 0, sizeof(*drawn));
	take_shares(hints, first, shares);
	take_chances(drawn, shares, count);
	lay_out(drawn);
	drawn->count = count;
	for (uint32_t n = 0; n < count; n++) {
		drawn->word[n] = word_at(drawn, drawn_at + n);
		drawn->reach[n] = most_at(hints, first, drawn->word[n]);
		watched |= drawn->reach[n];
	}
	drawn->beside = drawn_words_beside(hints, first);
	drawn->is_one = !has_none(hints) && !drawn->beside;
	drawn->unwatched = unwatched_by(hints, first, watched);
	if (has_none(hints))
		take_unknown(drawn, stored);
}

/* --- that one of a set is drawn --- */

#define ENDS_MOST (2 * EXPERIMENT_WORDS + 2)

/* Where that is on the circle: from 0 to less than 1 */
static double on_circle(double at)
{
	return at - (double)(uint32_t)at;
}

static int is_in_arc(const struct drawn_words *drawn, uint32_t word, double at)
{
	const double behind = at - on_circle(drawn->from[word]);

	return (behind < 0 ? behind + 1 : behind) < drawn->chance[word];
}

static int is_in_one(const struct drawn_words *drawn, uint32_t words, double at)
{
	int is_in = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++)
		is_in |= words >> n & 1 && is_in_arc(drawn, n, at);
	return is_in;
}

/* In order */
static void add_end(double ends[ENDS_MOST], uint32_t *count, double end)
{
	uint32_t at = (*count)++;

	for (end = on_circle(end); at && ends[at - 1] > end; at--)
		ends[at] = ends[at - 1];
	ends[at] = end;
}

double drawn_words_chance(const struct drawn_words *drawn, uint32_t words)
{
	double ends[ENDS_MOST] = { 0 }, chance = 0;
	uint32_t count = 1;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		if (!(words >> n & 1))
			continue;
		add_end(ends, &count, drawn->from[n]);
		add_end(ends, &count, drawn->from[n] + drawn->chance[n]);
	}
	ends[count] = 1;
	for (uint32_t n = 0; n < count; n++) {
		if (is_in_one(drawn, words, (ends[n] + ends[n + 1]) / 2))
			chance += ends[n + 1] - ends[n];
	}
	return chance;
}
