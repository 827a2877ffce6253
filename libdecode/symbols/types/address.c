/* SPDX-License-Identifier: BSD-3-Clause */
/* DWARF 5, section 2.5; GNU's operations of version 4 for threads' storage and split files. */
#include "address.h"

#include "die.h"

/* A number that an expression has on its stack */
struct value {
	uint64_t number;
	int is_there, is_thread;
};

/* Number n of the unit's addresses */
static int indexed(const struct precis_data_types *types, const struct unit *unit, uint64_t n,
		   uint64_t *address)
{
	const struct unit *holder = &types->unit[unit->skeleton];
	struct line_bytes bytes = holder->file->addresses;
	uint64_t at;

	if (__builtin_mul_overflow(n, holder->address_bytes, &at) ||
	    __builtin_add_overflow(at, holder->address_base, &at))
		return 0;
	return skip_bytes(&bytes, at) && take_fixed(&bytes, holder->address_bytes, address);
}

static int take_constant(struct line_bytes *from, uint8_t operation, uint64_t *number)
{
	int64_t with_sign;

	switch (operation) {
	case DW_OP_const1u:
		return take_fixed(from, 1, number);
	case DW_OP_const2u:
		return take_fixed(from, 2, number);
	case DW_OP_const4u:
		return take_fixed(from, 4, number);
	case DW_OP_const8u:
	case DW_OP_const8s:
		return take_fixed(from, 8, number);
	case DW_OP_constu:
		return take_uleb(from, number);
	case DW_OP_consts:
		if (!take_sleb(from, &with_sign))
			return 0;
		*number = (uint64_t)with_sign;
		return 1;
	default:
		return 0;
	}
}

/* What begins an expression. @return 0 if it is none of these */
static int begin(const struct precis_data_types *types, const struct unit *unit, uint8_t operation,
		 struct line_bytes *from, uint64_t *number)
{
	switch (operation) {
	case DW_OP_addr:
		return take_fixed(from, unit->address_bytes, number);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return take_uleb(from, number) && indexed(types, unit, *number, number);
	default:
		return take_constant(from, operation, number);
	}
}

/* One operation. @return 0 if it is none that is known here */
static int operate(const struct precis_data_types *types, const struct unit *unit, uint8_t operation,
		   struct line_bytes *from, struct value *value)
{
	uint64_t number;

	switch (operation) {
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		value->is_thread = 1;
		return value->is_there;
	case DW_OP_plus_uconst:
		if (!value->is_there || !take_uleb(from, &number))
			return 0;
		value->number += number;
		return 1;
	default:
		if (value->is_there)
			return 0;
		value->is_there = begin(types, unit, operation, from, &value->number);
		return value->is_there;
	}
}

/* CONSTANT, DW_OP_plus: as gfortran has it for members of COMMON blocks in some versions */
static int add_constant(struct line_bytes *from, uint8_t operation, struct value *value)
{
	struct line_bytes ahead = *from;
	uint64_t number;
	uint8_t plus;

	if (!value->is_there || !take_constant(&ahead, operation, &number) || !take_u8(&ahead, &plus) ||
	    plus != DW_OP_plus)
		return 0;
	value->number += number;
	*from = ahead;
	return 1;
}

int precis_address_of(struct precis_data_types *types, const struct unit *unit, Dwarf_Die *die,
		      struct variable *variable)
{
	struct value value = { 0, 0, 0 };
	struct line_bytes left;
	uint8_t operation;

	if (!precis_die_block(die, DW_AT_location, &left))
		return 0;
	while (take_u8(&left, &operation)) {
		if (!add_constant(&left, operation, &value) &&
		    !operate(types, unit, operation, &left, &value))
			return 0;
	}
	variable->address = value.number;
	variable->is_thread = (uint8_t)value.is_thread;
	return value.is_there;
}

int precis_address_offset(struct line_bytes expression, uint64_t *offset)
{
	uint8_t operation;

	return take_u8(&expression, &operation) && operation == DW_OP_plus_uconst &&
	       take_uleb(&expression, offset) && !expression.bytes;
}
