/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of memory that are there at a time, by address: which one has an address. No two overlap.
 *
 * A block lies in a granule of the address space, the smallest of which it is not longer than: it begins in
 * that granule and ends in it or in the next one. Granules grow by a factor of 16, so that at most 16
 * blocks begin in one. All are in one hash table, and an address is looked for in two granules of each
 * length that is in use.
 */
#ifndef ANALYSIS_OBJECTS_LIVE_BLOCKS_H
#define ANALYSIS_OBJECTS_LIVE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

struct live_block {
	uint64_t start, bytes;
	uint32_t what; /* the caller's */
};

/* Granules of 2^8, 2^12, ... 2^56 bytes; the last one has all that is longer */
#define LIVE_CLASSES 13u

struct live_slot;

/* Zeroed memory has none. */
struct live_blocks {
	struct live_slot *slots; /* of blocks, or free: from 1 */
	uint32_t count, used, room;
	uint32_t free; /* the first of a list; 0: none */
	uint32_t *buckets; /* the first slot of each; 0: none */
	uint32_t bits; /* of the number of buckets */
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
 * @return 1; 0 if none does
 */
int live_blocks_remove(struct live_blocks *blocks, uint64_t start, struct live_block *removed);

/* The block that has the address. @return 1; 0 if none has */
int live_blocks_find(const struct live_blocks *blocks, uint64_t address, struct live_block *found);

/* Bytes that all of it takes */
size_t live_blocks_bytes(const struct live_blocks *blocks);

/* 0, or -1 if memory is short. 'to' has none. */
int live_blocks_copy(struct live_blocks *to, const struct live_blocks *from);

void live_blocks_free(struct live_blocks *blocks);

#endif
