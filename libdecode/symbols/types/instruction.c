/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel SDM volume 2, chapter 2: prefixes, ModRM, SIB. */
#include "instruction.h"

#include "libdecode/symbols/line_cursor.h"

enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

static const struct {
	uint16_t first, last;
	uint8_t has_modrm, immediate, effect;
} table[] = {
#define I(first, last, has_modrm, immediate, effect) \
	{ first, last, has_modrm, immediate, EFFECT_##effect },
#include "instructions.def"
#undef I
};

/* With a constant: add, or, adc, sbb, and, sub, xor, cmp */
static const enum effect arithmetic[8] = {
	EFFECT_ADDS,      EFFECT_WRITES_RM, EFFECT_WRITES_RM, EFFECT_WRITES_RM,
	EFFECT_WRITES_RM, EFFECT_ADDS,      EFFECT_WRITES_RM, EFFECT_NOTHING,
};

static int find(unsigned int opcode)
{
	for (size_t n = 0; n < sizeof(table) / sizeof(table[0]); n++) {
		if (opcode >= table[n].first && opcode <= table[n].last)
			return (int)n;
	}
	return -1;
}

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

static int is_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0xf2 || byte == 0xf3;
}

/* Prefixes and opcode. @return its row; -1: none */
static int take_opcode(struct line_bytes *code, unsigned int *rex, unsigned int *opcode)
{
	uint8_t byte;

	*rex = 0;
	do {
		if (!take_u8(code, &byte))
			return -1;
	} while (is_prefix(byte));
	if ((byte & 0xf0) == 0x40) {
		*rex = byte;
		if (!take_u8(code, &byte))
			return -1;
	}
	*opcode = byte;
	if (byte == 0x0f) {
		if (!take_u8(code, &byte))
			return -1;
		*opcode = 0x0f00u | byte;
	}
	return find(*opcode);
}

int precis_operation_read(const uint8_t *at, size_t bytes, struct operation *operation)
{
	struct line_bytes code = { at, bytes };
	unsigned int rex, opcode;
	const int row = take_opcode(&code, &rex, &opcode);
	size_t immediate;

	*operation = (struct operation){ .rm = REGISTER_NONE, .base = REGISTER_NONE, .index = REGISTER_NONE };
	if (row < 0)
		return 0;
	operation->effect = (enum effect)table[row].effect;
	operation->is_wide = (rex & REX_W) != 0;
	operation->reg = (uint8_t)((opcode & 7) | (rex & REX_B ? 8u : 0));
	if (table[row].has_modrm && !take_modrm(&code, rex, operation))
		return 0;
	if (opcode == 0x81 || opcode == 0x83)
		operation->effect = arithmetic[operation->reg & 7];
	/* Of operands of 16 bits these are others: not what happens to pointers */
	if (at[0] == 0x66 && table[row].immediate > 1)
		return 0;
	immediate = opcode >= 0xb8 && opcode <= 0xbf && operation->is_wide ? 8 : table[row].immediate;
	switch (operation->effect) {
	case EFFECT_BRANCHES:
	case EFFECT_JUMPS:
	case EFFECT_CALLS:
		if (!take_offset(&code, immediate, &operation->offset))
			return 0;
		break;
	case EFFECT_ADDS:
		if (!take_offset(&code, immediate, &operation->constant))
			return 0;
		if ((operation->reg & 7) == 5)
			operation->constant = -operation->constant;
		break;
	default:
		if (!skip_bytes(&code, immediate))
			return 0;
	}
	operation->length = (uint8_t)(bytes - code.bytes);
	return 1;
}
