/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table that bounds the steps of each look-up. */
#include "numbering.h"

#include <stdlib.h>
#include <string.h>

/*
 * Keys chosen to meet in one place cost this many steps and no more: one that
 * finds no slot within them has no number. With half of the slots empty that
 * does not happen to keys that nobody chose.
 */
#define PROBES 64u
#define ROOM_FIRST 64u
#define ITEMS_FIRST 16u
#define GOLDEN_RATIO UINT64_C(0x9e3779b97f4a7c15)

static uint32_t first_slot(uint64_t key, uint32_t slots)
{
	return (uint32_t)(((key ^ key >> 32) * GOLDEN_RATIO) >> 40) & (slots - 1);
}

/* @return the key's slot, or the empty one where it belongs, or NULL */
static struct numbered_key *slot_of(const struct numbering *numbering, uint64_t key)
{
	uint32_t last = numbering->room - 1, at = first_slot(key, numbering->room);

	for (uint32_t step = 0; step < PROBES && step <= last; step++, at = (at + 1) & last) {
		struct numbered_key *slot = &numbering->slots[at];

		if (!slot->number_and_one || slot->key == key)
			return slot;
	}
	return NULL;
}

uint32_t numbering_find(const struct numbering *numbering, uint64_t key)
{
	const struct numbered_key *slot = numbering->slots ? slot_of(numbering, key) : NULL;

	return slot && slot->number_and_one ? slot->number_and_one - 1 : NUMBER_NONE;
}

/* Twice the slots. Where that cannot be, the old ones stay. */
static void grow(struct numbering *numbering)
{
	struct numbering larger = { .count = numbering->count };

	larger.room = numbering->room ? 2 * numbering->room : ROOM_FIRST;
	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		return;
	for (uint32_t n = 0; n < numbering->room; n++) {
		const struct numbered_key *old = &numbering->slots[n];
		struct numbered_key *slot;

		if (!old->number_and_one)
			continue;
		slot = slot_of(&larger, old->key);
		if (!slot) {
			free(larger.slots);
			return;
		}
		*slot = *old;
	}
	free(numbering->slots);
	*numbering = larger;
}

uint32_t numbering_take(struct numbering *numbering, uint64_t key, uint32_t limit)
{
	uint32_t number = numbering_find(numbering, key);
	struct numbered_key *slot;

	if (number != NUMBER_NONE || numbering->count == limit)
		return number;
	if (numbering->count >= numbering->room / 2)
		grow(numbering);
	slot = numbering->slots ? slot_of(numbering, key) : NULL;
	if (!slot)
		return NUMBER_NONE;
	slot->key = key;
	slot->number_and_one = ++numbering->count;
	return numbering->count - 1;
}

int numbering_make_room(const struct numbering *numbering, uint32_t limit, void **items,
			uint32_t *room, size_t bytes)
{
	uint32_t larger = *room ? 2 * *room : ITEMS_FIRST;
	uint8_t *moved;

	if (numbering->count < *room || numbering->count == limit)
		return 1;
	moved = realloc(*items, larger * bytes);
	if (!moved)
		return 0;
	memset(moved + *room * bytes, 0, (larger - *room) * bytes);
	*items = moved;
	*room = larger;
	return 1;
}

void numbering_free(struct numbering *numbering)
{
	free(numbering->slots);
	memset(numbering, 0, sizeof(*numbering));
}
