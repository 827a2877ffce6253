/* SPDX-License-Identifier: BSD-3-Clause */
/* See tallies.h. */
#include "tallies.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 4096u
#define ROOM_MOST (UINT64_C(1) << 32)

static uint64_t hash_of(const struct mix_tally *key)
{
	const uint64_t what = (uint64_t)key->kind << 16 | (uint64_t)key->newest << 8 | key->group;

	return mix_mixed(((uint64_t)key->first << 32 | key->last) * UINT64_C(0x9e3779b97f4a7c15) +
			 ((uint64_t)key->to << 32 | what));
}

/* A power of two: at most two thirds of it have one, with a stack more, too */
static size_t most_in(size_t room)
{
	return room / 3 * 2;
}

/* The tallies of the old table in the order of its slots */
static void move_slots(const struct mix_tallies *tallies, struct mix_tally_slot *slots, size_t room)
{
	for (size_t n = 0; n < tallies->room; n++) {
		size_t slot = tallies->slot[n].hash & (room - 1);

		if (!tallies->slot[n].number)
			continue;
		while (slots[slot].number)
			slot = (slot + 1) & (room - 1);
		slots[slot] = tallies->slot[n];
	}
}

int mix_tallies_make_room(struct mix_tallies *tallies)
{
	const size_t room = tallies->room ? 2 * tallies->room : ROOM_FIRST;
	struct mix_tally_slot *slots;
	struct mix_tally *more;

	if (tallies->count + MIX_STACK_MOST < most_in(tallies->room))
		return 0;
	more = room <= ROOM_MOST && room <= SIZE_MAX / sizeof(*more)
		       ? realloc(tallies->tally, most_in(room) * sizeof(*more))
		       : NULL;
	if (!more)
		return -1;
	tallies->tally = more;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return -1;
	move_slots(tallies, slots, room);
	free(tallies->slot);
	tallies->slot = slots;
	tallies->room = room;
	return 0;
}

void mix_tallies_fetch(const struct mix_tallies *tallies, const struct mix_tally *more)
{
	if (tallies->room)
		__builtin_prefetch(&tallies->slot[hash_of(more) & (tallies->room - 1)], 1);
}

void mix_tallies_add(struct mix_tallies *tallies, const struct mix_tally *more)
{
	const uint32_t hash = (uint32_t)hash_of(more);
	size_t slot = hash & (tallies->room - 1);

	for (; tallies->slot[slot].number; slot = (slot + 1) & (tallies->room - 1)) {
		struct mix_tally *tally = &tallies->tally[tallies->slot[slot].number - 1];

		if (tallies->slot[slot].hash == hash && mix_tally_is_same(tally, more)) {
			mix_tally_add(tally, more);
			return;
		}
	}
	tallies->tally[tallies->count++] = *more;
	tallies->slot[slot] = (struct mix_tally_slot){ (uint32_t)tallies->count, hash };
}

void mix_tallies_free(struct mix_tallies *tallies)
{
	free(tallies->tally);
	free(tallies->slot);
	memset(tallies, 0, sizeof(*tallies));
}
