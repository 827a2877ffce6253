/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which words of a line are watched in a thread beside the one that was stored to: drawn, as often as the
 * thread was seen to access each, by chances that are known of each word and of each set of words.
 *
 * Several are drawn at equal distances (W. G. Madow, "On the theory of systematic sampling, II", Annals of
 * Mathematical Statistics 20 (1949) 333-354): words are arcs of a circle, laid end to end, and are drawn
 * where one number falls into their arcs. That one of a set is drawn has the chance of their arcs' union.
 */
#ifndef SHARING_DRAWN_WORDS_H
#define SHARING_DRAWN_WORDS_H

#include <stdint.h>

#include "statistics/random.h"

#define EXPERIMENT_WORDS 8u
#define DRAWN_WORDS_MOST 3u

/* Which words of a line a thread was seen to access */
struct experiment_hints {
	uint32_t counts[EXPERIMENT_WORDS]; /* how often from that word on */
	uint8_t words[EXPERIMENT_WORDS]; /* and of how many words that was, at most */
	uint32_t stores; /* how often it stored to any */
	/* of accesses that registers of both kinds met first: those that are stores, or precede one … */
	uint8_t stored[EXPERIMENT_WORDS];
	uint8_t loaded[EXPERIMENT_WORDS]; /* … and others */
};

struct drawn_words {
	uint32_t count;
	uint32_t word[DRAWN_WORDS_MOST];
	uint32_t reach
		[DRAWN_WORDS_MOST]; /* words of the access that is made there most, a bit each */
	double from[EXPERIMENT_WORDS],
		chance[EXPERIMENT_WORDS]; /* arcs: where they begin, how long they are */
	uint32_t
		beside; /* all words that it was seen to access, but for what the first word tells of */
	double least,
		most; /* what an access counts for of a thread of which nothing is known; 0: chances say so */
	double unwatched; /* how much of what it accesses beside what was stored to is not watched */
	int is_one; /* all that the thread was seen to access, the first word tells of */
};

/* All words that the thread was seen to access and that the first one does not tell of, a bit each */
uint32_t drawn_words_beside(const struct experiment_hints *hints, uint32_t first);

/* From how many words on is accessed what the first word does not tell of? */
uint32_t drawn_words_places(const struct experiment_hints *hints, uint32_t first);

/*
 * @param first   word that is watched already
 * @param stored  all words that were stored to, a bit each
 */
void drawn_words_draw(struct drawn_words *drawn, const struct experiment_hints *hints,
		      uint32_t first, uint32_t stored, uint32_t count, struct random *random);

/* That one of these words, a bit each, was to be drawn */
double drawn_words_chance(const struct drawn_words *drawn, uint32_t words);

/* That many words from that one on, as far as the line goes: a bit each */
static inline uint32_t drawn_words_from(uint32_t from, uint32_t words)
{
	return ((1u << words) - 1) << from & ((1u << EXPERIMENT_WORDS) - 1);
}

/* The words of the thread's accesses from that word on, as far as was seen; at least that one */
static inline uint32_t drawn_words_reach(const struct experiment_hints *hints, uint32_t from)
{
	return drawn_words_from(from, hints->words[from] ? hints->words[from] : 1);
}

#endif
