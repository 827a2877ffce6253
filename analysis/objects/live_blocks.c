/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_blocks.h. */
#include "live_blocks.h"

#include <stdlib.h>
#include <string.h>

#define SMALLEST_SHIFT 8u
#define SHIFT_STEP 4u
#define FIRST_ROOM 64u
#define FIRST_BITS 6u

/* A block, without what alignment adds to it */
struct live_slot {
	uint64_t start, bytes;
	uint32_t what;
	uint32_t next; /* in its bucket, or of those that are free */
};

static struct live_block block_of(const struct live_slot *slot)
{
	return (struct live_block){ slot->start, slot->bytes, slot->what };
}

static uint32_t shift_of(uint32_t class)
{
	return SMALLEST_SHIFT + SHIFT_STEP * class;
}

static uint32_t class_of(uint64_t bytes)
{
	uint32_t class = 0;

	while (class + 1 < LIVE_CLASSES && bytes > UINT64_C(1) << shift_of(class))
		class ++;
	return class;
}

static uint32_t bucket_of(const struct live_blocks *blocks, uint32_t class, uint64_t address)
{
	const uint64_t granule = address >> shift_of(class);

	return (uint32_t)((granule * LIVE_CLASSES + class) * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - blocks->bits));
}

static void put(struct live_blocks *blocks, uint32_t slot)
{
	struct live_slot *at = &blocks->slots[slot];
	uint32_t *bucket = &blocks->buckets[bucket_of(blocks, class_of(at->bytes), at->start)];

	at->next = *bucket;
	*bucket = slot;
}

/* 0, or -1 if memory is short */
static int grow_buckets(struct live_blocks *blocks)
{
	const uint32_t bits = blocks->bits ? blocks->bits + 1 : FIRST_BITS;
	uint32_t *larger = calloc((size_t)1 << bits, sizeof(*larger));
	uint32_t *buckets = blocks->buckets;
	const size_t count = buckets ? (size_t)1 << blocks->bits : 0;

	if (!larger)
		return -1;
	blocks->buckets = larger;
	blocks->bits = bits;
	for (size_t n = 0; n < count; n++) {
		uint32_t slot = buckets[n];

		while (slot) {
			const uint32_t next = blocks->slots[slot].next;

			put(blocks, slot);
			slot = next;
		}
	}
	free(buckets);
	return 0;
}

/* The number of a slot that is free; 0: memory is short */
static uint32_t take_slot(struct live_blocks *blocks)
{
	uint32_t slot = blocks->free;

	if (slot) {
		blocks->free = blocks->slots[slot].next;
		return slot;
	}
	if (blocks->used + 1 >= blocks->room) {
		const uint32_t room = blocks->room ? blocks->room + blocks->room / 2 : FIRST_ROOM;
		struct live_slot *larger = realloc(blocks->slots, room * sizeof(*larger));

		if (!larger)
			return 0;
		blocks->slots = larger;
		blocks->room = room;
	}
	return ++blocks->used;
}

int live_blocks_add(struct live_blocks *blocks, const struct live_block *block)
{
	uint32_t slot;

	if (blocks->count >= LIVE_BLOCKS_MOST ||
	    ((!blocks->bits || blocks->count >= UINT32_C(1) << blocks->bits) &&
	     grow_buckets(blocks) < 0))
		return -1;
	slot = take_slot(blocks);
	if (!slot)
		return -1;
	blocks->slots[slot] = (struct live_slot){ block->start, block->bytes, block->what, 0 };
	put(blocks, slot);
	blocks->in_class[class_of(block->bytes)]++;
	blocks->count++;
	return 0;
}

/* Where the bucket, or the slot before it, has the number of the slot that begins there; NULL: none does */
static uint32_t *find_start(const struct live_blocks *blocks, uint32_t class, uint64_t start)
{
	uint32_t *slot = &blocks->buckets[bucket_of(blocks, class, start)];

	while (*slot && blocks->slots[*slot].start != start)
		slot = &blocks->slots[*slot].next;
	return *slot ? slot : NULL;
}

int live_blocks_remove(struct live_blocks *blocks, uint64_t start, struct live_block *removed)
{
	for (uint32_t class = 0; class < LIVE_CLASSES; class ++) {
		uint32_t *at = blocks->in_class[class] ? find_start(blocks, class, start) : NULL;
		const uint32_t slot = at ? *at : 0;

		/* a bucket has blocks of all lengths */
		if (!slot || class_of(blocks->slots[slot].bytes) != class)
			continue;
		if (removed)
			*removed = block_of(&blocks->slots[slot]);
		*at = blocks->slots[slot].next;
		blocks->slots[slot].next = blocks->free;
		blocks->free = slot;
		blocks->in_class[class]--;
		blocks->count--;
		return 1;
	}
	return 0;
}

static int find_in_granule(const struct live_blocks *blocks, uint32_t class, uint64_t of,
			   uint64_t address, struct live_block *found)
{
	uint32_t slot = blocks->buckets[bucket_of(blocks, class, of)];

	for (; slot; slot = blocks->slots[slot].next) {
		const struct live_slot *at = &blocks->slots[slot];

		if (address - at->start < at->bytes) {
			*found = block_of(at);
			return 1;
		}
	}
	return 0;
}

int live_blocks_find(const struct live_blocks *blocks, uint64_t address, struct live_block *found)
{
	for (uint32_t class = 0; class < LIVE_CLASSES; class ++) {
		const uint64_t granule = UINT64_C(1) << shift_of(class);

		if (!blocks->in_class[class])
			continue;
		if (find_in_granule(blocks, class, address, address, found) ||
		    (address >= granule &&
		     find_in_granule(blocks, class, address - granule, address, found)))
			return 1;
	}
	return 0;
}

size_t live_blocks_bytes(const struct live_blocks *blocks)
{
	return blocks->room * sizeof(struct live_slot) +
	       (blocks->bits ? sizeof(uint32_t) << blocks->bits : 0);
}

int live_blocks_copy(struct live_blocks *to, const struct live_blocks *from)
{
	const size_t buckets = sizeof(*to->buckets) << from->bits,
		     slots = from->room * sizeof(*to->slots);

	if (!from->bits)
		return 0;
	*to = *from;
	to->buckets = malloc(buckets);
	to->slots = malloc(slots);
	if (!to->buckets || !to->slots) {
		live_blocks_free(to);
		return -1;
	}
	memcpy(to->buckets, from->buckets, buckets);
	memcpy(to->slots, from->slots, (from->used + 1) * sizeof(*to->slots));
	return 0;
}

void live_blocks_free(struct live_blocks *blocks)
{
	free(blocks->slots);
	free(blocks->buckets);
	memset(blocks, 0, sizeof(*blocks));
}
