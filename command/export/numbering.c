/* SPDX-License-Identifier: BSD-3-Clause */
/* See numbering.h: open addressing, at most half full. */
#include "numbering.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 256u
#define BYTES_FIRST 4096u

static uint32_t mix(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(hash ^ hash >> 32);
}

static void put_slot(struct slots *slots, uint32_t number)
{
	uint32_t mask = 2 * slots->room - 1, at = slots->hash[number] & mask;

	while (slots->slot[at])
		at = (at + 1) & mask;
	slots->slot[at] = number + 1;
}

/* Room for one more; 'values' are 'bytes' each, by number. 0, or -1 if memory is short */
static int grow(struct slots *slots, void **values, size_t bytes)
{
	uint32_t room = slots->room ? 2 * slots->room : ROOM_FIRST;
	uint32_t *hash, *slot;
	void *more;

	if (slots->count < slots->room)
		return 0;
	if (room > NUMBERS_MOST)
		return -1;
	hash = realloc(slots->hash, room * sizeof(*hash));
	if (hash)
		slots->hash = hash;
	more = hash ? realloc(*values, room * bytes) : NULL;
	if (more)
		*values = more;
	slot = more ? calloc(2 * (size_t)room, sizeof(*slot)) : NULL;
	if (!slot)
		return -1;
	free(slots->slot);
	slots->slot = slot;
	slots->room = room;
	for (uint32_t number = 0; number < slots->count; number++)
		put_slot(slots, number);
	return 0;
}

static uint32_t add(struct slots *slots, uint32_t hash)
{
	slots->hash[slots->count] = hash;
	put_slot(slots, slots->count);
	return slots->count++;
}

uint32_t texts_number(struct texts *texts, const char *text)
{
	struct slots *slots = &texts->slots;
	size_t bytes = strlen(text) + 1;
	uint32_t hash = 0;

	for (size_t n = 0; n < bytes; n++)
		hash = mix(hash, (uint8_t)text[n]);
	for (uint32_t at = hash; slots->room; at++) {
		uint32_t found = slots->slot[at & (2 * slots->room - 1)];

		if (!found)
			break;
		if (slots->hash[found - 1] == hash && !strcmp(texts_of(texts, found - 1), text))
			return found - 1;
	}
	if (bytes > texts->room - texts->used) {
		size_t room = 2 * texts->room + bytes + BYTES_FIRST;
		char *more = realloc(texts->bytes, room);

		if (!more)
			return NO_NUMBER;
		texts->bytes = more;
		texts->room = room;
	}
	if (grow(slots, (void **)&texts->start, sizeof(*texts->start)))
		return NO_NUMBER;
	memcpy(texts->bytes + texts->used, text, bytes);
	texts->start[slots->count] = texts->used;
	texts->used += bytes;
	return add(slots, hash);
}

uint32_t triples_number(struct triples *triples, uint32_t first, uint32_t second, uint32_t third)
{
	const uint32_t wanted[3] = { first, second, third };
	struct slots *slots = &triples->slots;
	uint32_t hash = mix(mix(mix(1, first), second), third);

	for (uint32_t at = hash; slots->room; at++) {
		uint32_t found = slots->slot[at & (2 * slots->room - 1)];

		if (!found)
			break;
		if (!memcmp(triples->triple[found - 1], wanted, sizeof(wanted)))
			return found - 1;
	}
	if (grow(slots, (void **)&triples->triple, sizeof(*triples->triple)))
		return NO_NUMBER;
	memcpy(triples->triple[slots->count], wanted, sizeof(wanted));
	return add(slots, hash);
}

static void slots_free(struct slots *slots)
{
	free(slots->slot);
	free(slots->hash);
}

void texts_free(struct texts *texts)
{
	slots_free(&texts->slots);
	free(texts->start);
	free(texts->bytes);
	memset(texts, 0, sizeof(*texts));
}

void triples_free(struct triples *triples)
{
	slots_free(&triples->slots);
	free(triples->triple);
	memset(triples, 0, sizeof(*triples));
}
