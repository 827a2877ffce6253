/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where records wait: one behind the other in blocks, as they came.
 *
 * A run is a stretch of arrivals whose times do not descend. It can go on in
 * the next block; a block holds the pieces of many. Blocks are as large as they
 * are aligned, so that a record's address tells its block: a run needs no more
 * description than where its first record lies.
 */
#ifndef PRECIS_PERF_SORTER_BLOCKS_H
#define PRECIS_PERF_SORTER_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include <precis/record.h>

#define BLOCK_BYTES ((size_t)128 << 10) /* two of the largest records */

/* 'next' of a record: bytes from it to the next of its run, or */
#define HELD_RUN_ENDS 0u /* of a window: as far as it reaches */
#define HELD_NEXT_BLOCK 1u /* first in the next block */

/* A record that waits */
struct held {
	uint64_t time;
	uint64_t offset;
	uint32_t data_file;
	uint32_t next;
	uint8_t bytes[]; /* the record; the next one starts at a multiple of 8 */
};

struct block {
	struct block *next; /* which the last run goes on in; in the pool: the next free one */
	uint64_t place; /* in the temporary file: of the block that the run goes on in */
	uint64_t left; /* of a window: how many blocks that are */
	uint32_t is_window; /* 1: of a run in the file; 0: the records arrived here */
	uint32_t used; /* bytes, this header included */
	uint32_t pieces; /* of runs that are still here */
	uint32_t reserved;
};

struct block_pool {
	uint8_t *blocks;
	struct block *free; /* of those that were in use */
	size_t count, fresh; /* all, and those never used: the last ones */
	size_t free_count; /* both kinds */
};

/* @return 0, PRECIS_E_NO_MEMORY */
int block_pool_init(struct block_pool *pool, size_t count);
void block_pool_free(struct block_pool *pool);
/* An empty block; NULL if none is free */
struct block *block_take(struct block_pool *pool);
void block_give(struct block_pool *pool, struct block *block);
/* All of them, wherever they are */
void block_give_all(struct block_pool *pool);

static inline struct block *block_of(const struct held *held)
{
	return (struct block *)((uintptr_t)held & ~(uintptr_t)(BLOCK_BYTES - 1));
}

/* The next of the run, where it lies in the same block */
static inline struct held *held_follower(struct held *held)
{
	return (struct held *)((uint8_t *)held + held->next);
}

static inline struct held *block_first(struct block *block)
{
	return (struct held *)(block + 1);
}

static inline size_t held_bytes(size_t record_bytes)
{
	return sizeof(struct held) + ((record_bytes + 7) & ~(size_t)7);
}

static inline size_t block_room(const struct block *block)
{
	return BLOCK_BYTES - block->used;
}

/* 'block' may be NULL */
static inline int block_fits(const struct block *block, size_t bytes)
{
	return block && block_room(block) >= bytes;
}

static inline void block_clear(struct block *block)
{
	block->next = NULL;
	block->is_window = 0;
	block->used = sizeof(*block);
	block->pieces = 0;
}

#endif
