/* SPDX-License-Identifier: BSD-3-Clause */
/* See nests.h. */
#include "nests.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A nest, a place's count, or calls of a function from a place: what they have in common is their key */
struct counted {
	uint32_t nest;    /* that it is in */
	uint32_t kind;    /* places come before nests that are called there */
	struct nest_place place;
	const char *name; /* NULL: of a place */
	uint64_t count;   /* of a nest: entered */
	uint64_t own;     /* of a nest: sum of its instructions */
	uint64_t total;   /* ... and of those in it */
	uint32_t number;  /* of a nest */
};

enum { KIND_PLACE, KIND_CALL, KIND_NEST };

struct nests {
	void *by_key; /* of tsearch(3) */
	struct counted **entry;
	size_t count, room;
	struct counted **nest; /* by number */
	uint32_t nests, nest_room;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* What is in a nest stands together, by line; a place before what it calls */
static int by_key(const void *a, const void *b)
{
	const struct counted *left = a, *right = b;
	int order = compare(left->nest, right->nest);

	order = order ? order : compare(left->place.line, right->place.line);
	order = order ? order : compare(left->place.discriminator, right->place.discriminator);
	order = order ? order : compare(left->kind, right->kind);
	return order || !left->name ? order : strcmp(left->name, right->name);
}

static void *grown(void *array, size_t count, size_t *room, size_t each)
{
	const size_t wanted = *room ? 2 * *room : 256;
	void *more;

	if (count < *room)
		return array;
	more = realloc(array, wanted * each);
	if (more)
		*room = wanted;
	return more;
}

/* @return NULL: memory is short */
static struct counted *entry_of(struct nests *nests, const struct counted *key)
{
	struct counted **found = tsearch(key, &nests->by_key, by_key), **more;

	if (!found || *found != key)
		return found ? *found : NULL;
	more = grown(nests->entry, nests->count, &nests->room, sizeof(struct counted *));
	if (more)
		nests->entry = more;
	*found = more ? malloc(sizeof(**found)) : NULL;
	if (!*found) {
		*found = (struct counted *)(uintptr_t)key;
		tdelete(key, &nests->by_key, by_key);
		return NULL;
	}
	**found = *key;
	return nests->entry[nests->count++] = *found;
}

struct nests *nests_new(void)
{
	return calloc(1, sizeof(struct nests));
}

void nests_free(struct nests *nests)
{
	if (!nests)
		return;
	for (size_t n = 0; n < nests->count; n++) {
		tdelete(nests->entry[n], &nests->by_key, by_key);
		free(nests->entry[n]);
	}
	free(nests->entry);
	free(nests->nest);
	free(nests);
}

uint32_t nests_find(struct nests *nests, uint32_t around, struct nest_place call, const char *name)
{
	const struct counted key = { .nest = around, .kind = KIND_NEST, .place = call, .name = name,
				   .number = NEST_NONE };
	struct counted *entry = entry_of(nests, &key), **more;
	size_t room = nests->nest_room;

	if (!entry || entry->number != NEST_NONE)
		return entry ? entry->number : NEST_NONE;
	more = grown(nests->nest, nests->nests, &room, sizeof(struct counted *));
	if (!more || room >= NEST_NONE)
		return NEST_NONE;
	nests->nest = more;
	nests->nest_room = (uint32_t)room;
	nests->nest[nests->nests] = entry;
	return entry->number = nests->nests++;
}

int nests_count(struct nests *nests, uint32_t nest, struct nest_place place, uint64_t count,
		uint32_t copies)
{
	const struct counted key = { .nest = nest, .kind = KIND_PLACE, .place = place };
	struct counted *entry = entry_of(nests, &key);

	if (!entry)
		return -1;
	if (count * copies > entry->count)
		entry->count = count * copies;
	nests->nest[nest]->own += count;
	return 0;
}

void nests_count_unplaced(struct nests *nests, uint32_t nest, uint64_t count)
{
	nests->nest[nest]->own += count;
}

int nests_call(struct nests *nests, uint32_t nest, struct nest_place place, const char *callee,
	       uint64_t count)
{
	const struct counted key = { .nest = nest, .kind = KIND_CALL, .place = place, .name = callee };
	struct counted *entry = entry_of(nests, &key);

	if (!entry)
		return -1;
	entry->count += count;
	return 0;
}

void nests_enter(struct nests *nests, uint32_t nest, uint64_t count)
{
	nests->nest[nest]->count += count;
}

/* --- writing --- */

static int by_pointed_key(const void *a, const void *b)
{
	return by_key(*(struct counted *const *)a, *(struct counted *const *)b);
}

/* Functions of their own, the largest first */
static int by_total(const void *a, const void *b)
{
	const struct counted *left = *(struct counted *const *)a, *right = *(struct counted *const *)b;
	const int order = compare(right->total, left->total);

	return order ? order : strcmp(left->name, right->name);
}

/* Nests have higher numbers than those that they are in */
static void add_up(const struct nests *nests)
{
	for (uint32_t n = 0; n < nests->nests; n++)
		nests->nest[n]->total = nests->nest[n]->own;
	for (uint32_t n = nests->nests; n-- > 0;) {
		if (nests->nest[n]->nest != NEST_NONE)
			nests->nest[nests->nest[n]->nest]->total += nests->nest[n]->total;
	}
}

static void write_place(FILE *to, const struct counted *entry, uint32_t depth)
{
	fprintf(to, "%*s%" PRIu32, (int)depth, "", entry->place.line);
	if (entry->place.discriminator)
		fprintf(to, ".%" PRIu32, entry->place.discriminator);
	fputs(": ", to);
}

/* What is in a nest: its entries from 'first' on. The nest is as deep as calls were inlined. */
static void write_nest(const struct nests *nests, struct counted *const *sorted, const size_t *first,
		       uint32_t nest, uint32_t depth, FILE *to)
{
	for (size_t n = first[nest]; n < first[nest + 1]; n++) {
		const struct counted *entry = sorted[n];

		switch (entry->kind) {
		case KIND_PLACE:
			write_place(to, entry, depth);
			fprintf(to, "%" PRIu64, entry->count);
			/* What it calls stands behind it */
			for (; n + 1 < first[nest + 1] && sorted[n + 1]->kind == KIND_CALL; n++)
				fprintf(to, " %s:%" PRIu64, sorted[n + 1]->name, sorted[n + 1]->count);
			putc('\n', to);
			break;
		case KIND_NEST:
			write_place(to, entry, depth);
			fprintf(to, "%s:%" PRIu64 "\n", entry->name, entry->total);
			write_nest(nests, sorted, first, entry->number, depth + 1, to);
			break;
		default:
			break;
		}
	}
}

int nests_write(const struct nests *nests, FILE *to)
{
	struct counted **sorted = calloc(nests->count + 1, sizeof(struct counted *));
	size_t *first = calloc((size_t)nests->nests + 2, sizeof(*first)), inside = 0;

	if (!sorted || !first) {
		free(sorted);
		free(first);
		return -1;
	}
	add_up(nests);
	for (size_t n = 0; n < nests->count; n++)
		sorted[n] = nests->entry[n];
	qsort(sorted, nests->count, sizeof(struct counted *), by_pointed_key);
	for (uint32_t nest = 0; nest <= nests->nests; nest++) {
		first[nest] = inside;
		while (inside < nests->count && sorted[inside]->nest == nest)
			inside++;
	}
	/* Behind all that is in a nest are the functions of their own */
	qsort(sorted + inside, nests->count - inside, sizeof(struct counted *), by_total);
	for (size_t n = inside; n < nests->count; n++) {
		const struct counted *function = sorted[n];

		fprintf(to, "%s:%" PRIu64 ":%" PRIu64 "\n", function->name, function->total, function->count);
		write_nest(nests, sorted, first, function->number, 1, to);
	}
	free(sorted);
	free(first);
	return 0;
}
