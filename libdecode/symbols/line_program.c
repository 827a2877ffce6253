/* SPDX-License-Identifier: BSD-3-Clause */
/* Running the programs: which address has which line. */
#include "line_program.h"

enum {
	STANDARD_COPY = 1,
	STANDARD_ADVANCE_PC = 2,
	STANDARD_ADVANCE_LINE = 3,
	STANDARD_SET_FILE = 4,
	STANDARD_CONST_ADD_PC = 8,
	STANDARD_FIXED_ADVANCE_PC = 9
};

enum { EXTENDED_END_SEQUENCE = 1, EXTENDED_SET_ADDRESS = 2, EXTENDED_SET_DISCRIMINATOR = 4 };

void precis_line_begin(struct line_state *state, struct line_bytes program)
{
	state->left = program;
	state->address = 0;
	state->file = 1;
	state->line = 1;
	state->discriminator = 0;
	state->is_end = 0;
}

static uint64_t instructions(const struct line_unit *unit, uint64_t count)
{
	return count * unit->minimum_instruction;
}

/* @return 1 if it makes a row, 0 if not, -1 if it makes no sense */
static int run_extended(struct line_state *state)
{
	struct line_bytes body;
	uint64_t length, number;
	uint8_t opcode;

	if (!take_uleb(&state->left, &length) || length == 0 || length > state->left.bytes)
		return -1;
	body.at = state->left.at;
	body.bytes = (size_t)length;
	skip_bytes(&state->left, length);
	take_u8(&body, &opcode);
	if (opcode == EXTENDED_END_SEQUENCE) {
		state->is_end = 1;
		return 1;
	}
	if (opcode == EXTENDED_SET_ADDRESS)
		return take_fixed(&body, body.bytes, &state->address) ? 0 : -1;
	if (opcode == EXTENDED_SET_DISCRIMINATOR && take_uleb(&body, &number))
		state->discriminator = number > UINT32_MAX ? 0 : (uint32_t)number;
	return 0;
}

static int skip_operands(const struct line_unit *unit, struct line_state *state, uint8_t opcode)
{
	unsigned int count = unit->operands[opcode - 1];
	uint64_t ignored;

	while (count-- > 0) {
		if (!take_uleb(&state->left, &ignored))
			return -1;
	}
	return 0;
}

/* As run_extended() */
static int run_standard(const struct line_unit *unit, struct line_state *state, uint8_t opcode)
{
	uint64_t number;
	int64_t lines;

	switch (opcode) {
	case STANDARD_COPY:
		return 1;
	case STANDARD_ADVANCE_PC:
		if (!take_uleb(&state->left, &number))
			return -1;
		state->address += instructions(unit, number);
		return 0;
	case STANDARD_ADVANCE_LINE:
		if (!take_sleb(&state->left, &lines))
			return -1;
		state->line += (uint32_t)lines;
		return 0;
	case STANDARD_SET_FILE:
		if (!take_uleb(&state->left, &number))
			return -1;
		state->file = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
		return 0;
	case STANDARD_CONST_ADD_PC:
		number = (255u - unit->opcode_base) / unit->line_range;
		state->address += instructions(unit, number);
		return 0;
	case STANDARD_FIXED_ADVANCE_PC:
		if (!take_fixed(&state->left, 2, &number))
			return -1;
		state->address += number;
		return 0;
	default:
		return skip_operands(unit, state, opcode);
	}
}

static void run_special(const struct line_unit *unit, struct line_state *state, uint8_t opcode)
{
	uint32_t adjusted = opcode - unit->opcode_base;

	state->address += instructions(unit, adjusted / unit->line_range);
	state->line += (uint32_t)(unit->line_base + (int32_t)(adjusted % unit->line_range));
}

int precis_line_next(const struct line_unit *unit, struct line_state *state)
{
	uint8_t opcode;
	int result = 0;

	state->discriminator = 0;
	while (result == 0 && take_u8(&state->left, &opcode)) {
		if (opcode >= unit->opcode_base) {
			run_special(unit, state, opcode);
			result = 1;
		} else if (opcode == 0) {
			result = run_extended(state);
		} else {
			result = run_standard(unit, state, opcode);
		}
	}
	return result > 0;
}
