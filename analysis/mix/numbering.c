/* SPDX-License-Identifier: BSD-3-Clause */
/* See numbering.h. */
#include "numbering.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64u
#define ROOM_MOST (UINT32_C(1) << 30)

static uint32_t *slot_of(const struct numbering *numbering, const struct numbering_key *key)
{
	uint64_t hash = 0;

	for (uint32_t n = 0; n < NUMBERING_WORDS; n++) {
		hash = (hash ^ key->word[n]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	for (;; hash++) {
		uint32_t *slot = &numbering->slot[hash & (numbering->slots - 1)];

		if (!*slot || memcmp(&numbering->key[*slot - 1], key, sizeof(*key)) == 0)
			return slot;
	}
}

/* At most half of the table is full. */
static int grow(struct numbering *numbering)
{
	const uint32_t room = numbering->room ? 2 * numbering->room : ROOM_FIRST;
	struct numbering_key *keys;
	uint32_t *slots;

	if (numbering->count < numbering->room)
		return 0;
	if (room > ROOM_MOST)
		return -1;
	keys = realloc(numbering->key, room * sizeof(*keys));
	if (!keys)
		return -1;
	numbering->key = keys;
	slots = calloc((size_t)2 * room, sizeof(*slots));
	if (!slots)
		return -1;
	free(numbering->slot);
	numbering->slot = slots;
	numbering->slots = 2 * room;
	numbering->room = room;
	for (uint32_t n = 0; n < numbering->count; n++)
		*slot_of(numbering, &numbering->key[n]) = n + 1;
	return 0;
}

uint32_t numbering_of(struct numbering *numbering, const struct numbering_key *key)
{
	uint32_t *slot;

	if (grow(numbering) < 0)
		return NUMBERING_NONE;
	slot = slot_of(numbering, key);
	if (!*slot) {
		numbering->key[numbering->count++] = *key;
		*slot = numbering->count;
	}
	return *slot - 1;
}

uint32_t numbering_find(const struct numbering *numbering, const struct numbering_key *key)
{
	const uint32_t *slot = numbering->slots ? slot_of(numbering, key) : NULL;

	return slot && *slot ? *slot - 1 : NUMBERING_NONE;
}

void numbering_free(struct numbering *numbering)
{
	free(numbering->key);
	free(numbering->slot);
	memset(numbering, 0, sizeof(*numbering));
}
