/* SPDX-License-Identifier: BSD-3-Clause */
/* See name_room.h. */
#include "name_room.h"

#include <stdlib.h>
#include <string.h>

#include "keys.h"

/* Of rows: more than that, and the lighter rows go */
#define KEPT_BYTES ((size_t)12 << 20)
#define KEPT_NAMES (1u << 16)
/* What may come until names are looked through again */
#define MORE_BYTES ((size_t)4 << 20)
#define MORE_NAMES (1u << 16)

typedef int (*rows_visitor)(const struct by *by, struct by_rows *rows, void *to);

static int visit_events(const struct by *by, const struct by_events *events, rows_visitor visit, void *to)
{
	int failed = 0;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < events->count[kind] && !failed; n++) {
			for (uint32_t depth = 0; depth < by->depths && !failed; depth++)
				failed = visit(by, &events->list[kind][n].rows[depth], to);
		}
	}
	return failed;
}

/* All tables of rows, until one fails */
static int visit_rows(const struct by *by, rows_visitor visit, void *to)
{
	int failed = visit_events(by, &by->own, visit, to);

	for (uint32_t n = 0; n < by->other_count && !failed; n++)
		failed = visit_events(by, &by->others[n], visit, to);
	return failed;
}

/* --- names that rows have --- */

/* All numbers of names in the rows' keys, each once for each key that has it */
static void visit_names(const struct by *by, struct by_rows *rows,
			void (*visit)(uint64_t *name, uint32_t *map), uint32_t *map)
{
	uint64_t *names[2];

	for (uint32_t n = 0; n < rows->count; n++) {
		for (uint32_t i = 0; i < rows->keys; i++) {
			uint32_t count = by_key_names(&by->request->keys[i], &by_row(rows, n)->key[i], names);

			while (count)
				visit(names[--count], map);
		}
	}
}

static void mark(uint64_t *name, uint32_t *map)
{
	map[*name] = 1;
}

static void rename_one(uint64_t *name, uint32_t *map)
{
	*name = map[*name];
}

static int mark_all(const struct by *by, struct by_rows *rows, void *to)
{
	visit_names(by, rows, mark, to);
	return 0;
}

void by_rows_rename(const struct by *by, struct by_rows *rows, uint32_t *map)
{
	visit_names(by, rows, rename_one, map);
}

static int rename_all(const struct by *by, struct by_rows *rows, void *to)
{
	if (!rows->count) /* of an event without samples there is no table */
		return 0;
	by_rows_rename(by, rows, to);
	by_rows_index(rows);
	return 0;
}

static int keep_those_of_rows(struct by *by)
{
	uint32_t *map = calloc(by->names.count + 1, sizeof(*map));

	if (!map)
		return -1;
	visit_rows(by, mark_all, map);
	map[0] = 0;
	names_keep(&by->names, map);
	visit_rows(by, rename_all, map);
	free(map);
	/* what was found once has numbers, too */
	memset(by->places, 0, sizeof(by->places));
	memset(by->tasks, 0, sizeof(by->tasks));
	return 0;
}

/* --- rows that have too many --- */

static int find_largest(const struct by *by, struct by_rows *rows, void *to)
{
	struct by_rows **largest = to;

	(void)by;
	if (rows->count > 1 && (!*largest || rows->count > (*largest)->count))
		*largest = rows;
	return 0;
}

static int are_too_many(const struct names *names)
{
	return names->bytes > KEPT_BYTES || names->count > KEPT_NAMES;
}

int by_names_settle(struct by *by)
{
	struct by_rows *largest;
	int have_dropped = 0;

	if (!are_too_many(&by->names))
		return 0;
	if (keep_those_of_rows(by) < 0)
		return -1;
	while (are_too_many(&by->names)) {
		largest = NULL;
		visit_rows(by, find_largest, &largest);
		if (!largest)
			break; /* a row in each table: nothing is lighter */
		if (by_rows_drop(largest) < 0 || keep_those_of_rows(by) < 0)
			return -1;
		have_dropped = 1;
	}
	return have_dropped;
}

int by_names_bound(struct by *by)
{
	if (by->names.bytes < by->names.kept_bytes + MORE_BYTES &&
	    by->names.count < by->names.kept_count + MORE_NAMES)
		return 0;
	return by_names_settle(by);
}
