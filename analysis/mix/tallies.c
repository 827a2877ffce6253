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

/* @return 0, or -1: memory is short */
static int grow(struct mix_tallies *tallies, size_t most)
{
	struct mix_tally *more = most <= SIZE_MAX / sizeof(*more)
					 ? realloc(tallies->tally, most * sizeof(*more))
					 : NULL;

	if (!more)
		return -1;
	tallies->tally = more;
	tallies->most = most;
	return 0;
}

static void fill_slots(struct mix_tallies *tallies)
{
	for (size_t n = 0; n < tallies->count; n++) {
		const uint32_t hash = (uint32_t)hash_of(&tallies->tally[n]);
		size_t slot = hash & (tallies->room - 1);

		while (tallies->slot[slot].number)
			slot = (slot + 1) & (tallies->room - 1);
		tallies->slot[slot] = (struct mix_tally_slot){ (uint32_t)n + 1, hash };
	}
}

int mix_tallies_make_room(struct mix_tallies *tallies)
{
	const size_t wanted = tallies->count + MIX_STACK_MOST;
	size_t room = tallies->room ? tallies->room : ROOM_FIRST;
	struct mix_tally_slot *slots;

	if (tallies->room && wanted < most_in(tallies->room))
		return 0;
	while (wanted >= most_in(room))
		room *= 2;
	if (room > ROOM_MOST || (most_in(room) > tallies->most && grow(tallies, most_in(room)) < 0))
		return -1;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return -1;
	free(tallies->slot);
	tallies->slot = slots;
	tallies->room = room;
	fill_slots(tallies);
	return 0;
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

int mix_tallies_reserve(struct mix_tallies *tallies, size_t count)
{
	const size_t most = tallies->count + count;

	if (most <= tallies->most)
		return 0;
	return most < UINT32_MAX ? grow(tallies, most) : -1;
}

void mix_tallies_free(struct mix_tallies *tallies)
{
	free(tallies->tally);
	free(tallies->slot);
	memset(tallies, 0, sizeof(*tallies));
}
