/* SPDX-License-Identifier: BSD-3-Clause */
/* See type.h. */
#define _GNU_SOURCE /* tdestroy() */

#include "type.h"

#include <search.h>
#include <stdlib.h>

#include <precis/error.h>

#include "arrays.h"
#include "complete.h"
#include "die.h"
#include "members.h"

static int by_address(const void *a, const void *b)
{
	const uintptr_t left = (uintptr_t)((const struct precis_data_type *)a)->address;
	const uintptr_t right = (uintptr_t)((const struct precis_data_type *)b)->address;

	return (left > right) - (left < right);
}

struct precis_data_type *precis_data_type_of(struct precis_data_types *types, Dwarf_Die *die, uint32_t language)
{
	const struct precis_data_type key = { .address = die->addr };
	const struct unit *unit = precis_die_unit(types, die);
	struct precis_data_type **found = tfind(&key, &types->types, by_address), *type;

	if (found)
		return *found;
	if (!unit) {
		types_lack(types, PRECIS_DATA_TYPE_MALFORMED);
		return NULL;
	}
	type = budget_alloc(&types->budget, sizeof(*type));
	if (!type || !tsearch((*type = key, type), &types->types, by_address)) {
		budget_free(&types->budget, type, sizeof(*type));
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		return NULL;
	}
	type->types = types;
	type->die = *die;
	type->language = unit->language ? unit->language : language;
	type->address_bytes = unit->address_bytes;
	return type;
}

int precis_data_type_follow(const struct precis_data_type *type, unsigned int attribute,
		       const struct precis_data_type **target)
{
	Dwarf_Die die, holder;
	int found;

	*target = NULL;
	if (!precis_die_holder(type->types, &type->die, attribute, &holder))
		return 1;
	found = precis_die_reference(type->types, &holder, attribute, &die);
	if (found > 0)
		*target = precis_data_type_of(type->types, &die, type->language);
	return found > 0 && *target;
}

unsigned int precis_data_type_tag(const struct precis_data_type *type)
{
	const int tag = type ? dwarf_tag(type_die(type)) : 0;

	return tag > 0 ? (unsigned int)tag : 0;
}

static int is_transparent(unsigned int tag)
{
	switch (tag) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_template_alias:
		return 1;
	default:
		return 0;
	}
}

enum precis_data_type_absent precis_data_type_peel(const struct precis_data_type *type, const struct precis_data_type **peeled)
{
	*peeled = NULL;
	for (unsigned int n = 0; n < TYPES_DEPTH; n++) {
		enum precis_data_type_absent absent;

		if (!type)
			return PRECIS_DATA_TYPE_PRESENT;
		if (is_transparent(precis_data_type_tag(type))) {
			if (!precis_data_type_follow(type, DW_AT_type, &type))
				return PRECIS_DATA_TYPE_MALFORMED;
			continue;
		}
		if (!precis_data_type_is_declaration(type)) {
			*peeled = type;
			return PRECIS_DATA_TYPE_PRESENT;
		}
		absent = precis_data_type_complete(type, &type);
		if (absent)
			return absent;
	}
	return PRECIS_DATA_TYPE_LOOP;
}

/* --- sizes ------------------------------------------------------------------------------- */

/* What the entry itself says. @return 0 if it says nothing */
static int own_size(const struct precis_data_type *type, uint64_t *bytes)
{
	Dwarf_Die *die = type_die(type);
	uint64_t bits;

	if (precis_die_unsigned(die, DW_AT_byte_size, bytes))
		return 1;
	if (!precis_die_unsigned(die, DW_AT_bit_size, &bits))
		return 0;
	*bytes = bits / 8 + (bits % 8 != 0);
	return 1;
}

static int is_address(unsigned int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

enum precis_data_type_absent precis_data_type_measure_deep(const struct precis_data_type *type, uint32_t depth,
						 uint64_t *bytes)
{
	enum precis_data_type_absent absent = precis_data_type_peel(type, &type);
	const unsigned int tag = precis_data_type_tag(type);
	struct array array;

	if (absent)
		return absent;
	if (depth >= TYPES_DEPTH)
		return PRECIS_DATA_TYPE_LOOP;
	if (tag == DW_TAG_array_type) {
		absent = precis_array_read(type, depth + 1, &array);
		*bytes = array.bytes;
		if (absent || array.is_empty)
			return absent;
		return array.is_open ? PRECIS_DATA_TYPE_RUN_TIME : PRECIS_DATA_TYPE_PRESENT;
	}
	if (!type || tag == DW_TAG_subroutine_type)
		return PRECIS_DATA_TYPE_NO_SIZE;
	if (own_size(type, bytes))
		return PRECIS_DATA_TYPE_PRESENT;
	*bytes = type->address_bytes;
	if (is_address(tag))
		return PRECIS_DATA_TYPE_PRESENT;
	if (tag != DW_TAG_enumeration_type && tag != DW_TAG_subrange_type)
		return tag == DW_TAG_string_type ? PRECIS_DATA_TYPE_RUN_TIME : PRECIS_DATA_TYPE_NO_SIZE;
	return precis_data_type_follow(type, DW_AT_type, &type) ? precis_data_type_measure_deep(type, depth + 1, bytes)
							   : PRECIS_DATA_TYPE_MALFORMED;
}

enum precis_data_type_absent precis_data_type_measure(const struct precis_data_type *type, uint64_t *bytes)
{
	return precis_data_type_measure_deep(type, 0, bytes);
}

/* --- what others ask --------------------------------------------------------------------- */

static const struct {
	uint16_t tag, kind;
} kinds[] = {
	{ DW_TAG_base_type, PRECIS_DATA_KIND_BASE },
	{ DW_TAG_subrange_type, PRECIS_DATA_KIND_BASE },
	{ DW_TAG_enumeration_type, PRECIS_DATA_KIND_ENUMERATION },
	{ DW_TAG_pointer_type, PRECIS_DATA_KIND_POINTER },
	{ DW_TAG_reference_type, PRECIS_DATA_KIND_POINTER },
	{ DW_TAG_rvalue_reference_type, PRECIS_DATA_KIND_POINTER },
	{ DW_TAG_ptr_to_member_type, PRECIS_DATA_KIND_MEMBER_POINTER },
	{ DW_TAG_structure_type, PRECIS_DATA_KIND_STRUCTURE },
	{ DW_TAG_class_type, PRECIS_DATA_KIND_STRUCTURE },
	{ DW_TAG_interface_type, PRECIS_DATA_KIND_STRUCTURE },
	{ DW_TAG_union_type, PRECIS_DATA_KIND_UNION },
	{ DW_TAG_array_type, PRECIS_DATA_KIND_ARRAY },
	{ DW_TAG_subroutine_type, PRECIS_DATA_KIND_FUNCTION },
	{ DW_TAG_string_type, PRECIS_DATA_KIND_STRING },
};

uint32_t precis_data_type_kind_of(unsigned int tag)
{
	for (size_t n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
		if (kinds[n].tag == tag)
			return kinds[n].kind;
	}
	return tag ? PRECIS_DATA_KIND_OTHER : PRECIS_DATA_KIND_VOID;
}

uint32_t precis_data_type_kind(const struct precis_data_type *type)
{
	const struct precis_data_type *peeled;

	/* A declaration that nothing completes is still of its kind */
	return precis_data_type_kind_of(precis_data_type_tag(precis_data_type_peel(type, &peeled) ? type : peeled));
}

int precis_data_type_bytes(const struct precis_data_type *type, uint64_t *bytes, uint32_t *absent)
{
	enum precis_data_type_absent why;
	uint64_t found = 0;

	if (!bytes)
		return PRECIS_E_ARGUMENT;
	why = precis_data_type_measure(type, &found);
	*bytes = why ? 0 : found;
	if (absent)
		*absent = why;
	return why == PRECIS_DATA_TYPE_PRESENT;
}

int precis_data_type_target(const struct precis_data_type *type, const struct precis_data_type **target)
{
	if (!target)
		return PRECIS_E_ARGUMENT;
	*target = NULL;
	switch (precis_data_type_tag(type)) {
	case DW_TAG_typedef:
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return precis_data_type_follow(type, DW_AT_type, target);
	default:
		return 0;
	}
}

static void free_type(void *node)
{
	struct precis_data_type *type = node;

	precis_members_free(type->members);
	free((char *)(uintptr_t)type->name);
	free(type);
}

void precis_data_types_clear(struct precis_data_types *types)
{
	tdestroy(types->types, free_type);
	types->types = NULL;
}
