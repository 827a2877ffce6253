/* SPDX-License-Identifier: BSD-3-Clause */
/* What memory the data of a sample is in: keys of which a value is a variable, and what it is in. */
#ifndef ANALYSIS_BY_MEMORY_KEYS_H
#define ANALYSIS_BY_MEMORY_KEYS_H

#include "state.h"

/* What the data of a row is in */
void by_find_memory(struct by *by, const struct sample_batch *batch, uint32_t row,
		    struct by_memory *memory);

/* Is that in a block, where some are recorded by chance? */
struct by_block by_block_of(const struct by_memory *memory);

/*
 * enum precis_memory_kind. What was recorded beside knows better what anonymous memory, or what is mapped
 * there, is for.
 */
uint32_t by_memory_kind(const struct by_memory *memory);

/* a: the name of a variable or a block, or 0; b: that of the memory, or 0: nothing is known of it */
struct by_value by_object_value(struct by *by, const struct by_memory *memory);

/* a: the name of the kind of memory, or 0 */
struct by_value by_memory_value(struct by *by, const struct by_memory *memory);

/* Of a value of an object: for a person, to be freed; and the cells of three columns */
char *by_object_text(const struct by *by, const struct by_value *value);
void by_object_cells(struct document *document, const struct by *by, const struct by_value *value);

#endif
