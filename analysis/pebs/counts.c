/* SPDX-License-Identifier: BSD-3-Clause */
/* See counts.h. */
#include "counts.h"

#include <stdlib.h>

#include "analysis/event_places.h"

const uint8_t pebs_latency_fields[PEBS_LATENCIES] = {
	[LATENCY_LOAD] = PRECIS_FIELD_LOAD_LATENCY,
	[LATENCY_CACHE] = PRECIS_FIELD_CACHE_LATENCY,
	[LATENCY_INSTRUCTION] = PRECIS_FIELD_INSTRUCTION_LATENCY,
};

const uint8_t pebs_condition_fields[PEBS_CONDITIONS] = {
	[CONDITION_DCACHE_MISS] = PRECIS_FIELD_DCACHE_MISS,
	[CONDITION_L2_MISS] = PRECIS_FIELD_L2_MISS,
	[CONDITION_LOCKED] = PRECIS_FIELD_LOCKED,
	[CONDITION_DATA_BLOCKED] = PRECIS_FIELD_DATA_BLOCKED,
	[CONDITION_ADDRESS_BLOCKED] = PRECIS_FIELD_ADDRESS_BLOCKED,
	[CONDITION_FORWARDED] = PRECIS_FIELD_LINE_FORWARDED,
	[CONDITION_FILL_BUFFER_FULL] = PRECIS_FIELD_FILL_BUFFER_FULL,
};

void pebs_free(struct pebs *pebs)
{
	for (uint32_t n = 0; n < pebs->count; n++) {
		struct pebs_event *event = pebs->events[n];

		latencies_free_all(&event->latency[0][0][0][0],
				   sizeof(event->latency) / sizeof(event->latency[0][0][0][0]));
		latencies_free_all(event->retire, OP_KINDS);
		reasons_free(&event->reasons);
		free(event);
	}
	free(pebs->events);
}

static int make_room(struct pebs *pebs)
{
	uint32_t room = pebs->room ? 2 * pebs->room : 4;
	struct pebs_event **more;

	if (pebs->count < pebs->room)
		return 0;
	more = realloc(pebs->events, room * sizeof(*more));
	if (!more)
		return -1;
	pebs->events = more;
	pebs->room = room;
	return 0;
}

struct pebs_event *pebs_event_at(struct pebs *pebs, uint32_t place)
{
	const struct event_places *places = pebs->about->events[PRECIS_EVENT_PEBS];

	while (pebs->count < place) {
		struct pebs_event *event = make_room(pebs) < 0 ? NULL : calloc(1, sizeof(*event));

		if (!event) {
			pebs->failed = 1;
			return NULL;
		}
		event->number = places->number[pebs->count];
		pebs->events[pebs->count++] = event;
		event->place = pebs->count;
	}
	return place ? pebs->events[place - 1] : NULL;
}

struct weighted pebs_access_total(const struct pebs_event *event, enum access access)
{
	struct weighted samples = { 0 };

	for (uint32_t level = 0; level < TLB_LEVELS; level++)
		weighted_add(&samples, &event->tlb[access][level]);
	return samples;
}

int pebs_sum_latencies(const struct pebs_event *event, enum pebs_latency which,
		       enum access access, struct latencies *sum)
{
	struct latencies *const *from = &event->latency[which][access][0][0];

	*sum = (struct latencies){ 0 };
	for (size_t i = 0; i < LEVELS * REMOTES; i++) {
		if (from[i] && latencies_merge(sum, from[i]) < 0)
			return -1;
	}
	return 0;
}

/* NULL for place 0, and where memory was short */
static const struct pebs_event *event_of_place(const struct pebs *pebs, uint32_t place)
{
	return place && place <= pebs->count ? pebs->events[place - 1] : NULL;
}

const struct pebs_event *pebs_event_next(const struct pebs *pebs, const struct pebs_event *event)
{
	return event_of_place(pebs, event_next_place(pebs->about->events[PRECIS_EVENT_PEBS],
						     event ? event->place : 0));
}

const struct pebs_event *pebs_event_numbered(const struct pebs *pebs, uint32_t number)
{
	return event_of_place(pebs, event_place_numbered(pebs->about->events[PRECIS_EVENT_PEBS],
							 number));
}

const struct precis_event *pebs_view(const struct pebs *pebs, const struct pebs_event *event)
{
	return recordings_event(pebs->about->recordings, event->number);
}
