/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See saved.h. A pointer that stands for an object is its number in the list of all objects, from
 * 1. Each place has its symbol with it: which places will be told is only known when all runs are one.
 */
#include "saved.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/saving/fields.h"
#include "places.h"

/* A file can name so many. */
#define OBJECTS_MOST (1u << 20)

static const struct saved_field event_fields[] = {
	SAVED_NOT(struct top_event, merged), /* behind the others */
	SAVED_NOT(struct top_event, parts), /* they are one */
	SAVED_NOT(struct top_event, part_count),
	SAVED_U32(struct top_event, pebs_latency),
	SAVED_U64(struct top_event, inexact),
	SAVED_WEIGHTED(struct top_event, all),
	SAVED_WEIGHTED(struct top_event, cycles),
	SAVED_END,
};

/* --- objects --- */

/* By their pointers their numbers; when they are saved, and by number their pointers, when they are loaded */
struct objects {
	struct known_places numbers; /* 'name' is the number */
	const struct top_build *list; /* of loading */
	uint32_t count;
};

/* Is it another one? Its mode is that of its first place. 0, or -1 if memory is short */
static int number_object(struct objects *objects, const struct heavy_entry *entry)
{
	const struct known_place object = {
		.object = (const char *)(uintptr_t)entry->figures[PLACE_OBJECT],
		.absent = (uint32_t)entry->figures[PLACE_CPUMODE], .name = objects->numbers.count + 1,
		.symbol_offset = entry->figures[PLACE_SYMBOLS],
	};

	return object.object ? known_places_add(&objects->numbers, &object) : 0;
}

static int number_objects(struct objects *objects, const struct top *top)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind]; n++) {
			const struct top_places *places = top->events[kind][n].merged;

			for (uint32_t i = 0; places && i < places->heavy.count; i++) {
				if (number_object(objects, &places->heavy.entries[i]) < 0)
					return -1;
			}
		}
	}
	return 0;
}

static void build(struct saving *saving, struct top_build *build)
{
	saved_own_text(saving, &build->object);
	saved_below(saving, &build->id_bytes, TOP_BUILD_ID + 1, "bytes of a build id");
	saved_bytes(saving, build->id, build->id_bytes);
	if (!build->object)
		saving_damaged(saving, "expected the name of an object");
}

static void save_objects(struct saving *saving, const struct top *top, struct objects *objects)
{
	const struct known_places *numbers = &objects->numbers;

	if (number_objects(objects, top) < 0)
		saving_no_memory(saving);
	saved_count(saving, numbers->count, OBJECTS_MOST, 8, "objects");
	for (uint32_t n = 0; n < numbers->count; n++) {
		const struct known_place *object = &numbers->list[n];
		const struct heavy_entry place = { .figures = { [PLACE_SYMBOLS] = object->symbol_offset } };
		const struct top_source source = { top_symbols_of(top, &place), &top->builds, 0, 0 };
		struct top_build saved = { .object = object->object };

		saved.id_bytes = top_build_id(&source, object->object, object->absent, saved.id);
		build(saving, &saved);
	}
}

static int by_object(const void *a, const void *b)
{
	uintptr_t left = (uintptr_t)((const struct top_build *)a)->object;
	uintptr_t right = (uintptr_t)((const struct top_build *)b)->object;

	return (left > right) - (left < right);
}

/* The state keeps them in the order in which they are looked up. */
static void load_objects(struct saving *saving, struct top *top, struct objects *objects)
{
	const uint32_t count = saved_count(saving, 0, OBJECTS_MOST, 8, "objects");
	struct top_build *list = calloc((size_t)count + 1, sizeof(*list));

	top->builds.list = calloc((size_t)count + 1, sizeof(*list));
	objects->list = list;
	if (!list || !top->builds.list) {
		saving_no_memory(saving);
		return;
	}
	for (; objects->count < count && !saving_failed(saving); objects->count++)
		build(saving, &list[objects->count]);
	if (saving_failed(saving))
		return;
	memcpy(top->builds.list, list, count * sizeof(*list));
	top->builds.count = count;
	qsort(top->builds.list, count, sizeof(*list), by_object);
}

static void free_objects(struct objects *objects)
{
	known_places_free(&objects->numbers);
	free((void *)(uintptr_t)objects->list);
}

/* --- places --- */

/* What is in a file: its symbol, which a loaded run knows then */
static void symbol(struct saving *saving, struct top *top, const struct heavy_entry *entry)
{
	const struct precis_location location = {
		.size = sizeof(location), .object = (const char *)(uintptr_t)entry->figures[PLACE_OBJECT],
		.offset = entry->address, .cpumode = (uint32_t)entry->figures[PLACE_CPUMODE],
	};
	struct known_place place = {
		.object = location.object,
		.name = location.cpumode, /* of the object: see merge.c */
	};
	struct known_source source = { NULL, NULL };

	if (!saving->is_loading)
		source = top_known_source(top, entry);
	saved_known_place(saving, &top->known, &source, &location, &place);
	if (saving->is_loading && !saving_failed(saving) && known_places_add(&top->known, &place) < 0)
		saving_no_memory(saving);
}

/* Its object's number, and back */
static void object(struct saving *saving, const struct objects *objects, struct heavy_entry *entry)
{
	const char *pointer = (const char *)(uintptr_t)entry->figures[PLACE_OBJECT];
	const struct known_place *found =
		pointer ? known_places_find(&objects->numbers, pointer, 0) : NULL;
	uint32_t number = found ? found->name : 0;

	saved_below(saving, &number, (uint64_t)objects->count + 1, "the number of an object");
	if (!saving->is_loading)
		return;
	entry->figures[PLACE_OBJECT] = number ? (uintptr_t)objects->list[number - 1].object : 0;
	entry->figures[PLACE_SYMBOLS] = 0;
	if (number)
		entry->space = (uintptr_t)objects->list[number - 1].object;
}

/* An entry but for its object is its key and its figures. */
static void entry(struct saving *saving, struct top *top, const struct objects *objects,
		  struct heavy_entry *entry)
{
	uint64_t space = entry->figures[PLACE_OBJECT] ? 0 : entry->space;

	saved_u64(saving, &space);
	if (saving->is_loading)
		entry->space = space;
	saved_u64(saving, &entry->address);
	saved_u64(saving, &entry->weight);
	saved_u64(saving, &entry->missed);
	for (uint32_t n = 0; n < PLACE_FIGURES; n++) {
		if (n != PLACE_OBJECT && n != PLACE_SYMBOLS)
			saved_u64(saving, &entry->figures[n]);
	}
	object(saving, objects, entry);
	if (entry->figures[PLACE_OBJECT])
		symbol(saving, top, entry);
}

static void load_entry(struct saving *saving, struct top *top, const struct objects *objects,
		       struct heavy *heavy)
{
	const uint32_t count = heavy->count;
	struct heavy_entry loaded = { .space = 0 }, *added;

	entry(saving, top, objects, &loaded);
	if (saving_failed(saving))
		return;
	added = heavy_add(heavy, loaded.space, loaded.address, loaded.weight);
	if (!added)
		saving_no_memory(saving);
	else if (heavy->count == count)
		saving_damaged(saving, "expected each place once");
	else
		*added = loaded;
}

static void places(struct saving *saving, struct top *top, const struct objects *objects,
		   struct top_places *places)
{
	struct heavy *heavy = &places->heavy;
	const uint32_t count = saved_count(saving, heavy->count, heavy->limit, 8 * PLACE_FIGURES, "places");

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		if (saving->is_loading)
			load_entry(saving, top, objects, heavy);
		else
			entry(saving, top, objects, &heavy->entries[n]);
	}
	saved_u64(saving, &heavy->total);
	saved_u64(saving, &heavy->floor);
	saved_u64(saving, &heavy->dropped);
	saved_u64(saving, &places->samples);
}

/* --- events --- */

static void event(struct saving *saving, struct top *top, const struct objects *objects, uint32_t kind,
		  uint32_t place)
{
	struct top_event *event = &top->events[kind][place];

	saved_fields(saving, event, event_fields);
	if (event->pebs_latency >= PRECIS_FIELD_COUNT)
		saving_damaged(saving, "expected a field, found %u", event->pebs_latency);
	if (!saved_is_there(saving, event->merged != NULL))
		return;
	if (saving->is_loading && !top_have_places(top, kind, place)) {
		saving_no_memory(saving);
		return;
	}
	places(saving, top, objects, event->merged);
}

/* No more than are told apart, and all others together */
static void events(struct saving *saving, struct top *top, const struct objects *objects, uint32_t kind)
{
	const uint32_t told = top->about->events[kind]->count + 1;
	uint32_t count = top->event_count[kind] < told ? top->event_count[kind] : told;

	count = saved_count(saving, count, told, 8, "events");
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		if (saving->is_loading && top_have_event(top, kind, n) < 0)
			saving_no_memory(saving);
		else
			event(saving, top, objects, kind, n);
	}
}

void top_saves(struct saving *saving, void *state)
{
	struct objects objects = { .list = NULL };
	struct top *top = state;

	model_saved(saving, &top->model);
	saved_reasons(saving, &top->reasons);
	if (saving->is_loading)
		load_objects(saving, top, &objects);
	else
		save_objects(saving, top, &objects);
	if (!saving->is_loading)
		objects.count = objects.numbers.count;
	for (uint32_t kind = 0; kind < EVENT_KINDS && !saving_failed(saving); kind++)
		events(saving, top, &objects, kind);
	free_objects(&objects);
}
