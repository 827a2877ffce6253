/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks that are given by an argument, or taken as characters and made something of: each site tells of its
 * type, or, behind a '!', why none is known.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"

struct point {
	double x, y, z;
};

struct item {
	struct item *next;
	struct point *place;
	long number;
};

struct page {
	unsigned long number;
	unsigned short entries, free;
	unsigned kind;
	long checksum;
}; /* and what is on it */

struct set {
	union {
		char *text;
		struct item **items;
		struct point *points;
	} of;
	struct page *page;
	double *weights;
	short *kinds;
	size_t count;
};

struct arena {
	char *start;
	void *free;
};

static struct set *the_set;
static struct arena the_arena;
static struct item *volatile an_item;
static volatile size_t which = 3;

#define SITE __attribute__((noinline)) static
#define TYPE(text) (allocation_types = (text))
#define END (allocation_types = NULL)
#define HOLDS_POINTERS "!holds pointers, and nothing says to what"
#define NOT_DESCRIBED "!not described by the debug information"
#define DIVIDED "!is divided into parts of several types"

/* --- by an argument --- */

SITE int give(int flags, size_t bytes, void *where)
{
	void *block;

	*(void **)where = NULL;
	if (!bytes)
		bytes = 1;
	block = malloc(bytes);
	if (!block) {
		if (flags)
			fputs("no memory\n", stderr);
		return -1;
	}
	*(void **)where = block;
	return 0;
}

SITE int give_zeroed(size_t bytes, void *where)
{
	const int error = give(1, bytes, where);

	if (error)
		return error;
	memset(*(void **)where, 0, bytes);
	return 0;
}

/* Its size stands before what it gives. */
SITE int give_sized(size_t bytes, void *where)
{
	unsigned char *block;

	if (give(0, bytes + sizeof(uintmax_t), &block))
		return -1;
	*(uintmax_t *)block = bytes;
	*(void **)where = block + sizeof(uintmax_t);
	return 0;
}

SITE int give_point(struct point **point)
{
	const int error = give(1, sizeof(**point), point);

	if (!error)
		(*point)->x = 1;
	return error;
}

SITE void given_to_variable(void)
{
	struct item *item;

	if (give(0, sizeof(*item), &item) == 0)
		KEEP(item);
}

SITE void given_to_member(struct item *item)
{
	if (give_zeroed(sizeof(*item->place), &item->place))
		exit(1);
}

SITE void given_to_global(void)
{
	if (give_zeroed(sizeof(*the_set), &the_set))
		exit(1);
}

SITE void given_behind_its_size(void)
{
	struct item *item;

	if (give_sized(sizeof(*item), &item) == 0)
		KEEP(item);
}

SITE void given_by_type(void)
{
	struct point *point;

	if (give_point(&point) == 0)
		KEEP(point);
}

SITE void given_text(const char *from)
{
	char *text;

	if (give(0, strlen(from) + 1, &text))
		return;
	strcpy(text, from);
	KEEP(text);
}

SITE void consume(struct item *item)
{
	KEEP(item);
}

SITE void aligned(size_t count)
{
	struct point *points;

	if (posix_memalign((void **)&points, 64, count * sizeof(*points)))
		exit(1);
	points->x = 1;
	KEEP(points);
}

SITE int aligned_to_member(struct item *item)
{
	int error = posix_memalign((void **)&item->place, 64, sizeof(*item->place));

	if (error)
		item->place = NULL;
	return error;
}

/* Where the first one goes says nothing of the others. */
SITE void give_many(void **where, size_t count, size_t bytes)
{
	for (size_t n = 0; n < count; n++)
		where[n] = malloc(bytes);
}

SITE void given_many(void)
{
	void *blocks[4];

	give_many(blocks, which, sizeof(struct point));
	((struct item *)blocks[0])->number = 2;
	consume((struct item *)blocks[0]);
	KEEP(blocks[2]);
}

/* --- more than its first structure --- */

SITE void page_with_entries(size_t bytes)
{
	struct page *page;

	if (give(0, bytes, &page))
		return;
	page->entries = 0;
	KEEP(page);
}

/* --- into a structure on the stack --- */

SITE void to_own_set(size_t count)
{
	struct set set = { .count = count };

	set.page = malloc(count * sizeof(*set.page));
	for (size_t n = 0; n < count; n++)
		set.page[n].number = n;
	KEEP(&set);
}

/* --- as characters --- */

SITE void slots_of_pointers(struct set *set, size_t n)
{
	char *array = calloc(set->count, sizeof(struct item *));
	struct item **slot;

	set->of.text = array;
	slot = (struct item **)array + n;
	KEEP(slot);
	*slot = an_item;
}

SITE void element_of_characters(struct set *set, size_t n)
{
	char *array = calloc(set->count, sizeof(struct item *));
	struct item *item;

	set->of.text = array;
	__asm__ volatile("" ::: "memory"); /* somebody may have written there */
	item = ((struct item **)array)[n];
	if (item)
		item->number = 1;
	KEEP(item);
}

/* Who asks an arena has a part of the block */
SITE void *of_arena(struct arena *arena, size_t bytes)
{
	char *chunk = malloc(4000);

	arena->start = chunk;
	arena->free = chunk + bytes;
	return chunk;
}

SITE void item_of_arena(struct arena *arena)
{
	struct item *item = of_arena(arena, sizeof(*item));

	item->number = 1;
	KEEP(item);
}

SITE void list_of_free(struct arena *arena, size_t bytes, size_t each)
{
	char *start = malloc(bytes), *at;

	arena->start = start;
	for (at = start; at + 2 * each <= start + bytes; at += each)
		*(void **)at = at + each;
	*(void **)at = NULL;
	arena->free = start;
}

/* Hashes read texts by words */
SITE unsigned long hash_of_text(const char *from, size_t bytes)
{
	char *text = malloc(bytes + 8);
	uint64_t hash = 1, word;

	memcpy(text, from, bytes);
	memset(text + bytes, 0, 8);
	for (size_t n = 0; n < bytes; n += 8) {
		memcpy(&word, text + n, 8);
		hash = hash * 31 + word;
	}
	KEEP(text);
	return hash;
}

/* --- divided --- */

SITE void divided(struct set *set)
{
	double *weights = malloc(set->count * (sizeof(double) + 2 * sizeof(short)));

	set->weights = weights;
	set->kinds = (short *)(weights + set->count);
	for (size_t n = 0; n < set->count; n++)
		set->weights[n] = set->kinds[n] = 1;
}

SITE void not_divided(struct set *set)
{
	set->weights = malloc(set->count * 2 * sizeof(double));
	for (double *half = set->weights + set->count; half < set->weights + 2 * set->count; half++)
		*half = 1;
}

int main(void)
{
	struct item item = { NULL, NULL, 7 };
	struct set set = { .count = 40 };

	an_item = &item;
	begin_allocations();
	TYPE("struct item"), given_to_variable();
	TYPE("struct point"), given_to_member(&item);
	TYPE("struct set"), given_to_global();
	TYPE("struct item+8"), given_behind_its_size();
	TYPE("struct point"), given_by_type();
	TYPE("char"), given_text("some text");
	TYPE("struct point"), aligned(5);
	TYPE("struct point"), aligned_to_member(&item);
	TYPE(NOT_DESCRIBED), given_many();
	TYPE("struct page, 24 bytes"), page_with_entries(4096);
	TYPE("struct page"), to_own_set(9);
	TYPE("struct item *"), slots_of_pointers(&set, which);
	TYPE("struct item *"), element_of_characters(&set, which);
	TYPE("char"), item_of_arena(&the_arena);
	TYPE(HOLDS_POINTERS), list_of_free(&the_arena, 4080, 48);
	TYPE("char"), item.number = (long)hash_of_text("a text that is long", 19);
	TYPE(DIVIDED), divided(&set);
	TYPE("double"), not_divided(&set);
	END;
	return item.number == 7;
}
