/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of data that the recorder of objects knows: who asked for the block, and what it is called. */
#ifndef ANALYSIS_BY_BLOCK_KEYS_H
#define ANALYSIS_BY_BLOCK_KEYS_H

#include "state.h"

/* A name of the object that the data is in; 0: it has none */
uint32_t by_block_name(struct by *by, const struct by_memory *memory);

/* Calls that asked for a block, as return addresses in the file of the innermost that is no wrapper */
struct by_calls {
	const char *file; /* NULL: it is not known */
	uint32_t count;
	uint64_t offsets[32];
};
void by_calls_of(struct by *by, const struct by_memory *memory, struct by_calls *calls);
/* What by_block_name() is the number of; to be freed. NULL: it has none, or memory is short */
char *by_block_text(struct by *by, const struct by_memory *memory);

/* The object that the data is in, one that the program has named or a thread's variables */
struct program_object by_program_object(struct by *by, const struct by_memory *memory);

/* a: the name of all calls that asked for the block, or 0 */
struct by_value by_allocation_value(struct by *by, const struct by_memory *memory);

#endif
