/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples by what is said of them in words: so many different things at most, others together. */
#ifndef ANALYSIS_BY_TEXT_TALLY_H
#define ANALYSIS_BY_TEXT_TALLY_H

#include "names.h"
#include "statistics/weighted.h"

struct saving;

/* Different things that are told apart, the first ones; words of each */
#define TEXT_TALLY_MOST 512u
#define TEXT_TALLY_WORDS 2u

/* Zeroed memory has none. */
struct text_tally {
	struct names
		names; /* of each thing: its words, one behind the other, with a line's end between them */
	struct weighted *samples; /* by the numbers of these, from 0 */
	uint32_t room;
	struct weighted all, others;
};

/* 0, or -1 if memory is short. @param words  NULL: none */
int text_tally_add(struct text_tally *tally, const char *const words[TEXT_TALLY_WORDS],
		   const struct weighted *samples);
int text_tally_merge(struct text_tally *to, const struct text_tally *from);

/* Has it left out what it would have told apart if these samples had come first? */
int text_tally_is_partial(const struct text_tally *tally);

void text_tally_saved(struct saving *saving, struct text_tally *tally);
void text_tally_free(struct text_tally *tally);

/* One thing of it */
struct text_count {
	char *words[TEXT_TALLY_WORDS]; /* NULL: none */
	struct weighted samples;
};

/* All, those with most samples first. @return to be freed; NULL: there are none, or memory is short */
struct text_count *text_tally_sorted(const struct text_tally *tally);
void text_counts_free(struct text_count *counts, uint32_t count);

#endif
