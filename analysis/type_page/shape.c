/* SPDX-License-Identifier: BSD-3-Clause */
/* See shape.h. */
#include "shape.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/by/names.h"

#define DEPTH_MOST 64u
#define ARRAYS_MOST 32u

void shape_free(struct type_shape *shape)
{
	if (!shape)
		return;
	for (uint32_t n = 0; n < shape->count; n++) {
		free(shape->rows[n].name);
		free(shape->rows[n].path);
		free(shape->rows[n].type);
	}
	free(shape->rows);
	free(shape->file);
	free(shape->name);
	free(shape);
}

/* --- what it is made of --- */

/* What the elements of an array are, however many dimensions it has */
static const struct precis_data_type *element_of(const struct precis_data_type *type)
{
	const struct precis_data_type *element;

	for (uint32_t n = 0; n < ARRAYS_MOST && precis_data_type_kind(type) == PRECIS_DATA_KIND_ARRAY; n++) {
		if (!precis_data_type_target(type, &element) || !element)
			break;
		type = element;
	}
	return type;
}

static uint64_t stride_of(const struct precis_data_type_row *from)
{
	const struct precis_data_type *element = from->type ? element_of(from->type) : NULL;
	uint64_t bytes;

	if (!element || element == from->type || !precis_data_type_bytes(element, &bytes, NULL))
		return 0;
	return bytes;
}

/* "inner[].key": 'around' NULL: there is nothing around it */
static char *path_of(const struct shape_row *around, const struct shape_row *row)
{
	const char *elements = row->elements == 1 ? "" : "[]";
	const char *dot = around && *around->path && *row->name ? "." : "";

	return name_printed("%s%s%s%s", around ? around->path : "", dot, row->name, elements);
}

static char *copy(const char *text)
{
	return name_printed("%s", text);
}

static const char *name_of(const struct precis_data_type_row *from)
{
	if (from->kind == PRECIS_PATH_HOLE)
		return "(hole)";
	if (from->name || from->type)
		return from->name ? from->name : "";
	return from->absent == PRECIS_DATA_TYPE_VIRTUAL_BASE ? "(virtual base)" : "(unknown)";
}

/* 0, or -1 if memory is short */
static int name_row(const struct type_shape *shape, const struct precis_data_type_row *from,
		    struct shape_row *row)
{
	const int is_hole = from->kind == PRECIS_PATH_HOLE;

	row->name = copy(name_of(from));
	row->type = is_hole || !from->type ? NULL : copy(precis_data_type_name(from->type));
	if (!row->name || (!row->type && !is_hole && from->type))
		return -1;
	row->path = path_of(row->parent == SHAPE_NO_ROW ? NULL : &shape->rows[row->parent], row);
	return row->path ? 0 : -1;
}

/* 'open' has the rows around it, by depth */
static int add_row(struct type_shape *shape, const struct precis_data_type_row *from,
		   uint32_t open[DEPTH_MOST])
{
	struct shape_row *row = &shape->rows[shape->count];

	*row = (struct shape_row){
		.element = from->type ? element_of(from->type) : NULL,
		.offset = from->offset,
		.bytes = from->bytes,
		.elements = from->elements,
		.stride = stride_of(from),
		.bit_offset = from->bit_offset,
		.bits = from->bits,
		.depth = from->depth,
		.parent = from->depth ? open[from->depth - 1] : SHAPE_NO_ROW,
		.kind = from->kind,
		.is_base = from->is_base != 0,
		.end = shape->count + 1,
	};
	open[from->depth] = shape->count++;
	for (uint32_t n = row->parent; n != SHAPE_NO_ROW; n = shape->rows[n].parent)
		shape->rows[n].end = shape->count;
	return name_row(shape, from, row);
}

static int add_rows(struct type_shape *shape, struct precis_data_type_layout *layout)
{
	struct precis_data_type_row from = { .size = sizeof(from) };
	uint32_t open[DEPTH_MOST] = { 0 }, room = 0;

	while (precis_data_type_layout_next(layout, &from) > 0) {
		if (shape->count == SHAPE_ROWS_MOST || from.depth >= DEPTH_MOST) {
			shape->is_cut = 1;
			break;
		}
		if (shape->count == room) {
			const uint32_t larger = room ? 2 * room : 32;
			struct shape_row *more = realloc(shape->rows, larger * sizeof(*more));

			if (!more)
				return -1;
			shape->rows = more;
			room = larger;
		}
		if (add_row(shape, &from, open) < 0)
			return -1;
	}
	shape->absent = precis_data_type_layout_absent(layout);
	return 0;
}

struct type_shape *shape_new(const char *file, const struct precis_data_type *type)
{
	struct type_shape *shape = calloc(1, sizeof(*shape));
	struct precis_data_type_layout *layout = NULL;
	int failed = !shape || precis_data_type_layout_new(type, &layout) < 0;

	if (!failed) {
		shape->file = copy(file);
		shape->name = copy(precis_data_type_name(type));
		if (!precis_data_type_bytes(type, &shape->bytes, NULL))
			shape->bytes = 0;
		failed = !shape->file || !shape->name || add_rows(shape, layout) < 0;
	}
	precis_data_type_layout_free(layout);
	if (!failed)
		return shape;
	shape_free(shape);
	return NULL;
}

static int is_same_row(const struct shape_row *a, const struct shape_row *b)
{
	return a->offset == b->offset && a->bytes == b->bytes && a->elements == b->elements &&
	       a->bit_offset == b->bit_offset && a->bits == b->bits && a->depth == b->depth &&
	       a->kind == b->kind && strcmp(a->path, b->path) == 0 &&
	       strcmp(a->type ? a->type : "", b->type ? b->type : "") == 0;
}

int shape_is_same(const struct type_shape *a, const struct type_shape *b)
{
	if (a->count != b->count || a->bytes != b->bytes || strcmp(a->name, b->name) != 0 ||
	    strcmp(a->file, b->file) != 0)
		return 0;
	for (uint32_t n = 0; n < a->count; n++) {
		if (!is_same_row(&a->rows[n], &b->rows[n]))
			return 0;
	}
	return 1;
}

/* --- what an access touches --- */

struct touching {
	const struct type_shape *shape;
	const struct precis_data_type_path *path;
	uint32_t *touched;
	uint32_t count;
	int is_exact; /* only what has the path's type */
};

static int covers(const struct shape_row *row, uint64_t at)
{
	/* what has no length is an array that ends with the block */
	return at >= row->offset && (!row->bytes || at - row->offset < row->bytes);
}

static int is_it(const struct touching *touching, const struct shape_row *row)
{
	const struct precis_data_type_path *path = touching->path;

	if (row->kind != path->kind)
		return 0;
	if (row->bits || path->bits)
		return row->bits == path->bits && row->bit_offset == path->bit_offset;
	return !touching->is_exact || row->element == path->type;
}

static void touch(struct touching *touching, uint32_t row)
{
	for (; row != SHAPE_NO_ROW; row = touching->shape->rows[row].parent) {
		for (uint32_t n = 0; n < touching->count; n++) {
			if (touching->touched[n] == row)
				return; /* and so is all around it */
		}
		if (touching->count == SHAPE_TOUCHED_MOST)
			return;
		touching->touched[touching->count++] = row;
	}
}

/*
 * All rows in which 'at' is. Rows of an array's members are those of its first element: inside of an array
 * 'at' is where it would be in that one.
 */
static void descend(struct touching *touching, uint64_t at)
{
	struct {
		uint32_t end;
		uint64_t at;
	} outer[DEPTH_MOST];
	uint32_t depth = 0;

	for (uint32_t n = 0; n < touching->shape->count;) {
		const struct shape_row *row = &touching->shape->rows[n];

		while (depth && n >= outer[depth - 1].end)
			at = outer[--depth].at;
		if (!covers(row, at)) {
			n = row->end;
			continue;
		}
		if (row->end == n + 1) {
			if (is_it(touching, row))
				touch(touching, n);
		} else if (depth < DEPTH_MOST) {
			outer[depth].end = row->end;
			outer[depth++].at = at;
			if (row->stride)
				at = row->offset + (at - row->offset) % row->stride;
		}
		n++;
	}
}

uint32_t shape_touched(const struct type_shape *shape, const struct precis_data_type_paths *paths,
		       uint32_t touched[SHAPE_TOUCHED_MOST])
{
	struct precis_data_type_path path = { .size = sizeof(path) };
	struct touching touching = { .shape = shape, .path = &path, .touched = touched };

	for (uint32_t n = 0; precis_data_type_path(paths, n, &path) > 0; n++) {
		const uint32_t before = touching.count;

		touching.is_exact = path.type != NULL;
		descend(&touching, path.offset);
		if (touching.count != before || !touching.is_exact)
			continue;
		touching.is_exact = 0;
		descend(&touching, path.offset);
	}
	return touching.count;
}
