/* SPDX-License-Identifier: BSD-3-Clause */
/* All members of a type, and theirs, in the order of offsets: a walk with a stack of its own. */
#include <precis/error.h>
#include <stdlib.h>

#include "libdecode/sample/abi.h"
#include "measure.h"
#include "members.h"
#include "type.h"

/* Rows of one type */
#define ROWS 1000000u

/* A structure or union on the way */
struct level {
	const struct members *members;
	uint32_t next; /* of its members */
	uint8_t is_union;
	uint8_t is_shared; /* a virtual base of what it is a base of may be in the padding at its end */
	uint64_t start; /* in bits from the outermost's start, as all here */
	uint64_t cursor; /* what lies before has been told */
	uint64_t end; /* of what is its own: what others reach into ends where they begin */
};

struct precis_data_type_layout {
	const struct precis_data_type *type;
	struct level level[TYPES_DEPTH];
	uint32_t depth; /* how many levels there are */
	uint32_t rows;
	int has_begun;
	enum precis_data_type_absent absent;
};

int precis_data_type_layout_new(const struct precis_data_type *type, struct precis_data_type_layout **layout)
{
	if (!type || !layout)
		return PRECIS_E_ARGUMENT;
	*layout = calloc(1, sizeof(**layout));
	if (!*layout)
		return PRECIS_E_NO_MEMORY;
	(*layout)->type = type;
	return 0;
}

void precis_data_type_layout_free(struct precis_data_type_layout *layout)
{
	free(layout);
}

uint32_t precis_data_type_layout_absent(const struct precis_data_type_layout *layout)
{
	return layout ? (uint32_t)layout->absent : PRECIS_DATA_TYPE_PRESENT;
}

static uint64_t end_of(uint64_t start, uint64_t bits)
{
	return bits > UINT64_MAX - start ? UINT64_MAX : start + bits;
}

/* The structure that a type is, or its elements are; NULL: neither */
static const struct precis_data_type *structure_of(const struct precis_data_type *type, uint64_t *elements,
					      enum precis_data_type_absent *absent)
{
	const struct precis_data_type *peeled;
	struct array array;
	uint32_t kind;

	*absent = PRECIS_DATA_TYPE_PRESENT;
	for (uint32_t n = 0; n < TYPES_DEPTH; n++) {
		if (precis_data_type_peel(type, &peeled) || !peeled)
			return NULL;
		kind = precis_data_type_kind_of(precis_data_type_tag(peeled));
		if (kind != PRECIS_DATA_KIND_ARRAY)
			return kind == PRECIS_DATA_KIND_STRUCTURE || kind == PRECIS_DATA_KIND_UNION
				       ? peeled
				       : NULL;
		*absent = precis_data_type_array(peeled, &array);
		if (*absent)
			return NULL;
		if (array.is_open || __builtin_mul_overflow(*elements, array.elements, elements))
			*elements = 0;
		type = array.element;
	}
	return NULL;
}

/* Go into a structure's members. @return 0 if it has none, or they are not known */
static int push(struct precis_data_type_layout *layout, const struct precis_data_type *structure,
		uint64_t start, uint64_t limit)
{
	const struct members *members;
	struct level *level = &layout->level[layout->depth];
	enum precis_data_type_absent absent = precis_members_of(structure, &members);

	if (absent || !members)
		return 0;
	if (layout->depth == TYPES_DEPTH) {
		layout->absent = PRECIS_DATA_TYPE_LOOP;
		return 0;
	}
	*level = (struct level){
		.members = members,
		.start = start,
		.cursor = start,
		.end = end_of(start, members->bits),
		.is_union = precis_data_type_kind_of(precis_data_type_tag(structure)) ==
			    PRECIS_DATA_KIND_UNION,
	};
	if (level->end > limit)
		level->end = limit;
	/* An empty class takes one byte that holds nothing */
	if (!members->count && !precis_members_elsewhere(members, UINT64_MAX))
		return 0;
	layout->depth++;
	return 1;
}

static void set_hole(const struct precis_data_type_layout *layout, struct precis_data_type_row *row,
		     uint64_t start, uint64_t end)
{
	const struct level *level = &layout->level[layout->depth - 1];
	const enum precis_data_type_absent absent =
		precis_members_elsewhere(level->members, end - start);

	row->kind = absent ? PRECIS_PATH_UNKNOWN : PRECIS_PATH_HOLE;
	row->absent = absent;
	row->offset = start / 8;
	row->bytes = (end + 7) / 8 - start / 8;
	row->elements = 1;
	row->depth = layout->depth - 1;
	if (start % 8 == 0 && end % 8 == 0)
		return;
	row->bit_offset = (uint32_t)(start % 8);
	row->bits = (uint32_t)(end - start);
}

/* The rest of a byte is a row of its own, and so is the part before a bit field */
static uint64_t hole_end(uint64_t start, uint64_t end)
{
	const uint64_t byte = start - start % 8 + 8;

	if (start % 8)
		return byte < end ? byte : end;
	return end - start > 8 ? end - end % 8 : end;
}

/* Where the next member begins that is behind this one, if it reaches into this one's end */
static uint64_t limit_of(const struct level *level, uint32_t n)
{
	const struct members *members = level->members;
	const uint32_t next = precis_members_behind(members, n);

	return next < members->count ? level->start + members->member[next].bit : level->end;
}

static void set_member(struct precis_data_type_layout *layout, const struct level *level,
		       const struct member *member, struct precis_data_type_row *row)
{
	const uint64_t start = level->start + member->bit;

	row->kind = PRECIS_PATH_MEMBER;
	row->name = member->kind == MEMBER_BASE ? precis_data_type_name(member->type) : member->name;
	row->type = member->type;
	row->offset = start / 8;
	row->bytes = (start % 8 + member->bits + 7) / 8;
	row->absent = member->absent;
	row->depth = layout->depth - 1;
	row->is_base = member->kind == MEMBER_BASE;
	row->elements = 1;
	if (!member->is_bit_field)
		return;
	row->bit_offset = (uint32_t)(start % 8);
	row->bits = (uint32_t)member->bits;
}

static int is_shared(const struct level *level)
{
	return level->is_shared || precis_members_elsewhere(level->members, UINT64_MAX) ==
					   PRECIS_DATA_TYPE_VIRTUAL_BASE;
}

/* The next row of the innermost structure. @return 0 at its end */
static int next_of_level(struct precis_data_type_layout *layout, struct precis_data_type_row *row)
{
	struct level *level = &layout->level[layout->depth - 1];
	const int is_last = level->next == level->members->count;
	const struct member *member = is_last ? NULL : &level->members->member[level->next];
	const uint64_t start = is_last ? level->end : level->start + member->bit;
	const struct precis_data_type *structure;
	enum precis_data_type_absent absent;
	uint64_t limit, stop;

	if (start > level->cursor && (is_last || start <= level->end)) {
		const uint64_t end = hole_end(level->cursor, start);

		set_hole(layout, row, level->cursor, end);
		level->cursor = end;
		return 1;
	}
	if (is_last)
		return 0;
	set_member(layout, level, member, row);
	limit = limit_of(level, level->next++);
	stop = end_of(start, precis_member_own(level->members, level->next - 1));
	if (stop > level->cursor)
		level->cursor = stop;
	structure = structure_of(member->type, &row->elements, &absent);
	if (structure && !member->is_bit_field &&
	    push(layout, structure, start, level->is_union || limit < start ? UINT64_MAX : limit))
		level[1].is_shared = member->kind == MEMBER_BASE && is_shared(level);
	return 1;
}

/* What is no structure: one row */
static void set_whole(const struct precis_data_type_layout *layout, struct precis_data_type_row *row)
{
	row->kind = PRECIS_PATH_MEMBER;
	row->type = layout->type;
	row->absent = precis_data_type_measure(layout->type, &row->bytes);
	if (row->absent)
		row->bytes = 0;
}

static int begin(struct precis_data_type_layout *layout, struct precis_data_type_row *row)
{
	enum precis_data_type_absent absent;
	const struct precis_data_type *structure = structure_of(layout->type, &row->elements, &absent);
	const struct precis_data_type *peeled;

	layout->has_begun = 1;
	absent = precis_data_type_peel(layout->type, &peeled);
	if (absent) {
		layout->absent = absent;
		return 0;
	}
	if (structure == peeled && structure) {
		push(layout, structure, 0, UINT64_MAX);
		return 0;
	}
	set_whole(layout, row);
	if (structure)
		push(layout, structure, 0, UINT64_MAX);
	return 1;
}

int precis_data_type_layout_next(struct precis_data_type_layout *layout, struct precis_data_type_row *row)
{
	ABI_OUT(struct precis_data_type_row, row, precis_data_type_layout_next(layout, &abi));
	if (!layout)
		return PRECIS_E_ARGUMENT;
	*row = (struct precis_data_type_row){ .size = row->size, .elements = 1 };
	if (!layout->has_begun && begin(layout, row))
		return 1;
	if (layout->rows++ == ROWS)
		layout->absent = PRECIS_DATA_TYPE_TOO_MANY;
	while (layout->depth && !layout->absent) {
		if (next_of_level(layout, row))
			return 1;
		layout->depth--;
	}
	return 0;
}
