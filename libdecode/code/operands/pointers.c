/* SPDX-License-Identifier: BSD-3-Clause */
/* See pointers.h. */
#include "pointers.h"

#include <string.h>

/* Typedefs of typedefs, arrays of arrays: compilers stay far below */
#define CHAIN 32u
#define POINTER_BYTES 8u
#define WIDTH_MOST 4096u

static int is_composed(const struct precis_data_type *type)
{
	const uint32_t kind = precis_data_type_kind(type);

	return kind == PRECIS_DATA_KIND_STRUCTURE || kind == PRECIS_DATA_KIND_UNION;
}

/* A structure that has the name of its typedef alone */
static int is_nameless(const struct precis_data_type *type)
{
	return strstr(precis_data_type_name(type), "{...}") != NULL;
}

/* Without typedefs and qualifiers: pointers to it are of one type then */
static const struct precis_data_type *plain(const struct precis_data_type *type)
{
	const struct precis_data_type *is;

	for (uint32_t n = 0; n < CHAIN && type && is_composed(type) &&
			     precis_data_type_target(type, &is) > 0 && is && !is_nameless(is);
	     n++)
		type = is;
	return type;
}

/* The one member, or the element of any, that lies at an offset. @return 0 if there are several, or none */
static int member_at(struct precis_data_type_paths *paths, const struct precis_data_type *type,
		     uint64_t offset, uint32_t width, struct precis_data_type_path *path)
{
	*path = (struct precis_data_type_path){ .size = sizeof(*path) };
	return precis_data_type_at(type, offset, width, paths) == 1 &&
	       precis_data_type_path(paths, 0, path) > 0 && path->kind == PRECIS_PATH_MEMBER;
}

int operand_pointer_of(struct precis_data_type_paths *paths, const struct precis_data_type *type,
		       uint64_t part, struct operand_value *value)
{
	const struct precis_data_type *target;
	struct precis_data_type_path path;

	if (!part && precis_data_type_pointed(type, &target) > 0) {
		*value = (struct operand_value){ .kind = VALUE_POINTER, .type = plain(target) };
		return 1;
	}
	if (!is_composed(type) || !member_at(paths, type, part, POINTER_BYTES, &path) ||
	    path.offset != part || path.bytes != POINTER_BYTES ||
	    precis_data_type_pointed(path.type, &target) <= 0)
		return 0;
	*value = (struct operand_value){ .kind = VALUE_POINTER, .type = plain(target) };
	return 1;
}

/* Of an array what its elements are; where in one of them the access begins. @return 0: nobody knows */
static int in_one(const struct operand_access *access, struct operand_access *one)
{
	*one = *access;
	one->type = plain(access->type);
	for (uint32_t n = 0; precis_data_type_kind(one->type) == PRECIS_DATA_KIND_ARRAY; n++) {
		const struct precis_data_type *element;
		const uint64_t whole = operand_bytes_of(one->type);
		uint64_t bytes;

		if (n == CHAIN || precis_data_type_target(one->type, &element) <= 0)
			return 0;
		bytes = operand_bytes_of(element);
		/* an index may well have begun in front of it */
		if (!bytes || (!one->index && (one->offset < 0 ||
						    (whole && (uint64_t)one->offset >= whole))))
			return 0;
		one->offset = operand_in_element(one->offset, bytes);
		one->type = plain(element);
	}
	return one->type != NULL;
}

/*
 * With an index what is meant may be p[i].member, or p->array[i]; and p->array[i - 1] begins in what lies
 * before the array. What the offset itself points at is believed where the structure has no array and steps
 * are not known to be others than its size, and inside of an array, but for its last element.
 */
static int is_index_plain(struct precis_data_type_paths *paths, const struct operand_access *one)
{
	struct precis_data_type_layout *layout;
	struct precis_data_type_row row = { .size = sizeof(row) };
	struct precis_data_type_path here, next;
	int has_array = 0;
	char pattern[512];

	if (!is_composed(one->type))
		return 1;
	if (precis_data_type_layout_new(one->type, &layout) != 0)
		return 0;
	while (!has_array && precis_data_type_layout_next(layout, &row) > 0)
		has_array = row.elements != 1;
	precis_data_type_layout_free(layout);
	if (!has_array)
		return one->index != INDEX_PART;
	if (!member_at(paths, one->type, (uint64_t)one->offset, 1, &here) || !strchr(here.pattern, '[') ||
	    strlen(here.pattern) >= sizeof(pattern))
		return 0;
	strcpy(pattern, here.pattern);
	return member_at(paths, one->type, here.offset + here.bytes, 1, &next) &&
	       strcmp(next.pattern, pattern) == 0;
}

int operand_locate(struct precis_data_type_paths *paths, const struct operand_access *access,
		   struct operand_type *is)
{
	struct operand_access one;
	uint64_t bytes;

	is->absent = access->type ? OPERAND_BEYOND : OPERAND_UNTYPED;
	if (!access->type || !in_one(access, &one))
		return 0;
	bytes = operand_bytes_of(one.type);
	if (one.index || (!is_composed(one.type) && one.type == plain(access->type)))
		one.offset = operand_in_element(one.offset, bytes);
	if (one.offset < 0 || !bytes ||
	    precis_data_type_at(one.type, (uint64_t)one.offset,
				access->width <= WIDTH_MOST ? access->width : 0, paths) <= 0)
		return 0;
	is->absent = OPERAND_ELEMENT;
	if (one.index > INDEX_WHOLE && !is_index_plain(paths, &one))
		return 0;
	is->type = one.type;
	is->offset = (uint64_t)one.offset;
	is->absent = OPERAND_PRESENT;
	return 1;
}

int operand_load(struct precis_data_type_paths *paths, const struct operand_access *access,
		 struct operand_value *value)
{
	struct precis_data_type_path path;
	struct operand_type is;
	const struct precis_data_type *target;

	if (!operand_locate(paths, access, &is) ||
	    !member_at(paths, is.type, is.offset, POINTER_BYTES, &path) || path.offset != is.offset ||
	    path.bytes != POINTER_BYTES || precis_data_type_pointed(path.type, &target) <= 0)
		return 0;
	*value = (struct operand_value){ .kind = VALUE_POINTER, .type = plain(target) };
	return 1;
}
