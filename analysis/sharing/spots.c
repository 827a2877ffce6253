/* SPDX-License-Identifier: BSD-3-Clause */
/* See spots.h. */
#include "spots.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 256u

static struct sharing_spot *at(const struct sharing_spots *spots, uint32_t number)
{
	return number ? &spots->list[number - 1] : NULL;
}

/* Its number, from 1; 0: there is no room. 'failed': no memory */
static uint32_t take_one(struct sharing_spots *spots, int *failed)
{
	const uint32_t taken = spots->free;

	if (taken) {
		spots->free = at(spots, taken)->next;
		return taken;
	}
	if (spots->count == spots->limit)
		return 0;
	if (spots->count == spots->room) {
		const uint32_t more = spots->room ? 2 * spots->room : ROOM_FIRST;
		void *list = realloc(spots->list, more * sizeof(*spots->list));

		*failed = !list;
		if (!list)
			return 0;
		spots->list = list;
		spots->room = more;
	}
	return ++spots->count;
}

/* Where the CPU is named in its list, or would be */
static uint32_t *place_of(struct sharing_spots *spots, uint32_t *first, uint32_t cpu)
{
	uint32_t *place = first;

	while (*place && at(spots, *place)->cpu < cpu)
		place = &at(spots, *place)->next;
	return place;
}

int sharing_spots_add(struct sharing_spots *spots, uint32_t *first, uint32_t cpu, uint32_t samples)
{
	uint32_t taken, *place = place_of(spots, first, cpu);
	int failed = 0;

	if (*place && at(spots, *place)->cpu == cpu) {
		at(spots, *place)->samples += samples;
		return 0;
	}
	taken = cpu < SHARING_SPOTS_MOST ? take_one(spots, &failed) : 0;
	if (!taken) {
		spots->beyond += samples;
		return failed ? -1 : 0;
	}
	place = place_of(spots, first, cpu); /* the list may be elsewhere now */
	*at(spots, taken) = (struct sharing_spot){ cpu, samples, *place };
	*place = taken;
	return 0;
}

int sharing_spots_merge(struct sharing_spots *spots, uint32_t *first,
			const struct sharing_spots *others, uint32_t others_first)
{
	const struct sharing_spot *spot = at(others, others_first);
	int failed = 0;

	for (; spot && !failed; spot = at(others, spot->next))
		failed = sharing_spots_add(spots, first, spot->cpu, spot->samples) < 0;
	return failed ? -1 : 0;
}

void sharing_spots_release(struct sharing_spots *spots, uint32_t first)
{
	struct sharing_spot *last = at(spots, first);

	if (!last)
		return;
	while (last->next)
		last = at(spots, last->next);
	last->next = spots->free;
	spots->free = first;
}

/* Of as many the one with the lowest number */
uint32_t sharing_spots_most(const struct sharing_spots *spots, uint32_t first, uint32_t *count)
{
	uint32_t cpu = UINT32_MAX, most = 0;

	*count = 0;
	for (const struct sharing_spot *spot = at(spots, first); spot;
	     spot = at(spots, spot->next)) {
		++*count;
		if (spot->samples > most) {
			cpu = spot->cpu;
			most = spot->samples;
		}
	}
	return cpu;
}

void sharing_spots_free(struct sharing_spots *spots)
{
	free(spots->list);
	memset(spots, 0, sizeof(*spots));
}
