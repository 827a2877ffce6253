/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The temporary file: blocks, each at a multiple of its size. Blocks that were
 * read are written again, so that the file is never larger than what waits in it.
 */
#ifndef PRECIS_PERF_SORTER_SPILL_H
#define PRECIS_PERF_SORTER_SPILL_H

#include "sorter_blocks.h"

struct spill {
	char *directory;
	int fd; /* -1: not made yet */
	int sys_errno; /* of what failed */
	uint64_t places; /* blocks in the file */
	uint64_t next; /* place of the next block of the run that is being written */
	uint64_t *free; /* places that may be written again */
	size_t free_count, free_room;
	uint64_t written; /* bytes, in all */
};

/* A run that has been written */
struct spilled_run {
	uint64_t place; /* of its first block; the other places stand in the block before each */
	uint64_t blocks;
};

/* @return 0, PRECIS_E_NO_MEMORY */
int spill_init(struct spill *spill, const char *directory);
void spill_free(struct spill *spill);
/* Nothing is in the file any more. */
void spill_clear(struct spill *spill);

/* Append a block to the run that is being written. @return 0, PRECIS_E_IO, PRECIS_E_NO_MEMORY */
int spill_write(struct spill *spill, struct spilled_run *run, struct block *block, int is_last);
/* Make a block the window of a run, before its first block. */
void spill_open(const struct spilled_run *run, struct block *window);
/* The window's next block; there must be one. @return 0, PRECIS_E_IO */
int spill_read(struct spill *spill, struct block *window);

#endif
