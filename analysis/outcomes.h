/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What fields of an IBS payload come to: a value, or a reason for its absence. Either follows from a
 * few bits of the registers, so it is worked out once for each state of these bits, and remembered.
 *
 * Groups by outcomes are what an analysis cannot tell apart. Groups by bits (groups.h) are finer: of
 * registers that look random each sample is one of its own, though its load hit the L1 as others do.
 */
#ifndef ANALYSIS_OUTCOMES_H
#define ANALYSIS_OUTCOMES_H

#include "analysis.h"
#include "groups.h"

/*
 * Fields that more bits decide over, or that come to more, are told apart by bits. Numbers are small so
 * that all that is remembered stays near the processor.
 */
#define OUTCOME_BITS_MOST 14u
#define OUTCOMES_OF_TABLE 255u
#define OUTCOME_TABLES 32u /* as many as a combination's key has room for */

struct outcome {
	int is_present;
	uint64_t value;
	enum precis_reason reason;
	const char *detail;
};

struct outcome_field {
	uint8_t field;
	uint8_t is_by_value; /* are its values told apart, or is it but its presence? */
	uint8_t is_explained; /* does any analysis tell reasons for absence apart? */
};

#define OUTCOME_FIELDS 8u
#define OUTCOME_KEY_WORDS 5u /* of a key of bits, all but its form */

/* Fields that much the same bits decide over: outcomes are of all of them together. */
struct outcome_table {
	uint32_t field_count;
	struct outcome_field fields[OUTCOME_FIELDS];
	uint64_t decide[OUTCOME_KEY_WORDS]; /* these bits */
	uint32_t bits; /* so many: in their order they are the state */
	uint8_t *number; /* by state: of the outcome, from 1; 0: not worked out so far */
	struct outcome *known; /* OUTCOMES_OF_TABLE times one of each field; 'count' of these */
	uint32_t count;
};

/* 16 bits for each of so many things, which are looked up together */
#define SIXTEEN 16u
union of_sixteen {
	uint16_t of[SIXTEEN];
	uint64_t word[SIXTEEN / 4];
};

static inline void of_sixteen_or(union of_sixteen *to, const union of_sixteen *from)
{
	for (uint32_t n = 0; n < SIXTEEN / 4; n++)
		to->word[n] |= from->word[n];
}

/* Four bits of a key, and what each of their values is of the states of some tables */
struct outcome_nibble {
	uint32_t word, shift; /* where the word stands in the key, and the bits in that */
	union of_sixteen states[16];
};

/* Of the bits that are chosen of a word, put one behind the other, those that these four are */
uint32_t outcome_nibble_part(uint64_t chosen, uint32_t shift, uint32_t value);

#define OUTCOME_BLOCKS (OUTCOME_TABLES / SIXTEEN)

/* Those of one unit */
struct outcomes {
	uint32_t count;
	struct outcome_table table[OUTCOME_TABLES];
	uint32_t nibbles[OUTCOME_BLOCKS];
	struct outcome_nibble *nibble[OUTCOME_BLOCKS]; /* of so many tables each */
	int is_full; /* there are more than there is room for */
};

#define OUTCOME_VIEWS 16u /* as many as a key has room for */

/* What one analysis makes of them: the same of those that are the same to it */
struct outcome_views {
	const struct analysis *is;
	uint32_t count;
	uint8_t table[OUTCOME_VIEWS];
	uint8_t told[OUTCOME_VIEWS]; /* those of the table that it tells apart, a bit for each … */
	uint8_t explained[OUTCOME_VIEWS]; /* … and those of which reasons for absence are, too */
	uint8_t (*as)[OUTCOMES_OF_TABLE + 1]; /* of each view: by an outcome's number */
};

/* What an analysis tells apart */
struct outcomes_wanted {
	uint64_t decided[PRECIS_FIELD_WORDS], explained[PRECIS_FIELD_WORDS]; /* sets */
	uint64_t measured; /* of all analyses: fields of word 0 whose presence is in keys */
};

/* Tables for these, too; of all analyses before the next. */
void outcomes_want(struct outcomes *outcomes, enum precis_ibs_unit unit,
		   const struct outcomes_wanted *wanted);

/* There are all tables, and views may follow. 0; -1: memory is short */
int outcomes_prepare(struct outcomes *outcomes);

/* The views of one analysis. 0; -1: memory is short */
int outcomes_view(struct outcomes *outcomes, enum precis_ibs_unit unit, const struct analysis *is,
		  const struct outcomes_wanted *wanted, struct outcome_views *views);

void outcomes_free(struct outcomes *outcomes);
void outcome_views_free(struct outcome_views *views);

/* The states of a block's tables that a key is of */
static inline void outcome_states(const struct outcomes *outcomes, uint32_t block,
				  const struct group_key *key, union of_sixteen *states)
{
	const struct outcome_nibble *nibble = outcomes->nibble[block];

	*states = (union of_sixteen){ .word = { 0 } };
	for (uint32_t n = 0; n < outcomes->nibbles[block]; n++, nibble++) {
		uint64_t word;

		memcpy(&word, (const char *)key + nibble->word, sizeof(word));
		of_sixteen_or(states, &nibble->states[word >> nibble->shift & 15]);
	}
}

/* What its fields come to in a sample that is decoded in full: the number; 0: there is none left */
uint32_t outcome_learn(struct outcome_table *table, uint32_t state,
		       const struct precis_sample *sample);

/* A table knows one more. */
void outcome_views_learn(struct outcome_views *views, const struct outcomes *outcomes,
			 uint32_t table, uint32_t number);

/* The parts of a key that are of outcomes with these numbers, by table */
static inline void outcome_views_key(const struct outcome_views *views, const uint8_t *numbers,
				     struct group_key *key)
{
	uint64_t words[2] = { 0, 0 };

	for (uint32_t n = 0; n < views->count; n++)
		words[n / 8] |= (uint64_t)views->as[n][numbers[views->table[n]]] << n % 8 * 8;
	key->control = words[0];
	key->data = words[1];
	key->data2 = key->data3 = 0;
}

#endif
