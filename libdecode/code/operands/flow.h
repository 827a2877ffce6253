/* SPDX-License-Identifier: BSD-3-Clause */
/* What one instruction does to the types of registers and the frame, and which data it accesses. */
#ifndef LIBDECODE_CODE_OPERANDS_FLOW_H
#define LIBDECODE_CODE_OPERANDS_FLOW_H

#include "libdecode/code/decoded.h"
#include "locals.h"

/* A function that is followed */
struct operand_flow {
	struct precis_data_types *types;
	struct precis_data_type_paths *paths;
	struct operand_locals locals;
};

/* How control goes on */
enum operand_control {
	CONTROL_NEXT,
	CONTROL_BRANCH, /* to 'target', or on */
	CONTROL_JUMP, /* to 'target' */
	CONTROL_INDIRECT, /* to wherever */
	CONTROL_END /* nowhere in the function */
};

/* @return its length; 0: it is none */
uint32_t operand_decode(const uint8_t *bytes, uint32_t count, struct decoded *decoded);

enum operand_control operand_control_of(const struct decoded *decoded, uint64_t address, uint64_t *target);

/* Does it do nothing, as what stands between functions and before loops? */
int operand_is_padding(const struct decoded *decoded);

/* The data that it accesses; 'state' is what holds before it */
void operand_evaluate(struct operand_flow *flow, const struct operand_state *state,
		      const struct decoded *decoded, uint64_t address, struct operand_type *is);

/* What variables add to that, before it */
void operand_learn(struct operand_flow *flow, struct operand_state *state, uint64_t address);

/* What holds behind it */
void operand_step(struct operand_flow *flow, struct operand_state *state, const struct decoded *decoded,
		  uint64_t address);

#endif
