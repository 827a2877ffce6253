/* SPDX-License-Identifier: BSD-3-Clause */
/* See objects.h. */
#define _GNU_SOURCE /* tdestroy() */
#include "objects.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* The first of its name and build */
struct build {
	struct top_object object;
	uint32_t is_kernels; /* "[kernel.kallsyms]" of user space would be another thing */
	struct precis_bytes id; /* as recorded; no bytes: it is not known */
	struct build *next; /* of the same name, built otherwise */
};

/* A pointer that has been asked for */
struct known {
	const char *pointer;
	struct build *build;
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
	return strcmp(left->object.name, right->object.name);
}

static int may_be_one(const struct build *a, const struct build *b)
{
	return !a->id.bytes || !b->id.bytes ||
	       (a->id.bytes == b->id.bytes && !memcmp(a->id.data, b->id.data, a->id.bytes));
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

static struct build *find_build(struct top_objects *objects, const char *object, uint32_t cpumode,
				struct precis_symbols *symbols, uint32_t number)
{
	const struct precis_location location = {
		.size = sizeof(location), .object = object, .cpumode = cpumode,
	};
	struct build *build = calloc(1, sizeof(*build)), *found;

	if (!build)
		return NULL;
	build->object = (struct top_object){ object, number };
	build->is_kernels = cpumode == PRECIS_CPUMODE_KERNEL;
	precis_symbols_build_id(symbols, &location, &build->id);
	found = enter(objects, build);
	if (found != build)
		free(build);
	return found;
}

const struct top_object *top_objects_get(struct top_objects *objects, const char *object,
					 uint32_t cpumode, struct precis_symbols *symbols,
					 uint32_t number)
{
	const struct known wanted = { .pointer = object };
	struct known **found = tfind(&wanted, &objects->known, by_pointer), *known;

	if (found)
		return &(*found)->build->object;
	known = malloc(sizeof(*known));
	if (!known)
		return NULL;
	known->pointer = object;
	known->build = find_build(objects, object, cpumode, symbols, number);
	if (!known->build || !tsearch(known, &objects->known, by_pointer)) {
		free(known); /* the build is in the tree of names, if at all */
		return NULL;
	}
	return &known->build->object;
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
