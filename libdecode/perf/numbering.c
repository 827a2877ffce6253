/* SPDX-License-Identifier: BSD-3-Clause */
#include "numbering.h"

#include <stdlib.h>
#include <string.h>

/*
 * Keys chosen to meet in one place cost this many steps and no more: one that
 * finds no slot within them has no number. With half of the slots empty that
 * does not happen to keys that nobody chose.
 */
#define PROBES 64u
#define GOLDEN_RATIO UINT64_C(0x9e3779b97f4a7c15)

static uint32_t first_slot(uint64_t key, uint32_t slots)
{
	return (uint32_t)(((key ^ key >> 32) * GOLDEN_RATIO) >> 40) & (slots - 1);
}

/* @return the key's slot, or the empty one where it belongs, or NULL */
static struct numbered_key *slot_of(const struct numbering *numbering, uint64_t key, uint32_t limit)
{
	uint32_t slots = 2 * limit, at = first_slot(key, slots);

	for (uint32_t step = 0; step < PROBES; step++, at = (at + 1) & (slots - 1)) {
		struct numbered_key *slot = &numbering->slots[at];

		if (!slot->number_and_one || slot->key == key)
			return slot;
	}
	return NULL;
}

uint32_t numbering_find(const struct numbering *numbering, uint64_t key, uint32_t limit)
{
	const struct numbered_key *slot = numbering->slots ? slot_of(numbering, key, limit) : NULL;

	return slot && slot->number_and_one ? slot->number_and_one - 1 : NUMBER_NONE;
}

uint32_t numbering_take(struct numbering *numbering, uint64_t key, uint32_t limit)
{
	struct numbered_key *slot;

	if (!numbering->slots)
		numbering->slots = calloc(2 * (size_t)limit, sizeof(*numbering->slots));
	slot = numbering->slots ? slot_of(numbering, key, limit) : NULL;
	if (!slot)
		return NUMBER_NONE;
	if (!slot->number_and_one) {
		if (numbering->count == limit)
			return NUMBER_NONE;
		slot->key = key;
		slot->number_and_one = ++numbering->count;
	}
	return slot->number_and_one - 1;
}

void numbering_free(struct numbering *numbering)
{
	free(numbering->slots);
	memset(numbering, 0, sizeof(*numbering));
}
