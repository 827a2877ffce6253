/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of pointers when something is added. */
#ifndef PRECIS_SYMBOLS_TYPES_POINTER_SUMS_H
#define PRECIS_SYMBOLS_TYPES_POINTER_SUMS_H

#include "instruction.h"
#include "pointer_state.h"

/** POINTER_UNKNOWN if it is no pointer to the block, the frame or a place. */
struct pointer_value precis_pointer_plus(const struct pointer_value *value, int64_t constant);

/** Of two of which at most one is a pointer to the block. */
struct pointer_value precis_pointer_sum(const struct pointer_value *a,
					const struct pointer_value *b);

/** The address behind what a register points to at an instruction, whatever that is. */
struct pointer_value precis_pointer_behind(const struct pointer_state *state, uint64_t at,
					   unsigned int number, int64_t by);

/** The address that an operand in memory has; the next instruction is at 'next'. */
struct pointer_value precis_pointer_address(const struct pointer_state *state, uint64_t at,
					    const struct operation *operation, uint64_t next);

#endif
