/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that sample the same, found by sorting them. */
#include "event_places.h"

#include <stdlib.h>
#include <string.h>

/* What an event samples. On a hybrid CPU type or config tell the kind of core. */
struct configuration {
	uint64_t type, config, config1, config2;
	uint64_t number;
};

static int compare_words(const uint64_t *a, const uint64_t *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

static int by_configuration(const void *a, const void *b)
{
	return compare_words(a, b, sizeof(struct configuration) / sizeof(uint64_t));
}

static int are_alike(const struct configuration *a, const struct configuration *b)
{
	return !compare_words(&a->type, &b->type, 4);
}

static int find_alike(uint32_t *alike, struct precis_file *file, uint32_t count)
{
	struct configuration *all = calloc(count, sizeof(*all));

	if (!all)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		const struct precis_event *view = precis_file_event(file, n);

		all[n] = (struct configuration){ view->type, view->config, view->config1,
						 view->config2, n };
	}
	qsort(all, count, sizeof(*all), by_configuration);
	for (uint32_t n = 0; n < count; n++) {
		uint32_t number = (uint32_t)all[n].number;

		alike[number] = n && are_alike(&all[n - 1], &all[n]) ?
					alike[all[n - 1].number] : number;
	}
	free(all);
	return 0;
}

static int widen(uint32_t **array, uint32_t from, uint32_t to)
{
	uint32_t *more = realloc(*array, to * sizeof(*more));

	if (!more)
		return -1;
	memset(more + from, 0, (to - from) * sizeof(*more));
	*array = more;
	return 0;
}

/* So many events, more than before: each is like itself so far. */
static int know_events(struct event_places *places, uint32_t count)
{
	if (widen(&places->number, places->known, count) < 0 ||
	    widen(&places->alike, places->known, count) < 0 ||
	    widen(&places->place, places->known, count) < 0) {
		places->failed = 1;
		return -1;
	}
	for (; places->known < count; places->known++)
		places->alike[places->known] = places->known;
	return 0;
}

/* All events that the file is known to have; those of a pipe come while it is read. */
static int see_events(struct event_places *places, struct precis_file *file, uint32_t count)
{
	if (know_events(places, count) < 0)
		return -1;
	if (find_alike(places->alike, file, count) == 0)
		return 0;
	places->failed = 1;
	return -1;
}

static uint32_t place_of(struct event_places *places, uint32_t number)
{
	uint32_t *place = &places->place[places->alike[number]];

	if (!*place) {
		places->number[places->count] = number;
		*place = ++places->count;
	}
	return *place;
}

uint32_t event_place(struct event_places *places, struct precis_file *file,
		     const struct precis_event *view)
{
	if (view->index >= places->known &&
	    see_events(places, file, precis_file_event_count(file)) < 0)
		return 0;
	return place_of(places, view->index);
}

uint32_t event_only_place(struct event_places *places)
{
	if (!places->known && know_events(places, 1) < 0)
		return 0;
	return place_of(places, 0);
}

/* Of the events that are configured like that one; 0: none */
static uint32_t place_of_number(const struct event_places *places, uint32_t number)
{
	return number < places->known ? places->place[places->alike[number]] : 0;
}

uint32_t event_number_first(const struct event_places *places, uint32_t number)
{
	uint32_t place = place_of_number(places, number);

	return place ? places->number[place - 1] : number;
}

uint32_t event_place_numbered(const struct event_places *places, uint32_t number)
{
	uint32_t place = place_of_number(places, number);

	return place && places->number[place - 1] == number ? place : 0;
}

uint32_t event_next_place(const struct event_places *places, uint32_t place)
{
	for (uint32_t n = place ? places->number[place - 1] + 1 : 0; n < places->known; n++) {
		uint32_t next = event_place_numbered(places, n);

		if (next)
			return next;
	}
	return 0;
}

/* Those that another run knows, which are alike as they are there */
static int take_events(struct event_places *places, const struct event_places *others,
		       uint32_t first)
{
	if (first + others->known <= places->known)
		return 0;
	if (know_events(places, first + others->known) < 0)
		return -1;
	for (uint32_t n = 0; n < others->known; n++)
		places->alike[first + n] = first + others->alike[n];
	return 0;
}

/* The place of one of another recording's events that is like one that has a place; 0: none is. */
static uint32_t place_alike(const struct event_places *places,
			    const struct analysis_recordings *recordings, uint32_t number)
{
	for (uint32_t n = 0; n < places->count; n++) {
		if (recordings_are_alike(recordings, places->number[n], number))
			return n + 1;
	}
	return 0;
}

int event_places_merge(struct event_places *places, const struct event_places *others,
		       const struct analysis_recordings *recordings, uint32_t first,
		       uint32_t **map)
{
	*map = calloc((size_t)others->count + 1, sizeof(**map));
	if (!*map || take_events(places, others, first) < 0)
		return -1;
	for (uint32_t n = 0; n < others->count; n++) {
		uint32_t number = first + others->number[n], alike = places->alike[number];

		if (!places->place[alike])
			places->place[alike] = place_alike(places, recordings, number);
		(*map)[n + 1] = place_of(places, number);
	}
	places->failed |= others->failed;
	return 0;
}

void event_places_free(struct event_places *places)
{
	free(places->number);
	free(places->alike);
	free(places->place);
	memset(places, 0, sizeof(*places));
}
