/* SPDX-License-Identifier: BSD-3-Clause */
/* See outcomes.h. */
#include "outcomes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * A field joins a table if it has bits in common with it, and brings no more than so many: what it comes
 * to hangs together with the rest then, so that there are not many outcomes of all.
 */
#define BITS_ADDED_MOST 2u

/* What a word of keys has of a register */
enum key_word { WORD_NOTHING, WORD_BITS, WORD_IS_ZERO };

static const struct {
	uint8_t at;
	struct {
		enum key_word has;
		enum precis_ibs_register reg;
	} of[2]; /* by unit */
} words[OUTCOME_KEY_WORDS] = {
	{ offsetof(struct group_key, measured), { { WORD_NOTHING, 0 }, { WORD_NOTHING, 0 } } },
	{ offsetof(struct group_key, control),
	  { { WORD_BITS, PRECIS_IBS_OP_CTL }, { WORD_BITS, PRECIS_IBS_FETCH_CTL } } },
	{ offsetof(struct group_key, data),
	  { { WORD_BITS, PRECIS_IBS_OP_DATA }, { WORD_IS_ZERO, PRECIS_IBS_FETCH_LIN_AD } } },
	{ offsetof(struct group_key, data2),
	  { { WORD_BITS, PRECIS_IBS_OP_DATA2 }, { WORD_NOTHING, 0 } } },
	{ offsetof(struct group_key, data3),
	  { { WORD_BITS, PRECIS_IBS_OP_DATA3 }, { WORD_NOTHING, 0 } } },
};

/* --- tables --- */

/* Are the bits that make its value all in keys? */
static int has_value(enum precis_ibs_unit unit, uint32_t field)
{
	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++) {
		uint64_t value_bits = 0;
		int is_there = 0;

		precis_ibs_field_bits(unit, field, (enum precis_ibs_register)reg, &value_bits);
		for (uint32_t n = 0; n < OUTCOME_KEY_WORDS; n++)
			is_there |= words[n].of[unit].has == WORD_BITS &&
				    words[n].of[unit].reg == reg;
		if (value_bits && !is_there)
			return 0;
	}
	return 1;
}

/* Bits of one word of keys that decide over a field */
static uint64_t bits_of_word(enum precis_ibs_unit unit, const struct outcome_field *is, uint32_t word)
{
	uint64_t bits, value_bits;

	if (words[word].of[unit].has == WORD_NOTHING)
		return 0;
	bits = precis_ibs_field_bits(unit, is->field, words[word].of[unit].reg, &value_bits);
	if (words[word].of[unit].has == WORD_IS_ZERO)
		return bits != 0;
	return is->is_by_value ? bits : bits & ~value_bits;
}

static void find_bits(enum precis_ibs_unit unit, const struct outcome_field *is, uint64_t measured,
		      uint64_t bits[OUTCOME_KEY_WORDS])
{
	for (uint32_t n = 0; n < OUTCOME_KEY_WORDS; n++)
		bits[n] = bits_of_word(unit, is, n);
	if (!is->is_by_value && is->field < 64)
		bits[0] = measured & UINT64_C(1) << is->field;
}

static uint32_t count_bits(const uint64_t bits[OUTCOME_KEY_WORDS],
			   const uint64_t more[OUTCOME_KEY_WORDS])
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < OUTCOME_KEY_WORDS; n++)
		count += (uint32_t)__builtin_popcountll(bits[n] | more[n]);
	return count;
}

/* Does it go with the fields that are there? */
static int has_room(const struct outcome_table *table, const uint64_t bits[OUTCOME_KEY_WORDS])
{
	const uint32_t together = count_bits(table->decide, bits);
	const uint32_t added = together - table->bits;

	return table->field_count < OUTCOME_FIELDS && together <= OUTCOME_BITS_MOST &&
	       added <= BITS_ADDED_MOST && added < count_bits(bits, bits);
}

static void add_field(struct outcomes *outcomes, const struct outcome_field *is,
		      const uint64_t bits[OUTCOME_KEY_WORDS])
{
	struct outcome_table *table = outcomes->table;
	uint32_t n = 0;

	while (n < outcomes->count && !has_room(&table[n], bits))
		n++;
	if (n == OUTCOME_TABLES || count_bits(bits, bits) > OUTCOME_BITS_MOST) {
		outcomes->is_full = 1;
		return;
	}
	if (n == outcomes->count)
		outcomes->count++;
	table[n].fields[table[n].field_count++] = *is;
	for (uint32_t word = 0; word < OUTCOME_KEY_WORDS; word++)
		table[n].decide[word] |= bits[word];
	table[n].bits = count_bits(table[n].decide, bits);
}

static int find_field(const struct outcomes *outcomes, uint32_t field, int is_by_value,
		      uint32_t *table, uint32_t *place)
{
	for (*table = 0; *table < outcomes->count; ++*table) {
		const struct outcome_table *at = &outcomes->table[*table];

		for (*place = 0; *place < at->field_count; ++*place) {
			if (at->fields[*place].field == field &&
			    at->fields[*place].is_by_value == is_by_value)
				return 1;
		}
	}
	return 0;
}

static int is_told(const struct outcomes_wanted *wanted, enum precis_ibs_unit unit, uint32_t field)
{
	return (precis_fields_have(wanted->decided, field) ||
		precis_fields_have(wanted->explained, field)) &&
	       unit_has_field(unit, field);
}

static uint8_t is_told_by_value(const struct outcomes_wanted *wanted, enum precis_ibs_unit unit,
				uint32_t field)
{
	return precis_fields_have(wanted->decided, field) && has_value(unit, field);
}

void outcomes_want(struct outcomes *outcomes, enum precis_ibs_unit unit,
		   const struct outcomes_wanted *wanted)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		const struct outcome_field is = {
			.field = (uint8_t)field,
			.is_by_value = is_told_by_value(wanted, unit, field),
			.is_explained = (uint8_t)precis_fields_have(wanted->explained, field),
		};
		uint64_t bits[OUTCOME_KEY_WORDS];
		uint32_t table, place;

		if (!is_told(wanted, unit, field))
			continue;
		if (find_field(outcomes, field, is.is_by_value, &table, &place)) {
			outcomes->table[table].fields[place].is_explained |= is.is_explained;
			continue;
		}
		/* whether such a one is there no key says */
		if (!is.is_by_value && field >= 64) {
			outcomes->is_full = 1;
			return;
		}
		find_bits(unit, &is, wanted->measured, bits);
		add_field(outcomes, &is, bits);
	}
}

uint32_t outcome_nibble_part(uint64_t chosen, uint32_t shift, uint32_t value)
{
	uint32_t part = 0, at = (uint32_t)__builtin_popcountll(chosen & ((UINT64_C(1) << shift) - 1));

	for (uint32_t bit = 0; bit < 4; bit++) {
		if (chosen >> (shift + bit) & 1)
			part |= (value >> bit & 1) << at++;
	}
	return part;
}

/* Which bits of the table's state these four are: words stand there one behind the other, too. */
static uint16_t part_of_state(const struct outcome_table *table, uint32_t word, uint32_t shift,
			      uint32_t value)
{
	uint32_t before = 0;

	for (uint32_t n = 0; n < word; n++)
		before += (uint32_t)__builtin_popcountll(table->decide[n]);
	return (uint16_t)(outcome_nibble_part(table->decide[word], shift, value) << before);
}

static void fill_nibble(const struct outcomes *outcomes, uint32_t block, uint32_t word,
			uint32_t shift, struct outcome_nibble *nibble)
{
	const uint32_t first = block * SIXTEEN;

	nibble->word = words[word].at;
	nibble->shift = shift;
	for (uint32_t value = 0; value < 16; value++) {
		for (uint32_t n = 0; n < SIXTEEN && first + n < outcomes->count; n++)
			nibble->states[value].of[n] =
				part_of_state(&outcomes->table[first + n], word, shift, value);
	}
}

static int prepare_block(struct outcomes *outcomes, uint32_t block)
{
	const uint32_t first = block * SIXTEEN;

	outcomes->nibble[block] = calloc(OUTCOME_KEY_WORDS * (size_t)16, sizeof(struct outcome_nibble));
	if (!outcomes->nibble[block])
		return -1;
	for (uint32_t word = 0; word < OUTCOME_KEY_WORDS; word++) {
		uint64_t decide = 0;

		for (uint32_t n = first; n < first + SIXTEEN && n < outcomes->count; n++)
			decide |= outcomes->table[n].decide[word];
		for (uint32_t shift = 0; shift < 64; shift += 4) {
			if (decide >> shift & 15)
				fill_nibble(outcomes, block, word, shift,
					    &outcomes->nibble[block][outcomes->nibbles[block]++]);
		}
	}
	return 0;
}

int outcomes_prepare(struct outcomes *outcomes)
{
	for (uint32_t block = 0; block * SIXTEEN < outcomes->count; block++) {
		if (prepare_block(outcomes, block) < 0)
			return -1;
	}
	for (uint32_t n = 0; n < outcomes->count; n++) {
		struct outcome_table *table = &outcomes->table[n];

		table->number = calloc((size_t)1 << table->bits, sizeof(*table->number));
		table->known = calloc((size_t)OUTCOMES_OF_TABLE * table->field_count,
				      sizeof(*table->known));
		if (!table->number || !table->known)
			return -1;
	}
	return 0;
}

void outcomes_free(struct outcomes *outcomes)
{
	for (uint32_t block = 0; block < OUTCOME_BLOCKS; block++)
		free(outcomes->nibble[block]);
	for (uint32_t n = 0; n < outcomes->count; n++) {
		free(outcomes->table[n].number);
		free(outcomes->table[n].known);
	}
}

/* --- outcomes --- */

static int is_same(const struct outcome *a, const struct outcome *b)
{
	return a->is_present == b->is_present && a->value == b->value && a->reason == b->reason &&
	       (a->detail == b->detail ||
		(a->detail && b->detail && strcmp(a->detail, b->detail) == 0));
}

/* The outcomes with that number, from 1, of all of the table's fields */
static struct outcome *known(const struct outcome_table *table, uint32_t number)
{
	return &table->known[(size_t)(number - 1) * table->field_count];
}

/* From 1; 0: there is none left */
static uint32_t number_of(struct outcome_table *table, const struct outcome *are)
{
	for (uint32_t number = 1; number <= table->count; number++) {
		const struct outcome *others = known(table, number);
		uint32_t n = 0;

		while (n < table->field_count && is_same(&are[n], &others[n]))
			n++;
		if (n == table->field_count)
			return number;
	}
	if (table->count == OUTCOMES_OF_TABLE)
		return 0;
	memcpy(known(table, ++table->count), are, table->field_count * sizeof(*are));
	return table->count;
}

uint32_t outcome_learn(struct outcome_table *table, uint32_t state,
		       const struct precis_sample *sample)
{
	struct outcome are[OUTCOME_FIELDS] = { { .is_present = 0 } };
	uint32_t number;

	for (uint32_t n = 0; n < table->field_count; n++) {
		const struct outcome_field *is = &table->fields[n];

		are[n].is_present = precis_fields_have(sample->present, is->field);
		if (!are[n].is_present && is->is_explained)
			are[n].reason = precis_why_in_words(sample, is->field, &are[n].detail);
		if (are[n].is_present && is->is_by_value)
			are[n].value = sample->value[is->field];
	}
	number = number_of(table, are);
	table->number[state] = (uint8_t)number;
	return number;
}

/* --- views --- */

int outcomes_view(struct outcomes *outcomes, enum precis_ibs_unit unit, const struct analysis *is,
		  const struct outcomes_wanted *wanted, struct outcome_views *views)
{
	views->is = is;
	views->as = calloc(OUTCOME_VIEWS, sizeof(*views->as));
	if (!views->as)
		return -1;
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		uint32_t table, place, n = 0;

		if (!is_told(wanted, unit, field) ||
		    !find_field(outcomes, field, is_told_by_value(wanted, unit, field), &table,
				&place))
			continue;
		while (n < views->count && views->table[n] != table)
			n++;
		if (n == OUTCOME_VIEWS) {
			outcomes->is_full = 1;
			return 0;
		}
		views->count += n == views->count;
		views->table[n] = (uint8_t)table;
		views->told[n] |= (uint8_t)(1u << place);
		views->explained[n] |=
			(uint8_t)(precis_fields_have(wanted->explained, field) << place);
	}
	return 0;
}

void outcome_views_free(struct outcome_views *views)
{
	free(views->as);
}

static int is_same_to(const struct outcome_views *views, uint32_t view,
		      const struct outcome_table *table, uint32_t place, const struct outcome *a,
		      const struct outcome *b)
{
	const uint32_t field = table->fields[place].field;

	if (views->is->apart)
		return views->is->apart(field, a->is_present ? &a->value : NULL) ==
		       views->is->apart(field, b->is_present ? &b->value : NULL);
	if (!a->is_present && !b->is_present && !(views->explained[view] >> place & 1))
		return 1;
	return is_same(a, b);
}

/* Of those that are the same to the analysis the first one's number */
static uint32_t seen_as(const struct outcome_views *views, uint32_t view,
			const struct outcome_table *table, uint32_t number)
{
	const struct outcome *are = known(table, number);

	for (uint32_t other = 1; other < number; other++) {
		const struct outcome *others = known(table, other);
		int is_one = 1;

		for (uint32_t n = 0; n < table->field_count && is_one; n++)
			is_one = !(views->told[view] >> n & 1) ||
				 is_same_to(views, view, table, n, &are[n], &others[n]);
		if (is_one)
			return other;
	}
	return number;
}

void outcome_views_learn(struct outcome_views *views, const struct outcomes *outcomes,
			 uint32_t table, uint32_t number)
{
	for (uint32_t n = 0; n < views->count; n++) {
		if (views->table[n] == table)
			views->as[n][number] = (uint8_t)seen_as(views, n, &outcomes->table[table],
								number);
	}
}
