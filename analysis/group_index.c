/* SPDX-License-Identifier: BSD-3-Clause */
/* See group_index.h. */
#include "group_index.h"

#include <stdlib.h>
#include <string.h>

void group_index_free(struct group_index *index)
{
	for (uint32_t n = 0; n < OUTCOME_TABLES; n++)
		free(index->of[n]);
	for (uint32_t n = 0; n < ANALYSES_MOST; n++)
		free(index->groups[n]);
}

void group_index_begin(struct group_index *index, const struct outcomes *outcomes,
		       const struct group_key *first)
{
	index->has_form = 1;
	index->form = first->form;
	index->seen = first->measured;
	index->outcomes = outcomes;
}

void group_index_add(struct group_index *index, uint32_t analysis, const struct outcome_views *views,
		     uint64_t measured)
{
	struct indexed *indexed = &index->indexed[analysis];

	index->which[index->count++] = (uint8_t)analysis;
	indexed->views = views;
	indexed->measured = measured;
}

static uint32_t bits_for(uint32_t count)
{
	return count > 1 ? 32 - (uint32_t)__builtin_clz(count - 1) : 0;
}

/* --- what outcomes and presence have of an index --- */

static void put_outcomes(struct group_index *index, uint32_t analysis)
{
	const struct indexed *indexed = &index->indexed[analysis];

	for (uint32_t n = 0; n < indexed->views->count; n++) {
		const uint32_t table = indexed->views->table[n];
		const struct index_view *view = &indexed->view[n];

		for (uint32_t k = 1; k <= index->outcomes->table[table].count && view->count; k++)
			index->of[table][k].of[analysis] |=
				(uint16_t)(view->number[indexed->views->as[n][k]] << view->shift);
	}
}

static void clear_outcomes(struct group_index *index, uint32_t analysis)
{
	const struct indexed *indexed = &index->indexed[analysis];

	for (uint32_t n = 0; n < indexed->views->count; n++) {
		const uint32_t table = indexed->views->table[n];

		for (uint32_t k = 0; k <= OUTCOMES_OF_TABLE && index->of[table]; k++)
			index->of[table][k].of[analysis] = 0;
	}
}

static int has_index(const struct indexed *indexed)
{
	return indexed->bits <= INDEX_BITS_MOST;
}

/* It has the lowest bits of an index. */
static void put_presence(struct group_index *index)
{
	index->nibbles = 0;
	for (uint32_t shift = 0; shift < 64; shift += 4) {
		struct outcome_nibble *nibble = &index->nibble[index->nibbles];

		if (!(index->varied >> shift & 15))
			continue;
		index->nibbles++;
		memset(nibble, 0, sizeof(*nibble));
		nibble->shift = shift;
		for (uint32_t n = 0; n < index->count; n++) {
			const uint32_t analysis = index->which[n];
			const struct indexed *indexed = &index->indexed[analysis];

			for (uint32_t value = 0; value < 16 && has_index(indexed); value++)
				nibble->states[value].of[analysis] = (uint16_t)outcome_nibble_part(
					indexed->measured & index->varied, shift, value);
		}
	}
}

/* --- as many bits as there are numbers --- */

/* The analysis's index begins anew. 0; -1: memory is short */
static int lay_out(struct group_index *index, uint32_t analysis)
{
	struct indexed *indexed = &index->indexed[analysis];

	indexed->bits = (uint32_t)__builtin_popcountll(indexed->measured & index->varied);
	for (uint32_t n = 0; n < indexed->views->count; n++) {
		indexed->view[n].shift = indexed->bits;
		indexed->bits += bits_for(indexed->view[n].count);
	}
	clear_outcomes(index, analysis);
	free(index->groups[analysis]);
	index->groups[analysis] = NULL;
	if (!has_index(indexed))
		return 0;
	put_outcomes(index, analysis);
	index->groups[analysis] = calloc((size_t)1 << indexed->bits, sizeof(uint16_t));
	return index->groups[analysis] ? 0 : -1;
}

/* @return whether it needs more bits than before */
static int add_number(struct index_view *view, const uint8_t *as, uint32_t number)
{
	const uint32_t before = bits_for(view->count);

	if (as[number] == number)
		view->number[number] = (uint8_t)view->count++;
	return bits_for(view->count) != before;
}

int group_index_learn(struct group_index *index, uint32_t table, uint32_t number)
{
	int failed = 0;

	if (!index->of[table])
		index->of[table] = calloc(OUTCOMES_OF_TABLE + 1, sizeof(*index->of[table]));
	if (!index->of[table])
		return -1;
	for (uint32_t n = 0; n < index->count; n++) {
		struct indexed *indexed = &index->indexed[index->which[n]];
		int is_wider = 0;

		for (uint32_t k = 0; k < indexed->views->count; k++) {
			if (indexed->views->table[k] == table)
				is_wider |= add_number(&indexed->view[k], indexed->views->as[k],
						       number);
		}
		if (is_wider || !index->groups[index->which[n]])
			failed |= lay_out(index, index->which[n]);
		else
			put_outcomes(index, index->which[n]);
	}
	return failed;
}

int group_index_vary(struct group_index *index, uint64_t measured)
{
	int failed = 0;

	index->varied |= measured ^ index->seen;
	for (uint32_t n = 0; n < index->count; n++)
		failed |= lay_out(index, index->which[n]);
	put_presence(index);
	return failed;
}

void group_index_forget(struct group_index *index, uint32_t analysis)
{
	if (index->groups[analysis])
		memset(index->groups[analysis], 0,
		       sizeof(uint16_t) << index->indexed[analysis].bits);
}
