/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of one access: kept, thinned out by what its width allows, put in order, handed out. */
#include "paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "libdecode/sample/abi.h"

int precis_data_type_paths_new(struct precis_data_type_paths **paths)
{
	if (!paths)
		return PRECIS_E_ARGUMENT;
	*paths = calloc(1, sizeof(**paths));
	return *paths ? 0 : PRECIS_E_NO_MEMORY;
}

void precis_data_type_paths_free(struct precis_data_type_paths *paths)
{
	if (!paths)
		return;
	free(paths->texts.at);
	free(paths->indexes.at);
	free(paths->joined);
	free(paths);
}

/* --- keeping them ------------------------------------------------------------------------- */

/* @return the offset of what is kept, counted in 'each'; UINT32_MAX: memory is short */
static uint32_t keep(struct block *block, const void *from, size_t count, size_t each)
{
	const size_t at = block->count;

	if (at + count > block->room) {
		const size_t room = (at + count) * 2;
		void *larger = realloc(block->at, room * each);

		if (!larger)
			return UINT32_MAX;
		block->at = larger;
		block->room = room;
	}
	if (count)
		memcpy((char *)block->at + at * each, from, count * each);
	block->count += count;
	return (uint32_t)at;
}

void precis_paths_add(struct precis_data_type_paths *paths, const struct trail *trail,
		      const struct path *path)
{
	struct path *kept = &paths->path[paths->count];

	if (paths->count == PATHS) {
		paths->absent = PRECIS_DATA_TYPE_TOO_MANY;
		return;
	}
	*kept = *path;
	kept->text = keep(&paths->texts, trail->text, trail->text_length + 1, 1);
	kept->pattern = keep(&paths->texts, trail->pattern, trail->pattern_length + 1, 1);
	kept->index = keep(&paths->indexes, trail->index, trail->indexes, sizeof(trail->index[0]));
	kept->indexes = trail->indexes;
	if (kept->text == UINT32_MAX || kept->pattern == UINT32_MAX || kept->index == UINT32_MAX)
		paths->is_short_of_memory = 1;
	else
		paths->count++;
}

/* --- what the access cannot have meant ----------------------------------------------------- */

static int overlap(const struct path *a, const struct path *b)
{
	return a->first < b->end && b->first < a->end;
}

/* No general register is as wide: it may be a vector's access, of elements, as well as that of one number */
#define VECTOR_BITS 128

/* How well a path fits an access of that width: only of alternatives the better one stays */
enum fit { FIT_NOTHING, FIT_PART, FIT_AROUND, FIT_EXACT };

static enum fit fit(const struct path *path, uint64_t first, uint64_t end, uint64_t width)
{
	if (path->kind == PRECIS_PATH_HOLE)
		return FIT_NOTHING;
	if (path->kind == PRECIS_PATH_UNKNOWN || !width || path->is_bit_field)
		return FIT_PART;
	if (path->first == first && path->each * path->elements == width &&
	    (path->elements == 1 || width >= VECTOR_BITS))
		return FIT_EXACT;
	return path->first <= first && path->end >= end ? FIT_AROUND : FIT_PART;
}

/* Padding beside members says nothing where it is a part of a byte, or where another alternative is */
static int is_left_out(const struct precis_data_type_paths *paths, const struct path *path, uint64_t first,
		       uint64_t end, uint64_t width)
{
	const enum fit own = fit(path, first, end, width);

	for (uint32_t n = 0; n < paths->count; n++) {
		const struct path *other = &paths->path[n];

		if (other != path && overlap(path, other) && fit(other, first, end, width) > own)
			return 1;
	}
	return path->kind == PRECIS_PATH_HOLE && paths->count > 1 && path->end - path->first < 8;
}

static int by_place(const void *a, const void *b)
{
	const struct path *left = a, *right = b;

	if (left->first != right->first)
		return left->first < right->first ? -1 : 1;
	return (left->text > right->text) - (left->text < right->text);
}

/* Those that overlap, also by others between them, have one number */
static void number_alternatives(struct precis_data_type_paths *paths)
{
	uint64_t end = 0;
	uint32_t number = 0;

	for (uint32_t n = 0; n < paths->count; n++) {
		if (n && paths->path[n].first >= end)
			number++;
		paths->path[n].alternative = number;
		if (paths->path[n].end > end)
			end = paths->path[n].end;
	}
}

void precis_paths_settle(struct precis_data_type_paths *paths, uint64_t first, uint64_t end, uint64_t width)
{
	uint8_t is_out[PATHS];
	uint32_t kept = 0;

	for (uint32_t n = 0; n < paths->count; n++)
		is_out[n] = (uint8_t)is_left_out(paths, &paths->path[n], first, end, width);
	for (uint32_t n = 0; n < paths->count; n++) {
		if (!is_out[n])
			paths->path[kept++] = paths->path[n];
	}
	paths->count = kept;
	if (kept)
		qsort(paths->path, kept, sizeof(paths->path[0]), by_place);
	number_alternatives(paths);
}

/* --- handing them out ---------------------------------------------------------------------- */

static const char *text_of(const struct precis_data_type_paths *paths, uint32_t at)
{
	return (const char *)paths->texts.at + at;
}

static void fill(const struct precis_data_type_paths *paths, const struct path *from,
		 struct precis_data_type_path *path)
{
	*path = (struct precis_data_type_path){
		.size = path->size, .kind = from->kind, .text = text_of(paths, from->text),
		.pattern = text_of(paths, from->pattern), .offset = from->first / 8,
		.bytes = (from->first % 8 + from->each + 7) / 8, .indexes = from->indexes,
		.absent = from->absent, .elements = from->elements, .type = from->type,
		.alternative = from->alternative,
	};
	if (from->indexes)
		path->index = (const int64_t *)paths->indexes.at + from->index;
	if (!from->is_bit_field)
		return;
	path->bit_offset = (uint32_t)(from->first % 8);
	path->bits = (uint32_t)from->each;
}

int precis_data_type_path(const struct precis_data_type_paths *paths, uint32_t n,
			  struct precis_data_type_path *path)
{
	ABI_OUT(struct precis_data_type_path, path, precis_data_type_path(paths, n, &abi));
	if (!paths)
		return PRECIS_E_ARGUMENT;
	if (n >= paths->count)
		return 0;
	fill(paths, &paths->path[n], path);
	return 1;
}

uint32_t precis_data_type_paths_absent(const struct precis_data_type_paths *paths)
{
	return paths ? (uint32_t)paths->absent : PRECIS_DATA_TYPE_PRESENT;
}

static void join(struct precis_data_type_paths *paths, char *joined)
{
	size_t used = 0;

	joined[0] = '\0';
	for (uint32_t n = 0; n < paths->count; n++) {
		const struct path *path = &paths->path[n];
		const char *between = !n ? "" : path->alternative == path[-1].alternative ? "|" : ", ";

		used += (size_t)sprintf(joined + used, "%s%s", between, text_of(paths, path->text));
	}
}

const char *precis_data_type_paths_text(const struct precis_data_type_paths *from)
{
	struct precis_data_type_paths *paths = (struct precis_data_type_paths *)(uintptr_t)from;

	if (!paths || !paths->count)
		return "";
	if (!paths->joined) {
		paths->joined = malloc(paths->texts.count + 2 * (size_t)paths->count + 1);
		if (paths->joined)
			join(paths, paths->joined);
	}
	return paths->joined ? paths->joined : text_of(paths, paths->path[0].text);
}
