/* SPDX-License-Identifier: BSD-3-Clause */
/* See tallies.h. */
#include "tallies.h"

#include <stdlib.h>

#define ROOM_FIRST 4096u
#define AHEAD 8u /* slots, that are asked for before they are needed */

static uint64_t hash_of(const struct mix_tally *key)
{
	const uint64_t what = (uint64_t)key->kind << 16 | (uint64_t)key->newest << 8 | key->group;

	return mix_mixed(((uint64_t)key->first << 32 | key->last) * UINT64_C(0x9e3779b97f4a7c15) +
			 ((uint64_t)key->to << 32 | what));
}

/* Room is a power of two. */
static struct mix_tally *slot_of(const struct mix_tallies *tallies, const struct mix_tally *key)
{
	size_t slot = hash_of(key) & (tallies->room - 1);

	while (tallies->tally[slot].count && !mix_tally_is_same(&tallies->tally[slot], key))
		slot = (slot + 1) & (tallies->room - 1);
	return &tallies->tally[slot];
}

/* At most two thirds full, with a stack more, too */
int mix_tallies_make_room(struct mix_tallies *tallies)
{
	struct mix_tallies larger = { .room = tallies->room ? 2 * tallies->room : ROOM_FIRST };

	if (tallies->count + MIX_STACK_MOST < tallies->room / 3 * 2)
		return 0;
	larger.tally = calloc(larger.room, sizeof(*larger.tally));
	if (!larger.tally)
		return -1;
	for (size_t n = 0; n < tallies->room; n++) {
		if (n + AHEAD < tallies->room && tallies->tally[n + AHEAD].count)
			mix_tallies_fetch(&larger, &tallies->tally[n + AHEAD]);
		if (tallies->tally[n].count)
			mix_tallies_add(&larger, &tallies->tally[n]);
	}
	free(tallies->tally);
	*tallies = larger;
	return 0;
}

void mix_tallies_fetch(const struct mix_tallies *tallies, const struct mix_tally *more)
{
	if (tallies->room)
		__builtin_prefetch(&tallies->tally[hash_of(more) & (tallies->room - 1)], 1);
}

void mix_tallies_add(struct mix_tallies *tallies, const struct mix_tally *more)
{
	struct mix_tally *tally = slot_of(tallies, more);

	if (tally->count) {
		mix_tally_add(tally, more);
		return;
	}
	*tally = *more;
	tallies->count++;
}
