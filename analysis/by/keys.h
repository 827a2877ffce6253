/* SPDX-License-Identifier: BSD-3-Clause */
/* What keys say of a sample, and how that is told. */
#ifndef ANALYSIS_BY_KEYS_H
#define ANALYSIS_BY_KEYS_H

#include "state.h"

/*
 * Fields of samples that the key needs, which end with FIELDS_END; the first one is what a sample lacks
 * if it has no such key.
 */
#define BY_KEY_FIELDS 7u
void by_key_fields(const struct by_asked_key *key, uint8_t fields[BY_KEY_FIELDS]);

/* What has to be known for the keys: the wants_* of 'by' */
void by_keys_want(struct by *by);

/* Of a row, whose class is known. Of places and threads the model has to know the recording. */
void by_key_values(struct by *by, const struct sample_batch *batch, uint32_t row,
		   const struct by_class *is, struct by_value values[BY_KEYS_MOST]);

/* Why samples of a class have no place although they have an address: a reason of its own */
#define BY_NOT_ITS_OWN 0xfeu
/* For a person, to be freed; NULL if memory is short */
char *by_key_text(const struct by *by, uint32_t n, const struct by_value *value);

/* Columns in JSON and CSV: at most that many of one key */
#define BY_KEY_COLUMNS 3u
uint32_t by_key_columns(const struct by_asked_key *key, struct column *columns);
void by_key_cells(struct document *document, const struct by *by, uint32_t n,
		  const struct by_value *value);

/* Is it a place in an object, whose symbol is asked for when it is told? */
int by_key_is_place(const struct by_asked_key *key);

/* Which parts of a value are numbers of names, or 0. How many: at most 2 */
uint32_t by_key_names(const struct by_asked_key *key, struct by_value *value, uint64_t *names[2]);

#endif
