/* SPDX-License-Identifier: BSD-3-Clause */
/* DWARF 5, sections 5.7.3 (inheritance), 5.7.6 (members), 5.7.10 (variants); bit fields of DWARF 2: 5.5.6. */
#include "members.h"

#include <stdlib.h>

#include "address.h"
#include "die.h"
#include "measure.h"
#include "units.h"

/* Variants inside variants: Rust has none, Ada few */
#define VARIANTS 4

struct reading {
	const struct precis_data_type *type;
	struct members *members;
	enum precis_data_type_absent absent; /* why it failed */
};

/* --- where a member lies ------------------------------------------------------------------ */

/* @return 1 with the first bit; 0 if it says nothing; -1 if the program works it out */
static int read_place(Dwarf_Die *die, uint64_t *bit)
{
	struct line_bytes block;
	uint64_t bytes;

	if (!precis_die_has(die, DW_AT_data_member_location))
		return 0;
	if (!precis_die_unsigned(die, DW_AT_data_member_location, &bytes) &&
	    !(precis_die_block(die, DW_AT_data_member_location, &block) &&
	      precis_address_offset(block, &bytes)))
		return -1;
	/* Beyond what any memory has: nonsense */
	if (bytes > UINT64_MAX / 16)
		return -1;
	*bit = bytes * 8;
	return 1;
}

/* DWARF 2: counted from the highest bit of a storage unit, of a little-endian machine */
static int read_old_bits(Dwarf_Die *die, struct member *member)
{
	uint64_t unit_bytes, into;
	int64_t from_top;

	if (!precis_die_signed(die, DW_AT_bit_offset, &from_top))
		return 1;
	if (!precis_die_unsigned(die, DW_AT_byte_size, &unit_bytes) &&
	    precis_data_type_measure(member->type, &unit_bytes))
		return 0;
	if (unit_bytes > 64 || from_top > 512 || from_top < -4096)
		return 0;
	into = unit_bytes * 8 - (uint64_t)from_top - member->bits;
	member->bit += into;
	return (int64_t)member->bit >= 0;
}

/* @return 0 if it makes no sense */
static int read_bits(Dwarf_Die *die, struct member *member)
{
	uint64_t bit;

	if (!precis_die_unsigned(die, DW_AT_bit_size, &member->bits))
		return 1;
	if (member->bits > 512)
		return 0;
	member->is_bit_field = 1;
	if (precis_die_unsigned(die, DW_AT_data_bit_offset, &bit)) {
		member->bit += bit;
		return bit < UINT64_MAX / 16;
	}
	return read_old_bits(die, member);
}

static void measure(struct member *member)
{
	uint64_t bytes;

	member->absent = (uint8_t)precis_data_type_measure(member->type, &bytes);
	if (!member->absent && bytes > UINT64_MAX / 16)
		member->absent = PRECIS_DATA_TYPE_MALFORMED;
	member->is_open = member->absent != PRECIS_DATA_TYPE_PRESENT;
	member->bits = member->is_open ? 0 : bytes * 8;
}

/* --- which members there are -------------------------------------------------------------- */

static void append(struct reading *reading, const struct member *member)
{
	struct members *members = reading->members;
	size_t room = members->room;

	if (members->count == UINT32_MAX ||
	    !precis_data_types_grow(reading->type->types, &members->member, &room, members->count,
				    sizeof(*member)))
		reading->absent = PRECIS_DATA_TYPE_TOO_MANY;
	else
		members->member[members->count] = *member;
	members->room = (uint32_t)room;
	if (!reading->absent) {
		members->member[members->count].order = members->count;
		members->count++;
	}
}

static void note_elsewhere(struct reading *reading, enum precis_data_type_absent absent)
{
	if (!reading->members->elsewhere)
		reading->members->elsewhere = absent;
}

/* Static members are declared among the others until DWARF 4 */
static int is_static(Dwarf_Die *die)
{
	return precis_die_flag(die, DW_AT_declaration) || precis_die_flag(die, DW_AT_external);
}

static void add_member(struct reading *reading, Dwarf_Die *die, enum member_kind kind)
{
	struct precis_data_types *types = reading->type->types;
	struct member member = { .kind = (uint8_t)kind };
	Dwarf_Die target;
	uint64_t virtuality;
	int found;

	if (is_static(die))
		return;
	if (kind == MEMBER_BASE && precis_die_unsigned(die, DW_AT_virtuality, &virtuality) && virtuality) {
		note_elsewhere(reading, PRECIS_DATA_TYPE_VIRTUAL_BASE);
		return;
	}
	found = precis_die_reference(types, die, DW_AT_type, &target);
	if (found > 0)
		member.type = precis_data_type_of(types, &target, reading->type->language);
	member.name = kind == MEMBER_DISCRIMINANT ? "(discriminant)"
						  : precis_die_text(types, die, DW_AT_name);
	if (read_place(die, &member.bit) < 0) {
		note_elsewhere(reading, PRECIS_DATA_TYPE_RUN_TIME);
		return;
	}
	if (!member.type || !read_bits(die, &member)) {
		note_elsewhere(reading,
			       member.type ? PRECIS_DATA_TYPE_MALFORMED : precis_data_type_nowhere(types));
		return;
	}
	if (!member.is_bit_field)
		measure(&member);
	append(reading, &member);
}

/* A variant part: the discriminant, and for each variant its members; variants may have such parts again */
static void add_variants(struct reading *reading, const Dwarf_Die *part)
{
	Dwarf_Die at[2 * VARIANTS];
	int depth = 0, found;

	at[0] = *part;
	found = precis_die_child(&at[0], &at[1]);
	depth = 1;
	while (depth > 0 && !reading->absent) {
		Dwarf_Die *die = &at[depth];
		const int tag = found > 0 ? dwarf_tag(die) : 0;

		if (found <= 0) {
			if (--depth > 0)
				found = precis_die_next(&at[depth], &at[depth]);
			continue;
		}
		if (tag == DW_TAG_member)
			add_member(reading, die, depth % 2 ? MEMBER_DISCRIMINANT : MEMBER_VARIANT);
		if ((tag == DW_TAG_variant || tag == DW_TAG_variant_part) && depth + 1 < 2 * VARIANTS) {
			found = precis_die_child(die, die + 1);
			depth++;
			continue;
		}
		found = precis_die_next(die, die);
	}
}

static void add(struct reading *reading, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_member:
		add_member(reading, die, MEMBER_PLAIN);
		break;
	case DW_TAG_inheritance:
		add_member(reading, die, MEMBER_BASE);
		break;
	case DW_TAG_variant_part:
		add_variants(reading, die);
		break;
	default:
		break;
	}
}

/* --- in order ------------------------------------------------------------------------------ */

/* Those of one place stay as they were declared */
static int by_bit(const void *a, const void *b)
{
	const struct member *left = a, *right = b;

	if (left->bit != right->bit)
		return left->bit < right->bit ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

static int is_sorted(const struct members *members)
{
	for (uint32_t n = 1; n < members->count; n++) {
		if (members->member[n - 1].bit > members->member[n].bit)
			return 0;
	}
	return 1;
}

/* How long those are that do not say it: up to the next, or to the end */
static void close_open(struct members *members)
{
	for (uint32_t n = 0; n < members->count; n++) {
		struct member *member = &members->member[n];

		if (!member->is_open)
			continue;
		for (uint32_t next = n + 1; next < members->count && !member->bits; next++)
			member->bits = members->member[next].bit - member->bit;
		if (!member->bits && members->bits > member->bit)
			member->bits = members->bits - member->bit;
	}
}

/*
 * An array at the end stands for as many elements as there are: in C those of no length that is known, in
 * GNU C those of none, and those of one by a custom that is older than either
 */
static void open_last(struct members *members, const struct precis_data_type *type)
{
	struct member *last = members->count ? &members->member[members->count - 1] : NULL;
	const struct precis_data_type *peeled;
	struct array array;

	if (!last || last->is_bit_field || precis_data_type_peel(last->type, &peeled) ||
	    precis_data_type_tag(peeled) != DW_TAG_array_type)
		return;
	if (!last->bits)
		last->is_open = 1;
	if (precis_data_type_tag(type) != DW_TAG_union_type)
		last->goes_on = last->is_open ||
				(precis_language_is_c(type->language) &&
				 !precis_data_type_array(peeled, &array) && array.elements == 1);
}

static void read_members(struct reading *reading)
{
	struct members *members = reading->members;
	uint64_t bytes;
	Dwarf_Die child;
	int found = precis_die_child(type_die(reading->type), &child);

	for (; found > 0 && !reading->absent; found = precis_die_next(&child, &child))
		add(reading, &child);
	if (found < 0)
		note_elsewhere(reading, PRECIS_DATA_TYPE_MALFORMED);
	if (precis_data_type_measure(reading->type, &bytes) == PRECIS_DATA_TYPE_PRESENT &&
	    bytes <= UINT64_MAX / 16)
		members->bits = bytes * 8;
	if (!is_sorted(members))
		qsort(members->member, members->count, sizeof(*members->member), by_bit);
	close_open(members);
	open_last(members, reading->type);
}

static int has_members(unsigned int tag)
{
	const uint32_t kind = precis_data_type_kind_of(tag);

	return kind == PRECIS_DATA_KIND_STRUCTURE || kind == PRECIS_DATA_KIND_UNION;
}

enum precis_data_type_absent precis_members_of(const struct precis_data_type *type,
					       const struct members **members)
{
	struct precis_data_type *of = (struct precis_data_type *)(uintptr_t)type;
	struct reading reading = { .type = type };

	*members = of->members;
	if (*members || of->members_absent)
		return of->members_absent;
	if (!has_members(precis_data_type_tag(type)))
		return PRECIS_DATA_TYPE_PRESENT;
	reading.members = budget_alloc(&type->types->budget, sizeof(*reading.members));
	if (!reading.members)
		return PRECIS_DATA_TYPE_TOO_MANY;
	read_members(&reading);
	of->members_absent = (uint8_t)reading.absent;
	if (reading.absent)
		precis_members_free(reading.members);
	else
		of->members = reading.members;
	*members = of->members;
	return of->members_absent;
}

/* Of a union there may be thousands at one place. */
uint32_t precis_members_behind(const struct members *members, uint32_t n)
{
	const uint64_t bit = members->member[n].bit;
	uint32_t low = n + 1, high = members->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (members->member[middle].bit > bit)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

uint64_t precis_member_own(const struct members *members, uint32_t n)
{
	const struct member *member = &members->member[n];
	uint64_t begin;
	uint32_t next;

	/* Variants lie upon each other */
	if (member->is_bit_field || member->kind == MEMBER_VARIANT ||
	    member->kind == MEMBER_DISCRIMINANT)
		return member->bits;
	next = precis_members_behind(members, n);
	begin = next < members->count ? members->member[next].bit : UINT64_MAX;
	return begin - member->bit < member->bits ? begin - member->bit : member->bits;
}

/*
 * Of bases of bases, each structure once, and those that are deeper than TYPES_DEPTH not at all. What leads
 * back to itself has been asked already.
 */
static void inherit_elsewhere(struct members *members, uint32_t depth)
{
	members->has_inherited = 1;
	for (uint32_t n = 0; n < members->count && !members->elsewhere && depth < TYPES_DEPTH;
	     n++) {
		const struct precis_data_type *peeled;
		const struct members *of;

		if (members->member[n].kind != MEMBER_BASE ||
		    precis_data_type_peel(members->member[n].type, &peeled) ||
		    precis_members_of(peeled, &of) || !of)
			continue;
		if (!of->has_inherited)
			inherit_elsewhere((struct members *)(uintptr_t)of, depth + 1);
		if (of->elsewhere == PRECIS_DATA_TYPE_VIRTUAL_BASE)
			members->elsewhere = of->elsewhere;
	}
}

enum precis_data_type_absent precis_members_elsewhere(const struct members *members, uint64_t bits)
{
	if (!members->has_inherited)
		inherit_elsewhere((struct members *)(uintptr_t)members, 0);
	return bits < 8 ? PRECIS_DATA_TYPE_PRESENT : members->elsewhere;
}

/* It is asked of each member of each structure that is descended into. */
enum go_on { NOT_ASKED, END, GO_ON };

static int last_goes_on(const struct members *members)
{
	for (uint32_t depth = 0; depth < TYPES_DEPTH && members && members->count; depth++) {
		const struct member *last = &members->member[members->count - 1];
		const struct precis_data_type *peeled;

		if (last->goes_on)
			return 1;
		if (last->is_bit_field || last->kind != MEMBER_PLAIN ||
		    precis_data_type_peel(last->type, &peeled) ||
		    precis_data_type_tag(peeled) != DW_TAG_structure_type ||
		    precis_members_of(peeled, &members))
			return 0;
	}
	return 0;
}

int precis_members_go_on(const struct members *members)
{
	struct members *of = (struct members *)(uintptr_t)members;

	if (!of)
		return 0;
	if (of->go_on == NOT_ASKED)
		of->go_on = last_goes_on(members) ? GO_ON : END;
	return of->go_on == GO_ON;
}

void precis_members_free(struct members *members)
{
	if (members)
		free(members->member);
	free(members);
}
