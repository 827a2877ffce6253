/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_ranges.c
 * @see precis_ranges.h
 *
 * Readers take no lock: all ranges are one array, which nobody changes once it is published. Who names a
 * range publishes another one, and frees the old ones at a moment when nobody reads. Names stay for good,
 * so that a callback may keep them.
 */
#include "precis_ranges.h"

#include <stdlib.h>
#include <string.h>

#include <precis/objects.h>
#include <precis/papi.h>

#include "libdecode/sample/abi.h"
#include "papi.h"
#include "precis_errors.h"

#define NONE UINT32_MAX

struct range {
	uint64_t start, end, number;
	const char *name;
	uint32_t parent; /* the next larger one that it lies in */
};

/* Sorted by start, and where that is the same the larger one first */
struct ranges {
	struct ranges *next_old;
	uint32_t count;
	struct range of[];
};

struct name {
	struct name *next;
	char text[];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of those that name and forget */
static struct name *names;
static struct ranges *olds;
static struct ranges *current; /* NULL: there are none */
static uint32_t readers;

/* ---- readers, in signal handlers too ---- */

static const struct range *find(const struct ranges *ranges, uint64_t address)
{
	uint32_t low = 0, high = ranges ? ranges->count : 0, n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ranges->of[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	/* Where the last one that begins before the address has ended, one that it lies in may not have. */
	for (n = low ? low - 1 : NONE; n != NONE && ranges->of[n].end <= address; n = ranges->of[n].parent)
		continue;
	return n == NONE ? NULL : &ranges->of[n];
}

static int find_range(uint64_t address, struct precis_papi_object *object)
{
	const struct range *range;

	__atomic_fetch_add(&readers, 1, __ATOMIC_SEQ_CST);
	range = find(__atomic_load_n(&current, __ATOMIC_SEQ_CST), address);
	if (range) {
		object->kind = PRECIS_PAPI_RANGE;
		object->start = range->start;
		object->bytes = range->end - range->start;
		object->number = range->number;
		object->name = range->name;
	}
	__atomic_fetch_sub(&readers, 1, __ATOMIC_SEQ_CST);
	return range != NULL;
}

static void find_block(uint64_t address, struct precis_papi_object *object)
{
	struct precis_objects_block block;

	switch (precis_objects_find((const void *)(uintptr_t)address, &block)) {
	case 1:
		object->kind = PRECIS_PAPI_BLOCK;
		object->start = block.start;
		object->bytes = block.size;
		object->site = block.site;
		break;
	case 0: object->kind = PRECIS_PAPI_NO_OBJECT; break;
	case -1: object->kind = PRECIS_PAPI_BLOCKS_UNKNOWN; break;
	default: object->kind = PRECIS_PAPI_CHANGING; break;
	}
}

int precis_papi_object_of(const struct precis_sample *sample, struct precis_papi_object *object)
{
	struct precis_papi_object found = { .size = sizeof(found), .kind = PRECIS_PAPI_NO_ADDRESS };
	uint64_t address;

	if (!abi_is_size(sample) || !abi_is_size(object))
		return PAPI_EINVAL;
	if (precis_get_addr(sample, &address)) {
		if (!find_range(address, &found))
			find_block(address, &found);
		found.offset = found.kind >= PRECIS_PAPI_RANGE ? address - found.start : 0;
	}
	abi_write(object, &found, sizeof(found));
	return PAPI_OK;
}

/* ---- writers ---- */

static const char *kept_name(const char *text)
{
	size_t bytes = strlen(text) + 1;
	struct name *name;

	for (name = names; name; name = name->next) {
		if (!strcmp(name->text, text))
			return name->text;
	}
	name = malloc(sizeof(*name) + bytes);
	if (!name)
		return NULL;
	memcpy(name->text, text, bytes);
	name->next = names;
	names = name;
	return name->text;
}

static int order(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end > b->end ? -1 : a->end < b->end;
}

/* @return 0: one lies in another in part */
static int find_parents(struct ranges *ranges)
{
	for (uint32_t n = 0; n < ranges->count; n++) {
		struct range *range = &ranges->of[n];

		range->parent = n ? n - 1 : NONE;
		while (range->parent != NONE && ranges->of[range->parent].end <= range->start)
			range->parent = ranges->of[range->parent].parent;
		if (range->parent != NONE && ranges->of[range->parent].end < range->end)
			return 0;
	}
	return 1;
}

/* In the place of the others. Whoever reads the old ones was counted before. */
static void publish(struct ranges *ranges)
{
	struct ranges *old = __atomic_exchange_n(&current, ranges, __ATOMIC_SEQ_CST);

	if (old) {
		old->next_old = olds;
		olds = old;
	}
	if (__atomic_load_n(&readers, __ATOMIC_SEQ_CST))
		return;
	while (olds) {
		old = olds;
		olds = old->next_old;
		free(old);
	}
}

/*
 * A copy with room for one more, without those that begin, and if 'end' is not 0 end, there.
 * @return NULL: no memory
 */
static struct ranges *copy_without(uint64_t start, uint64_t end)
{
	uint32_t count = current ? current->count : 0;
	struct ranges *copy = malloc(sizeof(*copy) + (count + (size_t)1) * sizeof(*copy->of));

	if (!copy)
		return NULL;
	copy->count = 0;
	for (uint32_t n = 0; n < count; n++) {
		const struct range *range = &current->of[n];

		if (range->start != start || (end && range->end != end))
			copy->of[copy->count++] = *range;
	}
	return copy;
}

static int add(struct range *range, const char *name)
{
	struct ranges *copy;

	range->name = kept_name(name);
	copy = range->name ? copy_without(range->start, range->end) : NULL;
	if (!copy)
		return PAPI_ENOMEM;
	copy->of[copy->count++] = *range;
	qsort(copy->of, copy->count, sizeof(*copy->of), order);
	if (!find_parents(copy)) {
		free(copy);
		return PAPI_ECNFLCT;
	}
	publish(copy);
	return PAPI_OK;
}

int precis_papi_name_range(const void *start, size_t bytes, const char *name, uint64_t number)
{
	struct range range = { .start = (uintptr_t)start, .number = number };
	int error;

	if (!name || !bytes || __builtin_add_overflow(range.start, bytes, &range.end))
		return precis_fail(PAPI_EINVAL, "a range needs a name, and bytes that there can be");
	pthread_mutex_lock(&mutex);
	error = add(&range, name);
	pthread_mutex_unlock(&mutex);
	if (error == PAPI_ENOMEM)
		return precis_fail(error, "%s: no memory for one more range", name);
	if (error)
		return precis_fail(error, "%s: the range lies in another one in part", name);
	precis_objects_name(start, bytes, name, NULL); /* the recording knows it then, too */
	return PAPI_OK;
}

static int forget(uint64_t start)
{
	uint32_t count = current ? current->count : 0;
	struct ranges *copy = copy_without(start, 0);

	if (!copy)
		return PAPI_ENOMEM;
	if (copy->count == count) {
		free(copy);
		return PAPI_EINVAL;
	}
	find_parents(copy);
	publish(copy);
	return PAPI_OK;
}

int precis_papi_forget_range(const void *start)
{
	int error;

	pthread_mutex_lock(&mutex);
	error = forget((uintptr_t)start);
	pthread_mutex_unlock(&mutex);
	if (error)
		return precis_fail(error,
				   error == PAPI_EINVAL ? "no range begins at %p"
							: "%p: no memory to forget it",
				   start);
	precis_objects_forget(start);
	return PAPI_OK;
}

/* ---- fork ---- */

/* Who reads in another thread of the parent is none here. */
static void in_child(void)
{
	readers = 0;
}

const struct precis_fork_hooks precis_ranges_fork = {
	.mutex = &mutex,
	.in_child = in_child,
};
