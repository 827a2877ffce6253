/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of memory that are there at a time, by address: which one has an address. No two overlap.
 *
 * A hash table has them by the granule of 128 bytes that they begin in, so that where one begins is looked
 * up in one cache line: it has of eight blocks the numbers, and of each 32 bits that tell it from nearly all
 * others. Those that have an address and are no longer than 4096 bytes begin in one of the 33 granules up to
 * its own. A second table has the longer ones by granules that grow by a factor of 16: a block begins in the
 * smallest that it is not longer than, and ends in that or in the next one.
 */
#ifndef ANALYSIS_OBJECTS_LIVE_BLOCKS_H
#define ANALYSIS_OBJECTS_LIVE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "shared_pages.h"

/* What is known of a block of the heap. Where strings and stacks are: in a file of replay.h's list */
struct block_about {
	uint32_t stack, tag;
	uint32_t serial; /* no other block's, of those that a name may have been given in */
	uint16_t rarity; /* of being recorded: 0 is always, and each step a little less */
	uint8_t file, tag_file;
};

struct live_block {
	uint64_t start, bytes;
	union {
		struct block_about about; /* of a block of the heap */
		uint32_t number; /* of what is named: the caller's */
	};
};
_Static_assert(sizeof(struct live_block) == 32, "two are a cache line, no block is in two lines");

/* Granules of 2^7, 2^12, 2^16, ... 2^56 bytes; the last one has all that is longer */
#define LIVE_CLASSES 13u

/* Blocks by hash */
struct live_index {
	struct shared_pages lines;
	uint32_t count, room; /* blocks, lines */
	uint32_t passed, passed_most; /* lines that were full when another one was to go there */
};

/* Zeroed memory has none. */
struct live_blocks {
	struct shared_pages slots; /* that have a block or are free: from 1 */
	uint32_t count, used, room;
	uint32_t free; /* the first of a list; 0: none */
	struct live_index by_start, of_long;
	uint32_t in_class[LIVE_CLASSES];
};

/* As many as numbers of slots tell apart, and then some */
#define LIVE_BLOCKS_MOST (UINT32_C(1) << 28)

/*
 * @param block  of at least one byte; where it overlaps another one, the one that find() gives is not told
 * @return 0; -1: memory is short, or there are LIVE_BLOCKS_MOST
 */
int live_blocks_add(struct live_blocks *blocks, const struct live_block *block);

/*
 * Remove the block that begins there.
 * @param removed  what it was; NULL: nobody wants to know
 * @return 1; 0 if none does; -1: memory is short
 */
int live_blocks_remove(struct live_blocks *blocks, uint64_t start, struct live_block *removed);

/* The block that begins there, until the next change; NULL: none does */
const struct live_block *live_blocks_at(const struct live_blocks *blocks, uint64_t start);

/* The same, to be written, but for its start and its bytes; NULL: none does, or memory is short */
struct live_block *live_blocks_change(struct live_blocks *blocks, uint64_t start);

/*
 * One that begins there will be added or removed before long: what is known of it is fetched from memory
 * meanwhile. First where it may be, and when that has come ('is_soon') the block itself.
 */
void live_blocks_expect(const struct live_blocks *blocks, uint64_t start, int is_soon);

/* The block that has the address, until the next change; NULL: none has */
const struct live_block *live_blocks_find(const struct live_blocks *blocks, uint64_t address);

/* Bytes that all of it takes, and how many of them no copy has, too */
size_t live_blocks_bytes(const struct live_blocks *blocks);
size_t live_blocks_own_bytes(const struct live_blocks *blocks);

/*
 * A process is forked: both have the same memory, in pages, until one of them writes to it (shared_pages.h).
 * @param to  has none
 * @return 0, or -1 if memory is short
 */
int live_blocks_copy(struct live_blocks *to, struct live_blocks *from);

void live_blocks_free(struct live_blocks *blocks);

#endif
