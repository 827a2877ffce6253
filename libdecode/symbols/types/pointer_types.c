/* SPDX-License-Identifier: BSD-3-Clause */
/* Location lists say which variable a register is; without optimization all variables are in the frame. */
#include "pointer_types.h"

#include "die.h"
#include "measure.h"
#include "type.h"

#define PARAMETERS_MOST 64

void precis_pointer_types_begin(struct pointer_types *pointers, struct scopes *scopes,
				const struct pointer_state *state)
{
	*pointers = (struct pointer_types){
		.types = scopes->types,
		.scopes = scopes,
		.state = state,
		.function = scopes->scope[0],
		.scopes_at = UINT64_MAX,
	};
}

int precis_pointer_types_move(struct pointer_types *pointers)
{
	struct scopes *scopes = pointers->scopes;

	if (pointers->scopes_at == pointers->at)
		return scopes->count != 0;
	scopes->scope[0] = pointers->function;
	scopes->count = 1;
	precis_scopes_move(scopes, pointers->at);
	pointers->scopes_at = pointers->at;
	return scopes->count != 0;
}

/* --- variables -------------------------------------------------------------------------------- */

/* The one operation of where a variable is at an instruction. @return 0 if there are more, or none */
static int location_of(Dwarf_Die *die, unsigned int attribute_name, uint64_t address,
		       Dwarf_Op *operation)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;

	if (!dwarf_attr(die, attribute_name, &attribute) ||
	    dwarf_getlocation_addr(&attribute, address, &operations, &count, 1) != 1 || count != 1)
		return 0;
	*operation = operations[0];
	return 1;
}

static int is_variable(Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);

	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* DWARF has other numbers: System V ABI, figure 3.36. @return POINTER_REGISTERS if it is in none of these */
static unsigned int register_of(const Dwarf_Op *operation)
{
	static const uint8_t numbers[8] = { 0, 2, 1, 3, 6, 7, 5, 4 };
	unsigned int number = POINTER_REGISTERS;

	if (operation->atom == DW_OP_regx && operation->number < POINTER_REGISTERS)
		number = (unsigned int)operation->number;
	else if (operation->atom >= DW_OP_reg0 && operation->atom < DW_OP_reg0 + POINTER_REGISTERS)
		number = (unsigned int)operation->atom - DW_OP_reg0;
	return number < 8 ? numbers[number] : number;
}

/* A register plus a number. @return 0 if the register is not known to point into the frame */
static int frame_plus(const struct pointer_types *pointers, unsigned int number, uint64_t plus,
		      int64_t *at)
{
	const struct pointer_value *value = &pointers->state->reg[number];

	*at = (int64_t)((uint64_t)value->by + plus);
	return value->kind == POINTER_FRAME;
}

/* Where the frame's variables are counted from. @return 0 if that is not known */
static int frame_base(struct pointer_types *pointers, int64_t *base)
{
	Dwarf_Op operation;

	if (!location_of(&pointers->scopes->scope[0], DW_AT_frame_base,
			 pointers->at - pointers->scopes->base, &operation))
		return 0;
	switch (operation.atom) {
	case DW_OP_reg6:
		return frame_plus(pointers, REGISTER_RBP, 0, base);
	case DW_OP_breg6:
		return frame_plus(pointers, REGISTER_RBP, operation.number, base);
	case DW_OP_reg7:
		return frame_plus(pointers, REGISTER_RSP, 0, base);
	case DW_OP_breg7:
		return frame_plus(pointers, REGISTER_RSP, operation.number, base);
	case DW_OP_call_frame_cfa: /* behind the return address */
		*base = 8;
		return 1;
	default:
		return 0;
	}
}

/* Where in the frame a variable is. @return 0 if it is not there */
static int frame_place(struct pointer_types *pointers, const Dwarf_Op *operation, int64_t *at)
{
	int64_t base;

	switch (operation->atom) {
	case DW_OP_fbreg:
		if (!frame_base(pointers, &base))
			return 0;
		*at = (int64_t)((uint64_t)base + operation->number);
		return 1;
	case DW_OP_breg6:
		return frame_plus(pointers, REGISTER_RBP, operation->number, at);
	case DW_OP_breg7:
		return frame_plus(pointers, REGISTER_RSP, operation->number, at);
	default:
		return 0;
	}
}

/* All variables of all scopes, the innermost first */
struct variables {
	struct pointer_types *pointers;
	uint32_t left; /* scopes */
	int is_inside; /* one of them has been begun */
	Dwarf_Die die;
	Dwarf_Op location;
};

static struct variables variables_of(struct pointer_types *pointers)
{
	return (struct variables){
		.pointers = pointers,
		.left = precis_pointer_types_move(pointers) ? pointers->scopes->count : 0,
	};
}

/* @return 0 if there are no more */
static int next_variable(struct variables *variables)
{
	const struct scopes *scopes = variables->pointers->scopes;

	for (;;) {
		int found;

		if (variables->is_inside) {
			found = precis_die_next(&variables->die, &variables->die);
		} else {
			Dwarf_Die scope;

			if (!variables->left)
				return 0;
			scope = scopes->scope[--variables->left];
			found = precis_die_child(&scope, &variables->die);
		}
		variables->is_inside = found > 0;
		if (found > 0 && is_variable(&variables->die) &&
		    location_of(&variables->die, DW_AT_location,
				variables->pointers->at - scopes->base, &variables->location))
			return 1;
	}
}

/* Of several in one register what points to something: a parameter void * may be beside it */
static const struct precis_data_type *pointer_variable(const struct variables *variables)
{
	const struct precis_data_type *type =
		precis_die_type(variables->pointers->types, &variables->die);

	return precis_scopes_pointed(type) ? type : NULL;
}

uint32_t precis_pointer_evidence(struct precis_data_types *types, const Dwarf_Die *variable)
{
	Dwarf_Die die = *variable, holder;

	if (dwarf_tag(&die) != DW_TAG_formal_parameter)
		return PRECIS_ALLOCATION_VARIABLE;
	return precis_die_holder(types, variable, DW_AT_artificial, &holder)
		       ? PRECIS_ALLOCATION_OBJECT
		       : PRECIS_ALLOCATION_PARAMETER;
}

int precis_pointer_registers(struct pointer_types *pointers, uint32_t numbers, each_variable *each,
			     void *data)
{
	struct variables variables = variables_of(pointers);

	while (next_variable(&variables)) {
		const unsigned int number = register_of(&variables.location);
		const struct precis_data_type *type;

		if (number >= POINTER_REGISTERS || !(numbers & 1u << number))
			continue;
		type = pointer_variable(&variables);
		if (type && each(data, number, type,
				 precis_pointer_evidence(pointers->types, &variables.die)))
			return 1;
	}
	return 0;
}

static int take_first(void *data, unsigned int number, const struct precis_data_type *type,
		      uint32_t evidence)
{
	const struct precis_data_type **first = data;

	(void)number;
	(void)evidence;
	*first = type;
	return 1;
}

const struct precis_data_type *precis_pointer_register(struct pointer_types *pointers,
						       unsigned int number)
{
	const struct precis_data_type *first = NULL;
	const struct pointer_value *value;

	if (number >= POINTER_REGISTERS)
		return NULL;
	value = &pointers->state->reg[number];
	if ((value->kind == POINTER_TYPED || value->kind == POINTER_ELEMENT ||
	     value->kind == POINTER_ARGUMENT) &&
	    value->type)
		return value->type;
	precis_pointer_registers(pointers, 1u << number, take_first, &first);
	return first;
}

/* The variable at a place of the frame */
static const struct precis_data_type *frame_variable(struct pointer_types *pointers, int64_t place,
						     uint64_t *offset)
{
	struct variables variables = variables_of(pointers);

	while (next_variable(&variables)) {
		const struct precis_data_type *type;
		uint64_t bytes;
		int64_t at;

		if (!frame_place(pointers, &variables.location, &at))
			continue;
		type = precis_die_type(pointers->types, &variables.die);
		*offset = (uint64_t)place - (uint64_t)at;
		if (!precis_data_type_measure(type, &bytes) && *offset < bytes)
			return type;
	}
	return NULL;
}

/* --- parameters ------------------------------------------------------------------------------- */

/* Is it passed in a register for numbers and pointers? -1: not known, as of structures: they may be in two */
static int takes_register(const struct precis_data_type *type)
{
	uint64_t bytes, encoding;

	if (precis_data_type_peel(type, &type) || precis_data_type_measure(type, &bytes))
		return -1;
	switch (precis_data_type_kind_of(precis_data_type_tag(type))) {
	case PRECIS_DATA_KIND_POINTER:
	case PRECIS_DATA_KIND_ENUMERATION:
		return 1;
	case PRECIS_DATA_KIND_BASE:
		if (bytes > 8 || !precis_die_unsigned(type_die(type), DW_AT_encoding, &encoding))
			return -1;
		return encoding != DW_ATE_float;
	default:
		return -1;
	}
}

/* Is memory for the result passed before all others? -1: not known */
static int takes_room_for_result(struct pointer_types *pointers)
{
	const struct precis_data_type *type = precis_die_type(pointers->types, &pointers->function);

	if (!type)
		return 0;
	return takes_register(type) >= 0 ? 0 : -1;
}

/* Parameters of the function, each with the argument that it is, as far as that is known */
struct parameters {
	struct pointer_types *pointers;
	Dwarf_Die die;
	uint32_t number;
	int argument; /* the next one; -1: not known */
};

/* @param taken  which argument it is; -1: it is in none of the registers. @return 0: there are no more */
static int next_parameter(struct parameters *parameters, int *taken)
{
	struct pointer_types *pointers = parameters->pointers;
	int takes;

	if (parameters->number == PARAMETERS_MOST || parameters->argument < 0 ||
	    !precis_scopes_part(pointers->types, &pointers->function, DW_TAG_formal_parameter,
				parameters->number, &parameters->die))
		return 0;
	takes = takes_register(precis_die_type(pointers->types, &parameters->die));
	*taken = takes > 0 ? parameters->argument : -1;
	parameters->number++;
	parameters->argument = takes < 0 ? -1 : parameters->argument + takes;
	return 1;
}

static struct parameters parameters_of(struct pointer_types *pointers)
{
	return (struct parameters){ .pointers = pointers,
				    .argument = takes_room_for_result(pointers) };
}

typedef int is_there(struct pointer_types *pointers, const Dwarf_Op *location, int64_t place);

static int find_parameter(struct pointer_types *pointers, is_there *there, int64_t place)
{
	struct parameters parameters = parameters_of(pointers);
	Dwarf_Op location;
	int taken;

	if (!precis_pointer_types_move(pointers))
		return -1;
	while (next_parameter(&parameters, &taken)) {
		if (location_of(&parameters.die, DW_AT_location,
				pointers->at - pointers->scopes->base, &location) &&
		    there(pointers, &location, place))
			return taken;
	}
	return -1;
}

static int is_register(struct pointer_types *pointers, const Dwarf_Op *location, int64_t place)
{
	(void)pointers;
	return register_of(location) == (unsigned int)place;
}

static int is_frame(struct pointer_types *pointers, const Dwarf_Op *location, int64_t place)
{
	int64_t at;

	return frame_place(pointers, location, &at) && at == place;
}

int precis_pointer_argument(struct pointer_types *pointers, unsigned int number)
{
	return number < POINTER_REGISTERS ? find_parameter(pointers, is_register, number) : -1;
}

int precis_pointer_frame_argument(struct pointer_types *pointers, int64_t at)
{
	return find_parameter(pointers, is_frame, at);
}

const struct precis_data_type *precis_pointer_parameter(struct pointer_types *pointers,
							unsigned int argument)
{
	struct parameters parameters = parameters_of(pointers);
	int taken;

	while (next_parameter(&parameters, &taken)) {
		if (taken == (int)argument)
			return precis_die_type(pointers->types, &parameters.die);
	}
	return NULL;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The type of a pointer at an offset of something. @return NULL if there is none, or several may be meant */
static const struct precis_data_type *pointer_at(const struct precis_data_type *type,
						 uint64_t offset)
{
	struct precis_data_type_path path = { .size = sizeof(path) };
	const struct precis_data_type *found = NULL;
	struct precis_data_type_paths *paths;

	if (precis_data_type_paths_new(&paths) != 0)
		return NULL;
	if (precis_data_type_at(type, offset, 8, paths) == 1 &&
	    precis_data_type_path(paths, 0, &path) > 0 && path.kind == PRECIS_PATH_MEMBER &&
	    path.offset == offset && path.bytes == 8)
		found = path.type;
	precis_data_type_paths_free(paths);
	return found;
}

static const struct precis_data_type *static_at(struct pointer_types *pointers, uint64_t address)
{
	struct precis_variable variable = { .size = sizeof(variable) };

	if (precis_data_types_variable_at(pointers->types, 0, address, &variable) <= 0 ||
	    !variable.type)
		return NULL;
	return pointer_at(variable.type, address - variable.address);
}

static const struct precis_data_type *frame_at(struct pointer_types *pointers, int64_t place)
{
	uint64_t offset;
	const struct precis_data_type *type = frame_variable(pointers, place, &offset);

	return type ? pointer_at(type, offset) : NULL;
}

/* What a pointer with an offset, and an index perhaps, leads to: all pointers of an array have one type */
static const struct precis_data_type *pointed_at(const struct precis_data_type *pointer,
						 int64_t offset, int has_index, unsigned int scale)
{
	const struct precis_data_type *pointed = precis_scopes_pointed(pointer);

	if (!pointed)
		return NULL;
	if (precis_scopes_pointed(pointed))
		return offset % 8 == 0 && (!has_index || scale == 8) ? pointed : NULL;
	return has_index ? NULL : pointer_at(pointed, (uint64_t)offset);
}

const struct precis_data_type *precis_pointer_place(struct pointer_types *pointers,
						    const struct pointer_value *value,
						    int64_t offset, uint32_t *evidence)
{
	const int64_t by = (int64_t)((uint64_t)value->by + (uint64_t)offset);
	const struct precis_data_type *type = value->type;
	const uint64_t at = pointers->at;

	*evidence = PRECIS_ALLOCATION_VARIABLE;
	if (value->kind == POINTER_FRAME)
		return frame_at(pointers, by);
	if (value->kind == POINTER_PLACE && value->base == REGISTER_RIP)
		return static_at(pointers, (uint64_t)by);
	*evidence = PRECIS_ALLOCATION_MEMBER;
	if (value->kind == POINTER_TYPED)
		return pointed_at(type, offset, 0, 0);
	if (value->kind != POINTER_PLACE)
		return NULL;
	if (!type) {
		pointers->at = value->at;
		precis_pointer_registers(pointers, 1u << value->base, take_first, &type);
		pointers->at = at;
	}
	return pointed_at(type, by, 0, 0);
}

const struct precis_data_type *precis_pointer_memory(struct pointer_types *pointers,
						     const struct operation *operation,
						     uint64_t next, uint32_t *evidence)
{
	const int has_index = operation->index != REGISTER_NONE;
	const struct pointer_value *base;

	*evidence = PRECIS_ALLOCATION_VARIABLE;
	if (operation->is_of_thread)
		return NULL;
	if (operation->base == REGISTER_RIP)
		return static_at(pointers, next + (uint64_t)operation->offset);
	if (operation->base == REGISTER_NONE && (!has_index || operation->scale == 8))
		return static_at(pointers, (uint64_t)operation->offset);
	if (operation->base >= POINTER_REGISTERS)
		return NULL;
	base = &pointers->state->reg[operation->base];
	if (!has_index && (base->kind == POINTER_FRAME || base->kind == POINTER_PLACE))
		return precis_pointer_place(pointers, base, operation->offset, evidence);
	*evidence = PRECIS_ALLOCATION_MEMBER;
	return pointed_at(precis_pointer_register(pointers, operation->base), operation->offset,
			  has_index, operation->scale);
}
