/* SPDX-License-Identifier: BSD-3-Clause */
/* What struct code_blocks is made of: for who follows code (follow.h) and who cuts it (cut.h). */
#ifndef LIBDECODE_CODE_BLOCKS_STATE_H
#define LIBDECODE_CODE_BLOCKS_STATE_H

#include "block.h"
#include "kept.h"

/* Straight code that is longer is cut. */
#define RUN_BYTES_MOST 4096u
#define ENTRIES_MOST (UINT32_C(1) << 24)
#define STEPS_MOST (UINT32_C(1) << 28)

struct place_in_time {
	struct code_text *text;
	uint64_t offset, time;
};

struct code_blocks {
	int is_built;
	code_left_out *is_left_out; /* NULL: nothing is */
	const void *left_out_by;
	struct form_set forms;
	struct kept_text **kept; /* by the text's number */
	uint32_t kept_count;
	struct place_in_time *entry;
	uint32_t entries, entry_room, followed;
	uint32_t *entry_slot; /* of a hash table: 1 + a number */
	uint32_t entry_slots;
	struct place_in_time *sample;
	uint32_t samples, sample_room;
	struct code_block *block; /* by text, offset, time */
	uint32_t count, room;
	uint32_t *step;
	uint32_t steps, step_room;
};

/** Room for one more in an array. @return NULL if memory is short, or 'most' are there */
void *code_blocks_grow(void *array, uint32_t count, uint32_t *room, size_t bytes, uint32_t most);

/** The instructions of a text; NULL if memory is short */
struct kept_text *code_blocks_kept(struct code_blocks *blocks, struct code_text *text);

#endif
