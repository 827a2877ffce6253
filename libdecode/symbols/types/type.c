/* SPDX-License-Identifier: BSD-3-Clause */
/* See type.h. */

#include "type.h"

#include <search.h>

#include <precis/error.h>

#include "die.h"

static int by_address(const void *a, const void *b)
{
	const uintptr_t left = (uintptr_t)((const struct precis_data_type *)a)->address;
	const uintptr_t right = (uintptr_t)((const struct precis_data_type *)b)->address;

	return (left > right) - (left < right);
}

struct precis_data_type *precis_data_type_of(struct precis_data_types *types, Dwarf_Die *die,
					     uint32_t language)
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

enum precis_data_type_absent precis_data_type_nowhere(const struct precis_data_types *types)
{
	return types->lack == PRECIS_DATA_TYPE_NO_SUPPLEMENT ? PRECIS_DATA_TYPE_NO_SUPPLEMENT
							     : PRECIS_DATA_TYPE_MALFORMED;
}

unsigned int precis_data_type_tag(const struct precis_data_type *type)
{
	const int tag = type ? dwarf_tag(type_die(type)) : 0;

	return tag > 0 ? (unsigned int)tag : 0;
}

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

const struct precis_data_type *precis_die_type(struct precis_data_types *types,
					       const Dwarf_Die *die)
{
	Dwarf_Die holder, target;
	const struct unit *unit;

	if (!precis_die_holder(types, die, DW_AT_type, &holder) ||
	    precis_die_reference(types, &holder, DW_AT_type, &target) <= 0)
		return NULL;
	unit = precis_die_unit(types, die);
	return precis_data_type_of(types, &target, unit ? unit->language : 0);
}
