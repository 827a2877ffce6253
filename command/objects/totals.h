/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the heap by the call stacks that asked for them, and which of them are there still. */
#ifndef OBJECTS_TOTALS_H
#define OBJECTS_TOTALS_H

#include <precis/precis.h>

#include "index.h"
#include "statistics/thinned.h"

/* Blocks that live at one time: of more the file is not what a program does. 48 bytes each */
#define TOTALS_LIVE_MOST (UINT32_C(1) << 25)

/* Of the blocks that one stack asked for, by realloc() too, which makes a new one */
struct stack_totals {
	uint32_t stack; /* 0: not known */
	struct thinned blocks, bytes;
	struct thinned live_blocks, live_bytes; /* of those that are there at the end */
};

struct block {
	uint64_t address, bytes;
	double probability;
	uint32_t row; /* of its stack */
	uint32_t next; /* of those that are free + 1 */
};

/* Zeroed memory is that of no event. */
struct totals {
	struct stack_totals *rows;
	size_t row_count, row_room;
	struct index stacks; /* of rows, by id */
	struct block *blocks;
	size_t block_count, block_room;
	uint32_t free_plus_1;
	struct index live; /* of blocks, by address */
	struct index moving; /* the same by thread: realloc() has them, and may give them back */
	uint64_t unknown_ends; /* of blocks that never began: of a parent process, or lost */
	uint64_t replaced; /* blocks at the address of one that had not ended: its end is lost */
};

/* An event, in the order of their times. @return 0, -1: no memory, or too many blocks */
int totals_take(struct totals *totals, const struct precis_object_file *file,
		const struct precis_object_event *event);

/* Where it looks for a block that begins there, for who wants that fetched; or NULL */
const void *totals_place(const struct totals *totals, uint64_t address);

/* All events are in it: what lives, and rows by their bytes, the most first */
void totals_finish(struct totals *totals);

void totals_free(struct totals *totals);

#endif
