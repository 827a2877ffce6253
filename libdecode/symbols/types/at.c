/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From an access to the members that it touches: down through structures, unions and arrays. The descent
 * is as deep as TYPES_DEPTH, and ends where there are more paths or steps than anybody reads.
 */
#include <precis/error.h>
#include <stdlib.h>

#include "measure.h"
#include "members.h"
#include "paths.h"
#include "type.h"

#define STEPS 20000u
#define WIDTH_MOST 4096u

struct descent {
	struct precis_data_type_paths *paths;
	struct trail trail;
	uint64_t first, end; /* the access, in bits from the start of the type, as all here */
	uint32_t depth, steps;
};

/* Where something of the type lies that is descended into */
struct place {
	const struct precis_data_type *type;
	uint64_t start; /* of it */
	uint64_t limit; /* what lies there at least ends here, as in a base that others reach into */
	int goes_on; /* an array that has elements up to there, however many it was declared with */
	int is_shared; /* a virtual base of what this is a base of may be in the padding at its end */
};

static void descend(struct descent *descent, const struct place *place);

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t end_of(uint64_t start, uint64_t bits)
{
	return bits > UINT64_MAX - start ? UINT64_MAX : start + bits;
}

static void add_leaf(struct descent *descent, const struct precis_data_type *type, uint64_t first,
		     uint64_t end)
{
	const struct path path = {
		.first = first, .end = end, .type = type, .elements = 1, .each = end - first,
	};

	precis_paths_add(descent->paths, &descent->trail, &path);
}

/* What has no member: padding, or something that is not known */
static void add_nameless(struct descent *descent, enum precis_data_type_absent absent,
			 uint64_t first, uint64_t end)
{
	const struct mark mark = precis_trail_mark(&descent->trail);
	const struct path path = {
		.first = first, .end = end, .absent = absent, .elements = 1, .each = end - first,
		.kind = absent ? PRECIS_PATH_UNKNOWN : PRECIS_PATH_HOLE,
	};
	const char *name = absent == PRECIS_DATA_TYPE_VIRTUAL_BASE ? "(virtual base)"
			   : absent == PRECIS_DATA_TYPE_DESCRIPTOR ? "(descriptor)"
			   : absent ? "(unknown)" : "(hole)";

	if (first < end && precis_trail_name(&descent->trail, name, 0))
		precis_paths_add(descent->paths, &descent->trail, &path);
	precis_trail_back(&descent->trail, mark);
}

/* --- structures and unions ------------------------------------------------------------------ */

/* How far a member reaches. A flexible array at the end goes on, and so does what ends in one. */
static uint64_t member_end(const struct members *members, uint32_t n, uint64_t start,
			   uint64_t limit)
{
	const struct member *member = &members->member[n];

	return (member->is_open && !member->bits) ||
			       (n + 1 == members->count && precis_members_go_on(members))
		       ? limit
		       : end_of(start, precis_member_own(members, n));
}

static void enter_member(struct descent *descent, const struct member *member, uint64_t origin,
			 uint64_t end, int is_shared)
{
	const struct mark mark = precis_trail_mark(&descent->trail);
	const struct place place = {
		.type = member->type,
		.start = origin + member->bit,
		.limit = end,
		.goes_on = member->goes_on,
		.is_shared = is_shared && member->kind == MEMBER_BASE,
	};
	const struct path path = {
		.first = place.start, .end = end, .type = member->type, .elements = 1,
		.each = member->bits, .is_bit_field = 1,
	};
	const char *name = member->kind == MEMBER_BASE ? precis_data_type_name(member->type) : member->name;

	if (!precis_trail_name(&descent->trail, name, member->kind == MEMBER_BASE))
		descent->paths->absent = PRECIS_DATA_TYPE_TOO_MANY;
	else if (member->is_bit_field)
		precis_paths_add(descent->paths, &descent->trail, &path);
	else
		descend(descent, &place);
	precis_trail_back(&descent->trail, mark);
}

static void descend_members(struct descent *descent, const struct members *members, const struct place *place)
{
	const uint64_t whole = members->bits ? end_of(place->start, members->bits) : place->limit;
	/* A flexible array is behind the end that the type has */
	const uint64_t last =
		members->count ? member_end(members, members->count - 1, place->start, place->limit)
			       : 0;
	const uint64_t end = earlier(descent->end, earlier(place->limit, later(whole, last)));
	const int is_shared = place->is_shared || precis_members_elsewhere(members, UINT64_MAX) ==
							  PRECIS_DATA_TYPE_VIRTUAL_BASE;
	uint64_t cursor = later(descent->first, place->start);
	enum precis_data_type_absent absent;

	for (uint32_t n = 0; n < members->count; n++) {
		const struct member *member = &members->member[n];
		const uint64_t start = place->start + member->bit;
		const uint64_t member_stop = member_end(members, n, start, place->limit);

		if (start >= end)
			break;
		if (member_stop <= descent->first || member_stop <= start)
			continue;
		if (start > cursor)
			add_nameless(descent, precis_members_elsewhere(members, start - cursor),
				     cursor, start);
		enter_member(descent, member, place->start,
			     member->is_bit_field ? member_stop
						  : earlier(place->limit, member_stop),
			     is_shared);
		cursor = later(cursor, member_stop);
	}
	if (cursor >= end)
		return;
	absent = precis_members_elsewhere(members, end - cursor);
	if (!absent && place->is_shared && end - cursor >= 8)
		absent = PRECIS_DATA_TYPE_VIRTUAL_BASE;
	add_nameless(descent, absent, cursor, end);
}

/* --- arrays ---------------------------------------------------------------------------------- */

static int is_leaf(const struct precis_data_type *type)
{
	const struct precis_data_type *peeled;
	uint32_t kind;

	if (precis_data_type_peel(type, &peeled))
		return 1;
	kind = precis_data_type_kind_of(precis_data_type_tag(peeled));
	return kind != PRECIS_DATA_KIND_STRUCTURE && kind != PRECIS_DATA_KIND_UNION &&
	       kind != PRECIS_DATA_KIND_ARRAY;
}

/* How many neighbours of an element, from it on, the access touches */
static uint64_t neighbours(const struct array *array, const uint64_t place[ARRAY_DIMENSIONS], uint64_t bytes)
{
	const uint32_t fastest = precis_array_order(array, array->dimensions - 1);
	const struct dimension *dimension = &array->dimension[fastest];
	const uint64_t touched = bytes / dimension->stride + (bytes % dimension->stride != 0);

	if (dimension->stride != array->element_bytes)
		return 1;
	return touched ? earlier(touched, dimension->count - place[fastest]) : 1;
}

/* @return where to go on, in bytes from the array's start */
static uint64_t enter_elements(struct descent *descent, const struct array *array, const struct place *place,
			       const uint64_t at[ARRAY_DIMENSIONS], uint64_t start, uint64_t end)
{
	const uint32_t fastest = precis_array_order(array, array->dimensions - 1);
	const struct mark mark = precis_trail_mark(&descent->trail);
	const int leaf = is_leaf(array->element);
	const uint64_t count = leaf ? neighbours(array, at, end - start) : 1;
	const uint64_t first = place->start + start * 8, each = array->element_bytes * 8;
	const struct place element = { .type = array->element,
				       .start = first,
				       .limit = end_of(first, each) };
	const struct path path = {
		.first = first, .end = first + each * count, .type = array->element,
		.elements = count, .each = each,
	};

	if (!precis_trail_element(&descent->trail, array, at, at[fastest] + count - 1))
		descent->paths->absent = PRECIS_DATA_TYPE_TOO_MANY;
	else if (leaf)
		precis_paths_add(descent->paths, &descent->trail, &path);
	else
		descend(descent, &element);
	precis_trail_back(&descent->trail, mark);
	return start + array->element_bytes * count;
}

static void descend_array(struct descent *descent, const struct array *array, const struct place *place)
{
	const uint64_t whole = array->is_open ? place->limit : end_of(place->start, array->bytes * 8);
	const uint64_t stop = earlier(descent->end, earlier(place->limit, whole));
	const uint64_t end = stop > place->start ? (stop - place->start) / 8 : 0;
	uint64_t at = (later(descent->first, place->start) - place->start) / 8;
	uint64_t indexes[ARRAY_DIMENSIONS], start;

	while (at < end && !descent->paths->absent) {
		const int found = precis_array_locate(array, at, indexes, &start);

		if (!found || (found == 2 && start <= at))
			break;
		if (found == 2) {
			add_nameless(descent, PRECIS_DATA_TYPE_PRESENT, place->start + at * 8,
				     place->start + earlier(start, end) * 8);
			at = start;
			continue;
		}
		at = enter_elements(descent, array, place, indexes, start, end);
	}
}

/* --- all types -------------------------------------------------------------------------------- */

static enum precis_data_type_absent descend_into(struct descent *descent, const struct precis_data_type *type,
					    const struct place *place)
{
	const uint32_t kind = precis_data_type_kind_of(precis_data_type_tag(type));
	const struct members *members;
	enum precis_data_type_absent absent;
	struct array array;
	uint64_t bytes;

	if (kind == PRECIS_DATA_KIND_STRUCTURE || kind == PRECIS_DATA_KIND_UNION) {
		absent = precis_members_of(type, &members);
		if (!absent)
			descend_members(descent, members, place);
		return absent;
	}
	if (kind == PRECIS_DATA_KIND_ARRAY) {
		absent = precis_data_type_array(type, &array);
		if (!absent && place->goes_on)
			precis_array_open(&array);
		if (!absent)
			descend_array(descent, &array, place);
		return absent;
	}
	absent = precis_data_type_measure(type, &bytes);
	if (!absent)
		add_leaf(descent, place->type, place->start,
			 earlier(place->limit, end_of(place->start, bytes * 8)));
	return absent;
}

static void descend(struct descent *descent, const struct place *place)
{
	const struct precis_data_type *type;
	enum precis_data_type_absent absent = precis_data_type_peel(place->type, &type);

	if (descent->depth == TYPES_DEPTH || descent->steps >= STEPS) {
		descent->paths->absent = descent->depth == TYPES_DEPTH ? PRECIS_DATA_TYPE_LOOP
								       : PRECIS_DATA_TYPE_TOO_MANY;
		return;
	}
	descent->steps++;
	descent->depth++;
	if (!absent)
		absent = type ? descend_into(descent, type, place) : PRECIS_DATA_TYPE_NO_SIZE;
	if (absent)
		add_nameless(descent, absent, later(place->start, descent->first),
			     earlier(place->limit, descent->end));
	descent->depth--;
}

/* Why there is nothing at all, if the outermost type itself is to blame */
static enum precis_data_type_absent refuse(const struct precis_data_type *type, uint64_t offset)
{
	const struct precis_data_type *peeled;
	const struct members *members;
	enum precis_data_type_absent absent = precis_data_type_peel(type, &peeled);
	uint64_t bytes;

	if (absent)
		return absent;
	absent = precis_data_type_measure(peeled, &bytes);
	if (absent == PRECIS_DATA_TYPE_RUN_TIME)
		return PRECIS_DATA_TYPE_PRESENT;
	if (absent || offset < bytes)
		return absent;
	if (precis_members_of(peeled, &members) || !members || !members->count)
		return PRECIS_DATA_TYPE_BEYOND;
	/* A flexible array at the end has what is behind it */
	return members->member[members->count - 1].is_open || precis_members_go_on(members)
		       ? PRECIS_DATA_TYPE_PRESENT
		       : PRECIS_DATA_TYPE_BEYOND;
}

static void reset(struct precis_data_type_paths *paths)
{
	free(paths->joined);
	paths->joined = NULL;
	paths->count = 0;
	paths->absent = PRECIS_DATA_TYPE_PRESENT;
	paths->is_short_of_memory = 0;
	paths->texts.count = paths->indexes.count = 0;
}

int precis_data_type_at(const struct precis_data_type *type, uint64_t offset, uint32_t width,
		   struct precis_data_type_paths *paths)
{
	const struct place whole = { .type = type, .limit = UINT64_MAX };
	struct descent descent = { .paths = paths };

	if (!type || !paths || width > WIDTH_MOST)
		return PRECIS_E_ARGUMENT;
	reset(paths);
	paths->absent = offset > UINT64_MAX / 16 ? PRECIS_DATA_TYPE_BEYOND : refuse(type, offset);
	if (paths->absent)
		return 0;
	descent.first = offset * 8;
	descent.end = descent.first + (width ? width : 1) * UINT64_C(8);
	descend(&descent, &whole);
	if (paths->is_short_of_memory)
		return PRECIS_E_NO_MEMORY;
	precis_paths_settle(paths, descent.first, descent.end, width * UINT64_C(8));
	if (!paths->count && !paths->absent)
		paths->absent = PRECIS_DATA_TYPE_BEYOND;
	return (int)paths->count;
}
