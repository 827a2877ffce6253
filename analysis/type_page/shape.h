/* SPDX-License-Identifier: BSD-3-Clause */
/* How a type is laid out, kept beyond the file that describes it, and which of its rows an access touches. */
#ifndef ANALYSIS_TYPE_PAGE_SHAPE_H
#define ANALYSIS_TYPE_PAGE_SHAPE_H

#include <precis/data_types.h>

/* Members of a type that are told apart: of more the first ones */
#define SHAPE_ROWS_MOST 4096u
/* Rows that one access may touch, with those around them */
#define SHAPE_TOUCHED_MOST 256u
#define SHAPE_NO_ROW UINT32_MAX
#define SHAPE_LINE_BYTES 64u

/* A member, or a hole between two; those of a member are behind it, one deeper */
struct shape_row {
	char *name, *path, *type; /* "key", "inner[].key", "long int"; of a hole "(hole)", and no type */
	const struct precis_data_type *element; /* of an array, or the type; of the file that described it */
	uint64_t offset, bytes; /* as in struct precis_data_type_row */
	uint64_t elements, stride; /* of an array, and from one element to the next; 1, and 0: it is none */
	uint32_t bit_offset, bits;
	uint32_t depth, parent; /* SHAPE_NO_ROW: the type itself */
	uint32_t end; /* behind the last row that is in it */
	uint32_t kind; /* enum precis_path_kind */
	int is_base;
};

struct type_shape {
	char *file, *name;
	uint64_t bytes; /* 0: not known */
	struct shape_row *rows;
	uint32_t count;
	int is_cut; /* there are more rows */
	uint32_t absent; /* enum precis_data_type_absent: why not all of it is known */
};

/* NULL if memory is short */
struct type_shape *shape_new(const char *file, const struct precis_data_type *type);
void shape_free(struct type_shape *shape);

/* The same type of the same file, laid out in the same way? */
int shape_is_same(const struct type_shape *a, const struct type_shape *b);

/*
 * The rows that an access touches: of a union all that it may be, of a nested member all around it, too; each
 * once. In a shape whose file is still open.
 *
 * @param paths  what precis_data_type_at() says of the access
 * @return how many; 0: it is in no row
 */
uint32_t shape_touched(const struct type_shape *shape, const struct precis_data_type_paths *paths,
		       uint32_t touched[SHAPE_TOUCHED_MOST]);

#endif
