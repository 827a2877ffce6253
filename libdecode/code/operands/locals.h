/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of a function, by where they are before an instruction. */
#ifndef LIBDECODE_CODE_OPERANDS_LOCALS_H
#define LIBDECODE_CODE_OPERANDS_LOCALS_H

#include "state.h"
#include "pointers.h"

/*
 * Of each register, of the frame, and of what each register had at first: places in the order of where they
 * begin
 */
#define OPERAND_GROUPS (2 * OPERAND_REGISTERS + 1u)

struct operand_place {
	struct precis_local local;
	uint64_t reach; /* the highest end of this one and those before it */
};

struct operand_locals {
	struct precis_data_locals *all;
	struct operand_place *list;
	uint32_t first[OPERAND_GROUPS + 1]; /* of each group, and the end */
};

/* @return 1; 0 if no function is known at the address; or PRECIS_E_NO_MEMORY */
int operand_locals_read(struct precis_data_types *types, uint64_t address, struct operand_locals *locals);

void operand_locals_free(struct operand_locals *locals);

/*
 * Pointers that a register has before an instruction, by the variables that are in it, the innermost first.
 * @return how many, up to 'most'
 */
uint32_t operand_locals_in(const struct operand_locals *locals, struct precis_data_type_paths *paths,
			   uint64_t address, uint32_t number, struct operand_value *values, uint32_t most);

/* What registers have when the function begins, as far as variables are said to be that later */
void operand_locals_begin(const struct operand_locals *locals, struct precis_data_type_paths *paths,
			  struct operand_state *state);

/*
 * The variable in memory at what a register has, plus an offset.
 * @param state   by which other registers are found, and the frame
 * @param access  'type' and 'offset' are set: the variable, and where in it that is
 * @return its name, or "" if it has none; NULL: there is none
 */
const char *operand_locals_at(const struct operand_locals *locals, uint64_t address,
			      const struct operand_state *state, uint32_t number, int64_t offset,
			      struct operand_access *access);

#endif
