/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The walk goes from entry to entry in the order of the bytes and never back, so that its length is that of
 * the section whatever references say. .debug_aranges would tell of code alone.
 */
#include "index.h"

#include <string.h>

#include "address.h"
#include "die.h"
#include "named.h"

/* Where the walk is */
struct walk {
	struct precis_data_types *types;
	uint32_t unit;
	const void *last; /* the entry that was visited last */
	uint32_t depth;
	Dwarf_Die die[TYPES_DEPTH];
	uint32_t scope[TYPES_DEPTH]; /* that the entries of a depth are in */
};

/* Nothing that is looked for is in its children */
#define SKIP UINT32_MAX

static int add_scope(struct walk *walk, const char *name, int is_function, int is_block)
{
	struct precis_data_types *types = walk->types;
	const struct scope scope = {
		.name = name, .parent = walk->scope[walk->depth],
		.is_function = (uint8_t)is_function, .is_block = (uint8_t)is_block,
	};

	if (types->scopes >= SKIP || !precis_data_types_grow(types, &types->scope, &types->scope_room,
							 types->scopes, sizeof(*types->scope))) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		return 0;
	}
	types->scope[types->scopes] = scope;
	return (int)types->scopes++;
}

static uint32_t scope_of(struct walk *walk, const char *name, int is_function, int is_block)
{
	const int added = name ? add_scope(walk, name, is_function, is_block) : 0;

	return added ? (uint32_t)added : walk->scope[walk->depth];
}

static void add_name(struct walk *walk, Dwarf_Die *die, const char *name)
{
	struct named named = {
		.address = die->addr,
		.name = name,
		.unit = walk->unit,
		.scope = walk->scope[walk->depth],
		.tag = (uint16_t)dwarf_tag(die),
		.is_declaration = precis_die_flag(die, DW_AT_declaration) ||
				  precis_die_has(die, DW_AT_signature),
	};
	Dwarf_Die declaration;

	/* One that has the signature of a type unit alone stands anywhere */
	if (precis_die_reference(walk->types, die, DW_AT_specification, &declaration) > 0 ||
	    (!precis_die_has(die, DW_AT_name) &&
	     precis_die_reference(walk->types, die, DW_AT_signature, &declaration) > 0))
		named.declaration = declaration.addr;
	if (!precis_named_add(walk->types, &named))
		types_lack(walk->types, PRECIS_DATA_TYPE_TOO_MANY);
}

/* A variable, or a whole COMMON block, if it lies somewhere for good; the declaration of one by its name */
static void visit_variable(struct walk *walk, Dwarf_Die *die, int is_block)
{
	struct precis_data_types *types = walk->types;
	struct variable variable = {
		.die = die->addr, .unit = walk->unit, .scope = walk->scope[walk->depth],
		.is_block = (uint8_t)is_block,
	};
	const char *name;

	if (!precis_address_of(types, &types->unit[walk->unit], die, &variable)) {
		name = precis_die_flag(die, DW_AT_declaration) ? precis_die_name(types, die) : NULL;
		if (name)
			add_name(walk, die, name);
		return;
	}
	if (!precis_data_types_grow(types, &types->variable, &types->variable_room, types->variables,
			       sizeof(*types->variable))) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		return;
	}
	types->variable[types->variables++] = variable;
}

static uint32_t visit_type(struct walk *walk, Dwarf_Die *die, int has_members)
{
	const char *name = precis_die_name(walk->types, die);

	if (name)
		add_name(walk, die, name);
	return has_members ? scope_of(walk, name, 0, 0) : SKIP;
}

/* @return the scope of its children, or SKIP */
static uint32_t visit(struct walk *walk, Dwarf_Die *die)
{
	const char *name;

	switch (dwarf_tag(die)) {
	case DW_TAG_variable:
		visit_variable(walk, die, 0);
		return SKIP;
	case DW_TAG_member: /* a static one, until DWARF 4 */
		if (precis_die_flag(die, DW_AT_declaration))
			visit_variable(walk, die, 0);
		return SKIP;
	case DW_TAG_common_block:
		visit_variable(walk, die, 1);
		return scope_of(walk, precis_die_text(walk->types, die, DW_AT_name), 0, 1);
	case DW_TAG_namespace:
		name = precis_die_name(walk->types, die);
		return scope_of(walk, name ? name : "(anonymous namespace)", 0, 0);
	case DW_TAG_module:
		return scope_of(walk, precis_die_name(walk->types, die), 0, 0);
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
		return scope_of(walk, precis_die_name(walk->types, die), 1, 0);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return visit_type(walk, die, 1);
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_typedef:
	case DW_TAG_unspecified_type:
		return visit_type(walk, die, 0);
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return walk->scope[walk->depth];
	default:
		return SKIP;
	}
}

/* Is that the next entry? Those that lead back are where the walk of their level ends. */
static int goes_on(struct walk *walk, int found, const Dwarf_Die *die)
{
	if (found > 0 && (uintptr_t)die->addr > (uintptr_t)walk->last)
		return 1;
	if (found)
		types_lack(walk->types, PRECIS_DATA_TYPE_MALFORMED);
	return 0;
}

static int enter(struct walk *walk, uint32_t scope)
{
	Dwarf_Die *die = &walk->die[walk->depth];

	if (!dwarf_haschildren(die))
		return 0;
	if (walk->depth + 1 == TYPES_DEPTH) {
		types_lack(walk->types, PRECIS_DATA_TYPE_LOOP);
		return 0;
	}
	if (!goes_on(walk, precis_die_child(die, die + 1), die + 1))
		return 0;
	walk->scope[++walk->depth] = scope;
	return 1;
}

static int advance(struct walk *walk)
{
	while (walk->depth > 0) {
		Dwarf_Die *die = &walk->die[walk->depth];

		if (goes_on(walk, precis_die_next(die, die), die))
			return 1;
		walk->depth--;
	}
	return 0;
}

static void walk_unit(struct precis_data_types *types, uint32_t unit)
{
	struct walk walk = { .types = types, .unit = unit };
	uint32_t scope = 0;

	walk.die[0] = types->unit[unit].root;
	walk.last = walk.die[0].addr;
	while ((scope != SKIP && enter(&walk, scope)) || advance(&walk)) {
		walk.last = walk.die[walk.depth].addr;
		scope = visit(&walk, &walk.die[walk.depth]);
	}
}

void precis_index_read(struct precis_data_types *types)
{
	/* Number 0: what is in nothing */
	if (!precis_data_types_grow(types, &types->scope, &types->scope_room, 0, sizeof(*types->scope))) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		return;
	}
	types->scope[types->scopes++] = (struct scope){ .name = NULL };
	for (size_t n = 0; n < types->units; n++)
		walk_unit(types, (uint32_t)n);
	precis_named_sort(types);
}
