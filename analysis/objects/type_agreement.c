/* SPDX-License-Identifier: BSD-3-Clause */
/* See type_agreement.h. */
#include "type_agreement.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

/* Typedefs of typedefs, arrays of arrays, members of members: compilers stay far below */
#define CHAIN 32u
#define DEPTH 16u
/* Members that are looked at for one answer: a type with more is not searched any further */
#define ROWS_MOST 20000u
#define PATTERN_BYTES 512u

/* --- types and members --- */

static int has_plain_name(const struct precis_data_type *type)
{
	switch (precis_data_type_kind(type)) {
	case PRECIS_DATA_KIND_BASE:
	case PRECIS_DATA_KIND_ENUMERATION:
	case PRECIS_DATA_KIND_STRUCTURE:
	case PRECIS_DATA_KIND_UNION:
		return 1;
	default: /* what a pointer leads to is another thing */
		return 0;
	}
}

static const struct precis_data_type *plain(const struct precis_data_type *type)
{
	const struct precis_data_type *is;

	for (uint32_t n = 0;
	     n < CHAIN && has_plain_name(type) && precis_data_type_target(type, &is) > 0 && is; n++)
		type = is;
	return type;
}

static int is_same(const struct precis_data_type *a, const struct precis_data_type *b)
{
	return a == b ||
	       strcmp(precis_data_type_name(plain(a)), precis_data_type_name(plain(b))) == 0;
}

/* Of an array what its elements are, and where in one of them the offset is. @return 0: that is not known */
static int peel(struct type_place *place)
{
	for (uint32_t n = 0; precis_data_type_kind(place->type) == PRECIS_DATA_KIND_ARRAY; n++) {
		const struct precis_data_type *element;
		uint64_t bytes;

		if (n == CHAIN || precis_data_type_target(place->type, &element) <= 0 || !element ||
		    precis_data_type_bytes(element, &bytes, NULL) <= 0 || !bytes)
			return 0;
		place->type = element;
		place->offset %= bytes;
	}
	return 1;
}

/* What an access touches, without numbers of elements; "": nothing that has a name. -1: memory is short */
static int pattern_of(const struct type_place *place, uint32_t width,
		      struct precis_data_type_paths *paths, char pattern[PATTERN_BYTES])
{
	struct precis_data_type_path path = { .size = sizeof(path) };
	size_t used = 0;

	if (precis_data_type_at(place->type, place->offset, width, paths) == PRECIS_E_NO_MEMORY)
		return -1;
	for (uint32_t n = 0; precis_data_type_path(paths, n, &path) > 0; n++) {
		const size_t bytes = strlen(path.pattern);

		if (used + bytes + 2 > PATTERN_BYTES)
			break;
		memcpy(pattern + used, path.pattern, bytes);
		used += bytes;
		pattern[used++] = '|';
	}
	pattern[used] = '\0';
	return 0;
}

struct asked {
	const struct type_place *operand;
	uint32_t width;
	struct precis_data_type_paths *paths;
	uint32_t rows; /* that were looked at */
};

/* 1, 0, or -1 if memory is short */
static int is_same_member(const struct asked *asked, const struct type_place *place)
{
	char patterns[2][PATTERN_BYTES];

	if (place->offset == asked->operand->offset)
		return 1;
	if (pattern_of(place, asked->width, asked->paths, patterns[0]) < 0 ||
	    pattern_of(asked->operand, asked->width, asked->paths, patterns[1]) < 0)
		return -1;
	return strcmp(patterns[0], patterns[1]) == 0;
}

/* --- a type in another one --- */

static int is_in(struct asked *asked, const struct type_place *place, uint32_t depth);

/* The member that a row is, if the place is in it. 1, 0, or -1 if memory is short */
static int is_in_member(struct asked *asked, const struct type_place *place,
			const struct precis_data_type_row *row, uint32_t depth)
{
	struct type_place member = { row->type, place->offset - row->offset };

	if (row->kind != PRECIS_PATH_MEMBER || !row->type || row->bits ||
	    place->offset < row->offset || member.offset >= row->bytes || !peel(&member))
		return 0;
	if (is_same(member.type, asked->operand->type))
		return is_same_member(asked, &member);
	return is_in(asked, &member, depth + 1);
}

/* Has the type at that offset, at any depth, the operand's? Likewise */
static int is_in(struct asked *asked, const struct type_place *place, uint32_t depth)
{
	const uint32_t kind = precis_data_type_kind(place->type);
	struct precis_data_type_row row = { .size = sizeof(row) };
	struct precis_data_type_layout *layout;
	int found = 0;

	if (depth == DEPTH ||
	    (kind != PRECIS_DATA_KIND_STRUCTURE && kind != PRECIS_DATA_KIND_UNION))
		return 0;
	if (precis_data_type_layout_new(place->type, &layout) != 0)
		return -1;
	while (!found && asked->rows++ < ROWS_MOST &&
	       precis_data_type_layout_next(layout, &row) > 0) {
		if (!row.depth)
			found = is_in_member(asked, place, &row, depth);
	}
	precis_data_type_layout_free(layout);
	return found;
}

static int find(const struct type_place *address, const struct type_place *operand, uint32_t width,
		int members, struct precis_data_type_paths *paths)
{
	struct asked asked = { operand, width, paths, 0 };
	int is_so;

	if (is_same(address->type, operand->type)) {
		is_so = members ? is_same_member(&asked, address) : 1;
		return is_so < 0 ? -1 : is_so ? TYPES_SAME : TYPES_DIFFER;
	}
	is_so = is_in(&asked, address, 0);
	return is_so < 0 ? -1 : is_so ? TYPES_PART : TYPES_DIFFER;
}

/* --- what was asked before --- */

#define KEPT_LOG 10u

struct kept_agreement {
	struct type_place address, operand;
	uint32_t width;
	uint8_t members, is;
};

static struct kept_agreement *slot_of(const struct type_agreements *agreements,
				      const struct type_place *address,
				      const struct type_place *operand)
{
	uint64_t hash = (uint64_t)(uintptr_t)address->type;

	hash = (hash ^ address->offset << 3) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ (uint64_t)(uintptr_t)operand->type ^ operand->offset << 5) *
	       UINT64_C(0x9e3779b97f4a7c15);
	return &agreements->kept[hash >> (64 - KEPT_LOG)];
}

int type_agreement(struct type_agreements *agreements, const struct type_place *address,
		   const struct type_place *operand, uint32_t width, int members,
		   struct precis_data_type_paths *paths)
{
	struct kept_agreement *kept;
	int is;

	if (!agreements->kept)
		agreements->kept = calloc((size_t)1 << KEPT_LOG, sizeof(*agreements->kept));
	if (!agreements->kept)
		return -1;
	kept = slot_of(agreements, address, operand);
	if (kept->address.type == address->type && kept->address.offset == address->offset &&
	    kept->operand.type == operand->type && kept->operand.offset == operand->offset &&
	    kept->width == width && kept->members == (uint8_t)members)
		return kept->is;
	is = find(address, operand, width, members, paths);
	if (is >= 0)
		*kept = (struct kept_agreement){ *address, *operand, width, (uint8_t)members,
						 (uint8_t)is };
	return is;
}

void type_agreements_free(struct type_agreements *agreements)
{
	free(agreements->kept);
	agreements->kept = NULL;
}
