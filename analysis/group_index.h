/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The groups of a sample whose outcomes are known, of all analyses at once and without looking for a key.
 *
 * What an analysis makes of each outcome are a few numbers, and so is which of the numbers it measures
 * are there. As many bits for each of these as there are numbers so far make an index, which is small;
 * so many bits of a key's table that all of an analysis's groups are in a table by their index. It only
 * remembers: what is not in it is looked for by its key (combining.c).
 */
#ifndef ANALYSIS_GROUP_INDEX_H
#define ANALYSIS_GROUP_INDEX_H

#include "outcomes.h"

#define INDEX_BITS_MOST 14u

_Static_assert(ANALYSES_MOST == SIXTEEN, "an analysis each");

/* A view of an analysis: its numbers, from 0 on, by what the view has of an outcome */
struct index_view {
	uint32_t count, shift;
	uint8_t number[OUTCOMES_OF_TABLE + 1];
};

struct indexed {
	const struct outcome_views *views;
	uint64_t measured; /* fields whose presence it tells apart */
	uint32_t bits;     /* of its index; more than there may be: it has none */
	struct index_view view[OUTCOME_VIEWS];
};

/* Of samples of one form: what they come to is not the same in others, nor what they weigh. */
struct group_index {
	int has_form;
	uint64_t form;
	const struct outcomes *outcomes;
	uint64_t seen, varied; /* presence in the first sample, and what has been otherwise since */
	uint32_t nibbles;
	struct outcome_nibble nibble[16]; /* of 'varied' */
	union of_sixteen *of[OUTCOME_TABLES]; /* by a table's outcomes */
	uint32_t count; /* of analyses that have such samples: which */
	uint8_t which[ANALYSES_MOST];
	uint16_t *groups[ANALYSES_MOST]; /* by index: a group's number; 0: not known */
	struct indexed indexed[ANALYSES_MOST];
};

void group_index_free(struct group_index *index);

/* Of samples with such a form, of which this is the first; to these outcomes more may be learnt. */
void group_index_begin(struct group_index *index, const struct outcomes *outcomes,
		       const struct group_key *first);

/* An analysis that has such samples */
void group_index_add(struct group_index *index, uint32_t analysis, const struct outcome_views *views,
		     uint64_t measured);

/* A table knows one more outcome, and so do all views. 0; -1: memory is short */
int group_index_learn(struct group_index *index, uint32_t table, uint32_t number);

/* Presence as it has not been before. 0; -1 likewise */
int group_index_vary(struct group_index *index, uint64_t measured);

/* An analysis's groups are no more. */
void group_index_forget(struct group_index *index, uint32_t analysis);

/* Of a sample with these outcomes, by table: the index in each analysis's table. 0; -1 likewise */
static inline int group_index_find(struct group_index *index, uint64_t measured,
				   const uint8_t *outcomes, union of_sixteen *found)
{
	const struct outcome_nibble *nibble = index->nibble;

	if (__builtin_expect(((measured ^ index->seen) & ~index->varied) != 0, 0) &&
	    group_index_vary(index, measured) < 0)
		return -1;
	*found = (union of_sixteen){ .word = { 0 } };
	for (uint32_t n = 0; n < index->nibbles; n++, nibble++)
		of_sixteen_or(found, &nibble->states[measured >> nibble->shift & 15]);
	for (uint32_t n = 0; n < index->outcomes->count; n++)
		of_sixteen_or(found, &index->of[n][outcomes[n]]);
	return 0;
}

#endif
