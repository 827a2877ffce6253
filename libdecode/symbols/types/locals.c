/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where code keeps its variables: DWARF 5, section 2.6 (locations, lists of them), 3.3.5 (frame bases). Of
 * expressions those that compilers write for pointers are understood: a register, a register plus a constant,
 * an offset in the frame, and pieces of registers.
 */
#include <stdlib.h>

#include <precis/error.h>

#include "die.h"
#include "libdecode/sample/abi.h"
#include "measure.h"
#include "scopes.h"
#include "type.h"

/* Compilers stay far below; what has more is cut off there */
#define PLACES_MOST 100000u
#define ENTRIES_MOST 1000000u
#define RANGES_MOST 64u

struct range {
	uint64_t low, high;
};

struct precis_data_locals {
	struct precis_data_types *types;
	struct scopes scopes; /* of the address, later of calls */
	Dwarf_Die function;
	struct precis_local *list;
	size_t count, room;
	struct range range[RANGES_MOST];
	uint32_t ranges;
};

/* --- one variable ------------------------------------------------------------------------------- */

/* Where a part is, as far as the expression says; 'place' is filled */
static int read_register(const Dwarf_Op *operation, struct precis_local *place)
{
	if (operation->atom >= DW_OP_reg0 && operation->atom <= DW_OP_reg31)
		place->number = operation->atom - DW_OP_reg0;
	else if (operation->atom == DW_OP_regx && operation->number <= UINT32_MAX)
		place->number = (uint32_t)operation->number;
	else
		return 0;
	place->place = PRECIS_LOCAL_REGISTER;
	place->offset = 0;
	return 1;
}

static int read_based(const Dwarf_Op *operation, struct precis_local *place)
{
	if (operation->atom >= DW_OP_breg0 && operation->atom <= DW_OP_breg31) {
		place->number = operation->atom - DW_OP_breg0;
		place->offset = (int64_t)operation->number;
	} else if (operation->atom == DW_OP_bregx && operation->number <= UINT32_MAX) {
		place->number = (uint32_t)operation->number;
		place->offset = (int64_t)operation->number2;
	} else {
		return 0;
	}
	place->place = PRECIS_LOCAL_MEMORY;
	return 1;
}

/* What offsets in the frame are counted from */
static int read_frame_base(struct precis_data_locals *locals, uint64_t at, struct precis_local *place)
{
	const uint64_t address = at - locals->scopes.base;
	Dwarf_Attribute attribute;
	Dwarf_Op *operation;
	size_t count;

	if (!dwarf_attr(&locals->function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, address, &operation, &count, 1) != 1 || count != 1)
		return 0;
	if (operation->atom == DW_OP_call_frame_cfa) {
		place->place = PRECIS_LOCAL_FRAME;
		place->number = 0;
		place->offset = 0;
		return 1;
	}
	if (read_register(operation, place)) {
		place->place = PRECIS_LOCAL_MEMORY;
		return 1;
	}
	return read_based(operation, place);
}

static int read_place(struct precis_data_locals *locals, const Dwarf_Op *operation, uint64_t at,
		      struct precis_local *place)
{
	if (operation->atom != DW_OP_fbreg)
		return read_register(operation, place) || read_based(operation, place);
	return read_frame_base(locals, at, place) &&
	       !__builtin_add_overflow(place->offset, (int64_t)operation->number, &place->offset);
}

/* What a register had at the function's entry */
static int read_entry(Dwarf_Attribute *attribute, const Dwarf_Op *operation, struct precis_local *place)
{
	Dwarf_Attribute inner;
	Dwarf_Op *of_entry;
	size_t count;

	if ((operation->atom != DW_OP_entry_value && operation->atom != DW_OP_GNU_entry_value) ||
	    dwarf_getlocation_attr(attribute, operation, &inner) != 0 ||
	    dwarf_getlocation(&inner, &of_entry, &count) != 0 || count != 1 ||
	    !read_register(of_entry, place))
		return 0;
	place->place = PRECIS_LOCAL_ENTRY;
	return 1;
}

/* @return 0 if memory is short, or there are too many */
static int add(struct precis_data_locals *locals, const struct precis_local *place)
{
	if (place->low >= place->high)
		return 1;
	if (locals->count == PLACES_MOST ||
	    !precis_data_types_grow(locals->types, &locals->list, &locals->room, locals->count,
				    sizeof(*locals->list)))
		return 0;
	locals->list[locals->count++] = *place;
	return 1;
}

/* A list's entry, or the one expression that there is */
struct expression {
	Dwarf_Attribute *attribute;
	const Dwarf_Op *operation;
	size_t count;
};

/* Parts that lie behind each other, or one for all of the variable */
static int add_expression(struct precis_data_locals *locals, const struct expression *expression,
			  const struct precis_local *variable)
{
	const Dwarf_Op *operation = expression->operation;
	const size_t count = expression->count;
	struct precis_local place = *variable;
	uint64_t part = 0;
	size_t n = 0;

	if (count == 2 && operation[1].atom == DW_OP_stack_value &&
	    read_entry(expression->attribute, &operation[0], &place))
		return add(locals, &place);
	while (n < count) {
		const int is_known = read_place(locals, &operation[n], variable->low, &place);

		/* a part that is nowhere has its length alone */
		n += operation[n].atom != DW_OP_piece;
		if (n < count && operation[n].atom == DW_OP_stack_value && is_known &&
		    place.place == PRECIS_LOCAL_MEMORY) {
			place.place = PRECIS_LOCAL_VALUE;
			n++;
		}
		if (n < count && operation[n].atom != DW_OP_piece)
			return 1;
		place.part = part;
		if (is_known && !add(locals, &place))
			return 0;
		if (n < count && __builtin_add_overflow(part, operation[n++].number, &part))
			return 1;
	}
	return 1;
}

/* In all of the ranges that its scope has */
static int add_everywhere(struct precis_data_locals *locals, Dwarf_Die *scope,
			  const struct expression *expression, struct precis_local *variable)
{
	Dwarf_Addr base, low, high;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(scope, at, &base, &low, &high)) > 0;) {
		variable->low = low + locals->scopes.base;
		variable->high = high + locals->scopes.base;
		if (!add_expression(locals, expression, variable))
			return 0;
	}
	return 1;
}

static int add_variable(struct precis_data_locals *locals, Dwarf_Die *scope, Dwarf_Die *die, uint32_t depth)
{
	struct precis_local variable = { .size = sizeof(variable), .depth = depth };
	Dwarf_Attribute attribute;
	Dwarf_Addr base, low, high;
	Dwarf_Op *operation;
	size_t count;

	if (!dwarf_attr(die, DW_AT_location, &attribute))
		return 1;
	variable.type = precis_die_type(locals->types, die);
	if (!variable.type)
		return 1;
	variable.name = precis_die_name(locals->types, die);
	for (ptrdiff_t at = 0; (at = dwarf_getlocations(&attribute, at, &base, &low, &high, &operation,
							&count)) > 0;) {
		const struct expression expression = { &attribute, operation, count };
		int added;

		if (!count)
			continue;
		variable.low = low + locals->scopes.base;
		variable.high = high + locals->scopes.base;
		/* no list: libdw has all addresses for it */
		added = low == 0 && high == UINT64_MAX
				? add_everywhere(locals, scope, &expression, &variable)
				: add_expression(locals, &expression, &variable);
		if (!added)
			return 0;
	}
	return 1;
}

/* --- all of a function --------------------------------------------------------------------------- */

/* @return 0 if no more is to be read */
static int visit(struct precis_data_locals *locals, Dwarf_Die *scope, Dwarf_Die *die, uint32_t depth)
{
	const int tag = dwarf_tag(die);

	return (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
	       add_variable(locals, scope, die, depth);
}

/* Entries follow each other in the order of their bytes, and none is seen twice: the walk ends. */
static void read_all(struct precis_data_locals *locals)
{
	Dwarf_Die at[TYPES_DEPTH];
	uint32_t depth = 1;
	int found;

	at[0] = locals->function;
	found = precis_die_child(&at[0], &at[1]);
	for (uint32_t entries = 0; entries < ENTRIES_MOST; entries++) {
		if (found <= 0) {
			if (--depth == 0)
				return;
		} else if (!visit(locals, &at[depth - 1], &at[depth], depth - 1)) {
			return;
		} else if (precis_scopes_is_inner(&at[depth]) && depth + 1 < TYPES_DEPTH) {
			found = precis_die_child(&at[depth], &at[depth + 1]);
			depth++;
			continue;
		}
		found = precis_die_next(&at[depth], &at[depth]);
	}
}

/* The one that it begins in comes first. */
static void read_ranges(struct precis_data_locals *locals)
{
	const uint64_t moved = locals->scopes.base;
	Dwarf_Addr base, low, high, entry;

	for (ptrdiff_t at = 0; locals->ranges < RANGES_MOST &&
			       (at = dwarf_ranges(&locals->function, at, &base, &low, &high)) > 0;) {
		if (low < high)
			locals->range[locals->ranges++] =
				(struct range){ low + moved, high + moved };
	}
	if (dwarf_entrypc(&locals->function, &entry) != 0)
		return;
	for (uint32_t n = 1; n < locals->ranges; n++) {
		const struct range range = locals->range[n];

		if (range.low <= entry + moved && entry + moved < range.high) {
			locals->range[n] = locals->range[0];
			locals->range[0] = range;
			return;
		}
	}
}

int precis_data_locals_new(struct precis_data_types *types, uint64_t address,
			   struct precis_data_locals **locals)
{
	struct precis_data_locals *made;

	if (!types || !locals)
		return PRECIS_E_ARGUMENT;
	*locals = NULL;
	made = calloc(1, sizeof(*made));
	if (!made)
		return PRECIS_E_NO_MEMORY;
	made->types = types;
	precis_scopes_find(types, address, &made->scopes);
	if (!made->scopes.count) {
		free(made);
		return 0;
	}
	made->function = made->scopes.scope[0];
	read_ranges(made);
	read_all(made);
	*locals = made;
	return 1;
}

void precis_data_locals_free(struct precis_data_locals *locals)
{
	if (!locals)
		return;
	locals->types->budget.left += locals->room * sizeof(*locals->list);
	free(locals->list);
	free(locals);
}

int precis_data_locals_get(const struct precis_data_locals *locals, uint32_t n, struct precis_local *local)
{
	ABI_OUT(struct precis_local, local, precis_data_locals_get(locals, n, &abi));
	if (!locals)
		return PRECIS_E_ARGUMENT;
	if (n >= locals->count)
		return 0;
	*local = locals->list[n];
	return 1;
}

int precis_data_locals_range(const struct precis_data_locals *locals, uint32_t n, uint64_t *low,
			     uint64_t *high)
{
	if (!locals || !low || !high)
		return PRECIS_E_ARGUMENT;
	if (n >= locals->ranges)
		return 0;
	*low = locals->range[n].low;
	*high = locals->range[n].high;
	return 1;
}

int precis_data_type_pointed(const struct precis_data_type *type, const struct precis_data_type **target)
{
	if (!target)
		return PRECIS_E_ARGUMENT;
	*target = NULL;
	if (precis_data_type_peel(type, &type) ||
	    precis_data_type_kind_of(precis_data_type_tag(type)) != PRECIS_DATA_KIND_POINTER)
		return 0;
	precis_data_type_target(type, target);
	return 1;
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* The function that begins at an address */
static int function_at(struct precis_data_types *types, uint64_t address, Dwarf_Die *function)
{
	struct scopes scopes;
	Dwarf_Addr entry;

	precis_scopes_find(types, address, &scopes);
	if (!scopes.count || dwarf_entrypc(&scopes.scope[0], &entry) != 0 ||
	    entry + scopes.base != address)
		return 0;
	*function = scopes.scope[0];
	return 1;
}

int precis_data_locals_returned(struct precis_data_locals *locals, uint64_t return_address, uint64_t target,
				const struct precis_data_type **type)
{
	Dwarf_Die call, callee;

	if (!locals || !type)
		return PRECIS_E_ARGUMENT;
	*type = NULL;
	locals->scopes.scope[0] = locals->function;
	locals->scopes.count = 1;
	precis_scopes_move(&locals->scopes, return_address - 1);
	if (locals->scopes.count && precis_scopes_call(&locals->scopes, return_address, &call) &&
	    precis_scopes_callee(&locals->scopes, &call, &callee))
		*type = precis_die_type(locals->types, &callee);
	else if (target && function_at(locals->types, target, &callee))
		*type = precis_die_type(locals->types, &callee);
	return *type != NULL;
}
