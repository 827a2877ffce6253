/* SPDX-License-Identifier: BSD-3-Clause */
/* DWARF 5, sections 3.3 (functions, calls), 3.5 (blocks); calls of GNU's extension of version 4. */
#include "scopes.h"

#include "die.h"
#include "measure.h"
#include "type.h"
#include "unit_ranges.h"

/* What specifies what specifies …: two are usual */
#define CHAIN 8u

int precis_scopes_is_inner(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return 1;
	default:
		return 0;
	}
}

static int is_code(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram || precis_scopes_is_inner(die);
}

/* What functions can be in */
static int is_around(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return 1;
	default:
		return 0;
	}
}

/* The child of a scope that has the address. @return 0 if none has */
static int narrower(Dwarf_Die *scope, uint64_t address, Dwarf_Die *inner)
{
	Dwarf_Die child;

	for (int found = precis_die_child(scope, &child); found > 0;
	     found = precis_die_next(&child, &child)) {
		if (is_code(&child) && dwarf_haspc(&child, address) > 0) {
			*inner = child;
			return 1;
		}
	}
	return 0;
}

static void narrow(struct scopes *scopes, uint64_t address)
{
	Dwarf_Die inner;

	while (scopes->count < TYPES_DEPTH &&
	       narrower(&scopes->scope[scopes->count - 1], address - scopes->base, &inner))
		scopes->scope[scopes->count++] = inner;
}

/* The function of a unit, which may be in namespaces and classes */
static int find_function(Dwarf_Die *root, uint64_t address, Dwarf_Die *function)
{
	Dwarf_Die at[TYPES_DEPTH];
	uint32_t depth = 0;
	int found = precis_die_child(root, &at[0]);

	for (;;) {
		if (found <= 0) {
			if (!depth--)
				return 0;
		} else if (is_code(&at[depth]) && dwarf_haspc(&at[depth], address) > 0) {
			*function = at[depth];
			return 1;
		} else if (is_around(&at[depth]) && depth + 1 < TYPES_DEPTH) {
			found = precis_die_child(&at[depth], &at[depth + 1]);
			depth++;
			continue;
		}
		found = precis_die_next(&at[depth], &at[depth]);
	}
}

void precis_scopes_find(struct precis_data_types *types, uint64_t address, struct scopes *scopes)
{
	uint32_t unit = 0;

	scopes->types = types;
	scopes->count = 0;
	scopes->base = 0;
	for (; !scopes->count && precis_unit_ranges_next(types, address, unit, &unit); unit++) {
		scopes->base = types->unit[unit].code_base;
		scopes->count = (uint32_t)find_function(&types->unit[unit].root,
							address - scopes->base, &scopes->scope[0]);
	}
	if (scopes->count)
		narrow(scopes, address);
}

void precis_scopes_move(struct scopes *scopes, uint64_t address)
{
	scopes->count = scopes->count && dwarf_haspc(&scopes->scope[0], address - scopes->base) > 0;
	if (scopes->count)
		narrow(scopes, address);
}

static int returns_to(Dwarf_Die *call, uint64_t address)
{
	const int tag = dwarf_tag(call);
	Dwarf_Attribute attribute;
	Dwarf_Addr found;

	if (tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site)
		return 0;
	return dwarf_attr(call, tag == DW_TAG_call_site ? DW_AT_call_return_pc : DW_AT_low_pc, &attribute) &&
	       dwarf_formaddr(&attribute, &found) == 0 && found == address;
}

int precis_scopes_call(const struct scopes *scopes, uint64_t return_address, Dwarf_Die *call)
{
	for (uint32_t n = scopes->count; n-- > 0;) {
		Dwarf_Die scope = scopes->scope[n], child;

		for (int found = precis_die_child(&scope, &child); found > 0;
		     found = precis_die_next(&child, &child)) {
			if (returns_to(&child, return_address - scopes->base)) {
				*call = child;
				return 1;
			}
		}
	}
	return 0;
}

int precis_scopes_callee(const struct scopes *scopes, Dwarf_Die *call, Dwarf_Die *callee)
{
	return precis_die_reference(scopes->types, call, DW_AT_call_origin, callee) > 0 ||
	       precis_die_reference(scopes->types, call, DW_AT_abstract_origin, callee) > 0;
}

int precis_scopes_part(struct precis_data_types *types, const Dwarf_Die *function, unsigned int tag,
		       unsigned int n, Dwarf_Die *part)
{
	Dwarf_Die at = *function, next;

	for (unsigned int step = 0; step < CHAIN; step++) {
		unsigned int left = n;

		for (int found = precis_die_child(&at, part); found > 0;
		     found = precis_die_next(part, part)) {
			if (dwarf_tag(part) == (int)tag && left-- == 0)
				return 1;
		}
		if (precis_die_reference(types, &at, DW_AT_specification, &next) <= 0 &&
		    precis_die_reference(types, &at, DW_AT_abstract_origin, &next) <= 0)
			return 0;
		at = next;
	}
	return 0;
}

const struct precis_data_type *precis_scopes_pointed(const struct precis_data_type *type)
{
	const struct precis_data_type *target;

	if (precis_data_type_peel(type, &type) || precis_data_type_tag(type) != DW_TAG_pointer_type ||
	    precis_data_type_target(type, &target) <= 0)
		return NULL;
	return target;
}
