/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_places.h"

#include <stdlib.h>
#include <string.h>

/* Do they sample the same? On a hybrid CPU type or config tell the kind of core. */
static int are_alike(const struct precis_event *a, const struct precis_event *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2;
}

static uint32_t find_alike(const struct event_places *places, struct precis_file *file,
			   const struct precis_event *view)
{
	for (uint32_t n = 0; n < places->count; n++) {
		if (are_alike(precis_file_event(file, places->number[n]), view))
			return n + 1;
	}
	return 0;
}

static uint32_t add(struct event_places *places, uint32_t number)
{
	if (places->count == EVENTS_MOST)
		return EVENTS_MOST + 1;
	places->number[places->count] = number;
	return ++places->count;
}

/* Room for all events that the file is known to have; those of a pipe come while it is read. */
static int see_events(struct event_places *places, uint32_t count)
{
	uint8_t *more = realloc(places->seen, count);

	if (!more) {
		places->failed = 1;
		return -1;
	}
	memset(more + places->seen_count, 0, count - places->seen_count);
	places->seen = more;
	places->seen_count = count;
	return 0;
}

uint32_t event_place(struct event_places *places, struct precis_file *file,
		     const struct precis_event *view)
{
	uint32_t number = view->index;

	if (number >= places->seen_count && see_events(places, precis_file_event_count(file)) < 0)
		return 0;
	if (!places->seen[number]) {
		uint32_t place = find_alike(places, file, view);

		places->seen[number] = (uint8_t)(place ? place : add(places, number));
	}
	return places->seen[number] <= EVENTS_MOST ? places->seen[number] : 0;
}

uint32_t event_only_place(struct event_places *places)
{
	return places->count ? places->count : add(places, 0);
}

uint32_t event_next_place(const struct event_places *places, uint32_t place)
{
	uint32_t next = 0;

	for (uint32_t n = 1; n <= places->count; n++) {
		uint32_t number = places->number[n - 1];

		if (place && number <= places->number[place - 1])
			continue;
		if (!next || number < places->number[next - 1])
			next = n;
	}
	return next;
}

void event_places_free(struct event_places *places)
{
	free(places->seen);
	memset(places, 0, sizeof(*places));
}
