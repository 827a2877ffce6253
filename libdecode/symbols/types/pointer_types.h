/* SPDX-License-Identifier: BSD-3-Clause */
/* What DWARF says of the pointers that code has in registers and memory, at one of its instructions. */
#ifndef PRECIS_SYMBOLS_TYPES_POINTER_TYPES_H
#define PRECIS_SYMBOLS_TYPES_POINTER_TYPES_H

#include "instruction.h"
#include "pointer_state.h"
#include "scopes.h"

struct pointer_types {
	struct precis_data_types *types;
	struct scopes *scopes; /* of 'scopes_at' */
	const struct pointer_state *state; /* before the instruction 'at' */
	Dwarf_Die function;
	uint64_t at, scopes_at;
};

/** @param scopes  of the function; moved as 'at' is changed */
void precis_pointer_types_begin(struct pointer_types *pointers, struct scopes *scopes,
				const struct pointer_state *state);

/** Is 'at' in the function? Its scopes are those there then. */
int precis_pointer_types_move(struct pointer_types *pointers);

/** The pointer type that a register has, by what was loaded into it or by the variable that it is. */
const struct precis_data_type *precis_pointer_register(struct pointer_types *pointers,
						       unsigned int number);

/** A variable that is in a register and points to something. @return 1: it is what was looked for */
typedef int each_variable(void *data, unsigned int number, const struct precis_data_type *type,
			  uint32_t evidence);

/** Call for variables in registers ('numbers': a bit each), the innermost first, until it says yes. */
int precis_pointer_registers(struct pointer_types *pointers, uint32_t numbers, each_variable *each,
			     void *data);

/** What type of pointer is at an operand in memory; the next instruction is at 'next'. */
const struct precis_data_type *precis_pointer_memory(struct pointer_types *pointers,
						     const struct operation *operation,
						     uint64_t next, uint32_t *evidence);

/** What type of pointer is where a value of kind POINTER_FRAME, POINTER_PLACE or POINTER_TYPED points. */
const struct precis_data_type *precis_pointer_place(struct pointer_types *pointers,
						    const struct pointer_value *value,
						    int64_t offset, uint32_t *evidence);

/** The argument of the function that a register is, by the variable there; -1: none is known. */
int precis_pointer_argument(struct pointer_types *pointers, unsigned int number);

/** Likewise that eight bytes of the frame are. */
int precis_pointer_frame_argument(struct pointer_types *pointers, int64_t at);

/** The parameter that an argument is, of those in registers from 0. @return its type; NULL: none is known */
const struct precis_data_type *precis_pointer_parameter(struct pointer_types *pointers,
							unsigned int argument);

/** PRECIS_ALLOCATION_OBJECT or PARAMETER of a parameter, PRECIS_ALLOCATION_VARIABLE of others. */
uint32_t precis_pointer_evidence(struct precis_data_types *types, const Dwarf_Die *variable);

#endif
