/* SPDX-License-Identifier: BSD-3-Clause */
/* See objects.h. */
#define _GNU_SOURCE /* tdestroy() */
#include "objects.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Who is asked for symbols */
struct asked {
	const char *first; /* its first pointer, by which the object goes here; NULL: nobody so far */
	const char *object; /* the pointer that stands for it there */
	uint32_t symbols; /* whose it is: a number of struct top_source */
	int was_saved;
};

/* The first of its name and build */
struct build {
	const char *name; /* its pointer */
	uint32_t is_kernels; /* "[kernel.kallsyms]" of user space would be another thing */
	uint32_t id_bytes; /* as recorded; 0: it is not known */
	uint8_t id[TOP_BUILD_ID];
	struct asked who[2]; /* for recordings that do not know the build, and for those that know it */
	struct build *next; /* of the same name, built otherwise */
};

/* A pointer that has been asked for */
struct known {
	const char *pointer;
	struct build *build;
	struct top_object object;
};

static int by_pointer(const void *a, const void *b)
{
	uintptr_t left = (uintptr_t)((const struct known *)a)->pointer;
	uintptr_t right = (uintptr_t)((const struct known *)b)->pointer;

	return (left > right) - (left < right);
}

static int by_name(const void *a, const void *b)
{
	const struct build *left = a, *right = b;

	if (left->is_kernels != right->is_kernels)
		return left->is_kernels < right->is_kernels ? -1 : 1;
	return strcmp(left->name, right->name);
}

static int may_be_one(const struct build *a, const struct build *b)
{
	return !a->id_bytes || !b->id_bytes ||
	       (a->id_bytes == b->id_bytes && !memcmp(a->id, b->id, a->id_bytes));
}

/* The build that is the same, or that one. NULL if memory is short */
static struct build *enter(struct top_objects *objects, struct build *build)
{
	struct build **first = tsearch(build, &objects->named, by_name);

	if (!first)
		return NULL;
	if (*first == build)
		return build;
	for (struct build *other = *first;; other = other->next) {
		if (may_be_one(other, build))
			return other;
		if (!other->next) {
			objects->rebuilt += other == *first;
			other->next = build;
			return build;
		}
	}
}

static int by_object(const void *a, const void *b)
{
	uintptr_t left = (uintptr_t)((const struct top_build *)a)->object;
	uintptr_t right = (uintptr_t)((const struct top_build *)b)->object;

	return (left > right) - (left < right);
}

static uint32_t recorded_id(struct precis_symbols *symbols, const char *object, uint32_t cpumode,
			    uint8_t id[TOP_BUILD_ID])
{
	const struct precis_location location = {
		.size = sizeof(location), .object = object, .cpumode = cpumode,
	};
	struct precis_bytes found = { .bytes = 0 };

	precis_symbols_build_id(symbols, &location, &found);
	if (found.bytes > TOP_BUILD_ID)
		found.bytes = TOP_BUILD_ID;
	if (found.bytes)
		memcpy(id, found.data, found.bytes);
	return found.bytes;
}

uint32_t top_build_id(const struct top_source *source, const char *object, uint32_t cpumode,
		      uint8_t id[TOP_BUILD_ID])
{
	const struct top_build wanted = { .object = object };
	const struct top_build *found;

	if (source->symbols)
		return recorded_id(source->symbols, object, cpumode, id);
	found = source->builds->count ? bsearch(&wanted, source->builds->list, source->builds->count,
						sizeof(wanted), by_object) : NULL;
	if (!found)
		return 0;
	memcpy(id, found->id, sizeof(found->id));
	return found->id_bytes;
}

void top_builds_free(struct top_builds *builds)
{
	free(builds->list);
	memset(builds, 0, sizeof(*builds));
}

/* The first is asked, unless it was saved, which knows some places alone, and this one was not. */
static void ask(struct asked *asked, const char *object, const struct top_source *source)
{
	if (asked->first && (!asked->was_saved || source->was_saved))
		return;
	asked->first = asked->first ? asked->first : object;
	asked->object = object;
	asked->symbols = source->number;
	asked->was_saved = source->was_saved;
}

/* From here on it is that build, and no other one */
static void take_id(struct build *build, const struct build *same)
{
	if (build->id_bytes)
		return;
	build->id_bytes = same->id_bytes;
	memcpy(build->id, same->id, sizeof(build->id));
}

/* 'known' gets its build and what stands for it. 0, or -1 if memory is short */
static int find_build(struct top_objects *objects, struct known *known, uint32_t cpumode,
		      const struct top_source *source)
{
	struct build *build = calloc(1, sizeof(*build)), *found;
	uint32_t has_id;

	if (!build)
		return -1;
	build->name = known->pointer;
	build->is_kernels = cpumode == PRECIS_CPUMODE_KERNEL;
	build->id_bytes = top_build_id(source, known->pointer, cpumode, build->id);
	has_id = build->id_bytes != 0;
	found = enter(objects, build);
	if (found && found != build)
		take_id(found, build);
	if (found != build)
		free(build);
	if (!found)
		return -1;
	ask(&found->who[has_id], known->pointer, source);
	known->build = found;
	known->object = (struct top_object){ found->name, found->who[has_id].first,
					     found->who[has_id].symbols, has_id };
	return 0;
}

const struct top_object *top_objects_get(struct top_objects *objects, const char *object,
					 uint32_t cpumode, const struct top_source *source)
{
	const struct known wanted = { .pointer = object };
	struct known **found = tfind(&wanted, &objects->known, by_pointer), *known;

	if (found)
		return &(*found)->object;
	known = malloc(sizeof(*known));
	if (!known)
		return NULL;
	known->pointer = object;
	if (find_build(objects, known, cpumode, source) < 0 ||
	    !tsearch(known, &objects->known, by_pointer)) {
		free(known); /* the build is in the tree of names, if at all */
		return NULL;
	}
	return &known->object;
}

const char *top_objects_asked(const struct top_objects *objects, const char *object)
{
	const struct known wanted = { .pointer = object };
	struct known **found = tfind(&wanted, (void *const *)&objects->known, by_pointer);

	return found ? (*found)->build->who[(*found)->object.has_id].object : object;
}

static void free_builds(void *first)
{
	struct build *build = first;

	while (build) {
		struct build *next = build->next;

		free(build);
		build = next;
	}
}

void top_objects_free(struct top_objects *objects)
{
	tdestroy(objects->known, free);
	tdestroy(objects->named, free_builds);
	memset(objects, 0, sizeof(*objects));
}
