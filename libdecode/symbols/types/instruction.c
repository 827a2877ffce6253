/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SDM volume 2, chapter 2: prefixes, ModRM, SIB. */
#include "instruction.h"

#include "libdecode/symbols/line_cursor.h"

enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

struct row {
	uint8_t is_known, has_modrm, immediate, effect;
};

static const struct row table[0x200] = {
#define I(first, last, has_modrm, immediate, effect)                                               \
	[first... last] = { 1, has_modrm, immediate, EFFECT_##effect },
#include "instructions.def"
#undef I
};

/* With a constant: add, or, adc, sbb, and, sub, xor, cmp */
static const enum effect arithmetic[8] = {
	EFFECT_ADDS,      EFFECT_WRITES_RM, EFFECT_WRITES_RM, EFFECT_WRITES_RM,
	EFFECT_WRITES_RM, EFFECT_ADDS,      EFFECT_WRITES_RM, EFFECT_COMPARES,
};

static int take_offset(struct line_bytes *code, size_t bytes, int64_t *offset)
{
	uint64_t number;

	if (!take_fixed(code, bytes, &number))
		return 0;
	*offset = bytes == 1 ? (int8_t)number : (int32_t)number;
	return 1;
}

/* SIB */
static int take_scaled(struct line_bytes *code, unsigned int mod, unsigned int rex,
		       struct operation *operation)
{
	uint8_t sib;

	if (!take_u8(code, &sib))
		return 0;
	operation->scale = (uint8_t)(1u << (sib >> 6));
	operation->index = (uint8_t)((sib >> 3 & 7) | (rex & REX_X ? 8u : 0));
	if (operation->index == REGISTER_RSP)
		operation->index = REGISTER_NONE;
	operation->base = (uint8_t)((sib & 7) | (rex & REX_B ? 8u : 0));
	if ((sib & 7) != 5 || mod != 0)
		return 1;
	operation->base = REGISTER_NONE;
	return take_offset(code, 4, &operation->offset);
}

static int take_modrm(struct line_bytes *code, unsigned int rex, struct operation *operation)
{
	uint8_t modrm;
	unsigned int mod;

	if (!take_u8(code, &modrm))
		return 0;
	mod = modrm >> 6;
	operation->reg = (uint8_t)((modrm >> 3 & 7) | (rex & REX_R ? 8u : 0));
	if (mod == 3) {
		operation->rm = (uint8_t)((modrm & 7) | (rex & REX_B ? 8u : 0));
		return 1;
	}
	operation->base = (uint8_t)((modrm & 7) | (rex & REX_B ? 8u : 0));
	if ((modrm & 7) == 4 && !take_scaled(code, mod, rex, operation))
		return 0;
	if ((modrm & 7) == 5 && mod == 0) {
		operation->base = REGISTER_RIP;
		return take_offset(code, 4, &operation->offset);
	}
	return mod == 0 || take_offset(code, mod == 1 ? 1 : 4, &operation->offset);
}

enum { OPERANDS_OF_16_BITS = 1, OF_THREAD = 2 };

/* @return 0 if it is none; 'prefixes' gets what it changes */
static int is_prefix(uint8_t byte, unsigned int *prefixes)
{
	switch (byte) {
	case 0x66:
		*prefixes |= OPERANDS_OF_16_BITS;
		return 1;
	case 0x64:
	case 0x65:
		*prefixes |= OF_THREAD;
		return 1;
	case 0x26: /* of segments that begin at 0 */
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return 1;
	default:
		return 0;
	}
}

/* Prefixes and opcode, as instructions.def numbers it. @return 0 if it is cut off */
static int take_opcode(struct line_bytes *code, unsigned int *prefixes, unsigned int *rex,
		       unsigned int *opcode)
{
	uint8_t byte;

	*rex = *prefixes = 0;
	do {
		if (!take_u8(code, &byte))
			return 0;
	} while (is_prefix(byte, prefixes));
	if ((byte & 0xf0) == 0x40) {
		*rex = byte;
		if (!take_u8(code, &byte))
			return 0;
	}
	*opcode = byte;
	if (byte == 0x0f) {
		if (!take_u8(code, &byte))
			return 0;
		*opcode = 0x100u | byte;
	}
	return 1;
}

/* What ModRM.reg makes of an opcode that several instructions have. @return 0: unknown */
static int settle_group(unsigned int opcode, struct operation *operation, size_t *immediate)
{
	const unsigned int which = operation->reg & 7u;

	switch (opcode) {
	case 0x80:
	case 0x81:
	case 0x83:
		operation->effect = arithmetic[which];
		break;
	case 0xc1:
		if (which != 4)
			operation->effect = EFFECT_WRITES_RM;
		break;
	case 0xf6:
	case 0xf7:
		if (which < 2) {
			operation->effect = EFFECT_NOTHING;
			*immediate = opcode == 0xf6 ? 1 : 4;
		} else if (which < 4) {
			operation->effect = EFFECT_WRITES_RM;
		}
		break;
	case 0xff:
		operation->effect = which < 2    ? EFFECT_WRITES_RM
				    : which == 2 ? EFFECT_CALLS
				    : which == 4 ? EFFECT_STOPS
						 : EFFECT_PUSHES;
		if (which == 6)
			operation->reg = REGISTER_NONE;
		return which < 3 || which == 4 || which == 6;
	default:
		break;
	}
	return 1;
}

static int take_immediate(struct line_bytes *code, unsigned int opcode, size_t bytes,
			  struct operation *operation)
{
	const int has_offset = operation->effect == EFFECT_BRANCHES ||
			       operation->effect == EFFECT_JUMPS ||
			       (operation->effect == EFFECT_CALLS && opcode == 0xe8);
	const unsigned int which = operation->reg & 7u;

	if (has_offset)
		return take_offset(code, bytes, &operation->offset);
	if (bytes == 8) {
		uint64_t constant;

		if (!take_fixed(code, bytes, &constant))
			return 0;
		operation->constant = (int64_t)constant;
		return 1;
	}
	if (bytes != 1 && bytes != 4)
		return skip_bytes(code, bytes);
	if (!take_offset(code, bytes, &operation->constant))
		return 0;
	if (operation->effect == EFFECT_ADDS && which == 5)
		operation->constant = -operation->constant;
	return 1;
}

int precis_operation_read(const uint8_t *at, size_t bytes, struct operation *operation)
{
	struct line_bytes code = { at, bytes };
	unsigned int rex, opcode, prefixes;
	const struct row *row;
	size_t immediate;

	*operation = (struct operation){ .rm = REGISTER_NONE, .base = REGISTER_NONE, .index = REGISTER_NONE };
	if (!take_opcode(&code, &prefixes, &rex, &opcode) || !table[opcode].is_known)
		return 0;
	row = &table[opcode];
	operation->effect = (enum effect)row->effect;
	operation->is_wide = (rex & REX_W) != 0;
	operation->is_of_thread = (prefixes & OF_THREAD) != 0;
	operation->reg = (uint8_t)((opcode & 7) | (rex & REX_B ? 8u : 0));
	if (row->has_modrm && !take_modrm(&code, rex, operation))
		return 0;
	if (operation->effect == EFFECT_PUSHES && opcode >= 0x60)
		operation->reg = REGISTER_NONE;
	immediate = row->immediate;
	if (!settle_group(opcode, operation, &immediate))
		return 0;
	if (immediate == 4 && opcode >= 0xb8 && opcode <= 0xbf && operation->is_wide)
		immediate = 8;
	else if (immediate == 4 && prefixes & OPERANDS_OF_16_BITS && !operation->is_wide &&
		 row->effect != EFFECT_CALLS && row->effect != EFFECT_JUMPS &&
		 row->effect != EFFECT_BRANCHES)
		immediate = 2;
	if (!take_immediate(&code, opcode, immediate, operation))
		return 0;
	operation->length = (uint8_t)(bytes - code.bytes);
	return 1;
}
