/* SPDX-License-Identifier: BSD-3-Clause */
/* See merge.h. */
#include "merge.h"

#include <stdlib.h>

#include "places.h"

/* The other's symbols go over. @return their number, 0 if it has none; -1 if memory is short */
static long take_symbols(struct top *top, struct top *others)
{
	struct precis_symbols **more;

	if (!others->model.symbols)
		return 0;
	more = realloc(top->taken, (top->taken_count + 1) * sizeof(struct precis_symbols *));
	if (!more)
		return -1;
	top->taken = more;
	top->taken[top->taken_count++] = others->model.symbols;
	others->model.symbols = NULL;
	return top->taken_count;
}

/* Of the objects that it had before others came */
static struct top_source own_source(const struct top *top)
{
	const int was_saved = top->model.was_saved;

	return (struct top_source){ top->model.symbols, &top->builds, was_saved ? TOP_SAVED : 0, was_saved };
}

/* What stands for a place's object; who is asked for its symbol, the place knows then. NULL: no memory */
static const struct top_object *know_object(struct top *top, struct heavy_entry *entry,
					    const struct top_source *source)
{
	const struct top_object *object =
		top_objects_get(&top->objects, (const char *)(uintptr_t)entry->figures[PLACE_OBJECT],
				(uint32_t)entry->figures[PLACE_CPUMODE], source);

	if (object)
		entry->figures[PLACE_SYMBOLS] = object->symbols | (object->has_id ? TOP_HAS_ID : 0);
	return object;
}

static int know_objects_of(struct top *top, struct top_places *places)
{
	const struct top_source source = own_source(top);

	for (uint32_t n = 0; places && n < places->heavy.count; n++) {
		struct heavy_entry *entry = &places->heavy.entries[n];

		if (entry->figures[PLACE_OBJECT] && !know_object(top, entry, &source))
			return -1;
	}
	return 0;
}

/* All objects that places are in before anything is merged: they stand for the others'. 0, or -1 */
static int know_objects(struct top *top)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind]; n++) {
			if (know_objects_of(top, top->events[kind][n].merged) < 0)
				return -1;
		}
	}
	return 0;
}

/* The key of a place of the other's as one of these. 0, or -1 */
static int rename_place(struct top *top, struct heavy_entry *entry, const struct top_source *source,
			uint32_t recording)
{
	const struct top_object *object;

	if (!entry->figures[PLACE_OBJECT]) {
		entry->space |= (uint64_t)recording << TOP_EPOCH_SHIFT;
		return 0;
	}
	object = know_object(top, entry, source);
	if (!object)
		return -1;
	entry->space = (uintptr_t)object->name;
	entry->figures[PLACE_OBJECT] = (uintptr_t)object->first;
	return 0;
}

static int merge_places(struct top *top, uint32_t kind, uint32_t place, struct top_places *others,
			const struct top_source *source, uint32_t recording)
{
	struct top_places *places = top_have_places(top, kind, place);

	if (!places)
		return -1;
	for (uint32_t n = 0; n < others->heavy.count; n++) {
		if (rename_place(top, &others->heavy.entries[n], source, recording) < 0)
			return -1;
	}
	return top_places_merge(places, others);
}

/*
 * Samples of PEBS that are of no known event may have other latencies in each recording, which do not
 * add up: those that came first stay.
 */
static void drop_other_latency(const struct top_event *event, struct top_event *other)
{
	if (!event->pebs_latency || !other->pebs_latency || !other->merged ||
	    event->pebs_latency == other->pebs_latency)
		return;
	other->cycles = (struct weighted){ .samples = 0 };
	for (uint32_t n = 0; n < other->merged->heavy.count; n++) {
		other->merged->heavy.entries[n].figures[PLACE_LATENCY_SQUARES] = 0;
		other->merged->heavy.entries[n].figures[PLACE_LATENCY_SQUARES_HIGH] = 0;
		other->merged->heavy.entries[n].figures[PLACE_LATENCY_SUM] = 0;
		other->merged->heavy.entries[n].figures[PLACE_LATENCY_COUNT] = 0;
		other->merged->heavy.entries[n].figures[PLACE_LATENCY_WEIGHT] = 0;
	}
}

static int merge_event(struct top *top, uint32_t kind, uint32_t place, struct top_event *other,
		       const struct top_source *source, uint32_t recording)
{
	struct top_event *event;

	if (top_have_event(top, kind, place) < 0)
		return -1;
	event = &top->events[kind][place];
	drop_other_latency(event, other);
	if (!event->pebs_latency)
		event->pebs_latency = other->pebs_latency;
	event->inexact += other->inexact;
	weighted_add(&event->all, &other->all);
	weighted_add(&event->cycles, &other->cycles);
	for (uint32_t n = 0; n < other->part_count; n++) {
		if (merge_places(top, kind, place, other->parts[n], source, recording) < 0)
			return -1;
	}
	return other->merged ? merge_places(top, kind, place, other->merged, source, recording) :
			       0;
}

/* Symbols of a saved run's places, by what their objects are called here. 0, or -1 if memory is short */
static int know_places(struct top *top, const struct top *others, const struct top_source *source)
{
	for (uint32_t n = 0; n < others->known.count; n++) {
		struct known_place place = others->known.list[n];
		const struct top_object *object =
			top_objects_get(&top->objects, place.object, place.name, source);

		if (!object)
			return -1;
		place.object = object->first;
		if (known_places_add(&top->known, &place) < 0)
			return -1;
	}
	return 0;
}

int top_merge(void *state, void *other, const struct analysis_merge *how)
{
	struct top *top = state, *others = other;
	long symbols = take_symbols(top, others);
	struct top_source source = { NULL, &others->builds, TOP_SAVED, 1 };
	uint32_t recording = how->recording % TOP_RECORDINGS_MOST;

	if (symbols > 0)
		source = (struct top_source){ top->taken[symbols - 1], NULL, (uint32_t)symbols, 0 };
	if (symbols < 0 || (!top->objects.known && know_objects(top) < 0))
		return -1;
	reasons_merge(&top->reasons, &others->reasons);
	top->model.unlearnt += others->model.unlearnt;
	top->model.is_unsorted |= others->model.is_unsorted;
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		const struct event_places *places = others->about->events[kind];

		for (uint32_t n = 0; n < others->event_count[kind] && n <= places->count; n++) {
			if (merge_event(top, kind, how->place[kind][n], &others->events[kind][n],
					&source, recording) < 0)
				return -1;
		}
	}
	return top->reasons.failed ? -1 : know_places(top, others, &source);
}
