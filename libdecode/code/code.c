/* SPDX-License-Identifier: BSD-3-Clause */
/* One instruction after the other: of x86 by Zydis. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <precis/code.h>
#include <precis/error.h>

#include "aarch64_text.h"
#include "decoded.h"
#include "libdecode/sample/abi.h"

int precis_code_available(void)
{
	return 1;
}

static uint32_t memory_of(const struct decoded *decoded)
{
	uint32_t does = 0;

	/* also those that the text does not have, as the stack of a push */
	for (uint32_t n = 0; n < decoded->instruction.operand_count; n++) {
		const ZydisDecodedOperand *operand = &decoded->operands[n];

		if (!decoded_accesses(decoded, operand))
			continue;
		if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
			does |= PRECIS_CODE_LOADS;
		if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			does |= PRECIS_CODE_STORES;
	}
	return does;
}

static uint32_t branch_of(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return PRECIS_CODE_JUMP | PRECIS_CODE_CONDITIONAL;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return PRECIS_CODE_JUMP;
	case ZYDIS_CATEGORY_CALL:
		return PRECIS_CODE_CALL;
	case ZYDIS_CATEGORY_RET:
		return PRECIS_CODE_RETURN;
	default:
		return 0;
	}
}

static void find_target(const struct decoded *decoded, uint64_t address,
			struct precis_instruction *instruction)
{
	const ZydisDecodedOperand *operand = &decoded->operands[0];
	ZyanU64 target;

	if (!(instruction->does & (PRECIS_CODE_JUMP | PRECIS_CODE_CALL)) ||
	    !decoded->instruction.operand_count ||
	    operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !operand->imm.is_relative ||
	    !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded->instruction, operand, address, &target)))
		return;
	instruction->does |= PRECIS_CODE_TARGET;
	instruction->target = target;
}

/* --- text --- */

/* Conditions as objdump, perf and compilers call them: jne and not jnz */
static const struct {
	const char *name, *usual;
} conditions[] = {
	{ "z", "e" },   { "nz", "ne" },  { "nb", "ae" }, { "nbe", "a" },
	{ "nl", "ge" }, { "nle", "g" },
};

/* Put 'usual' in place of what begins at 'at' and is 'length' long, if there is room. */
static void replace(char *text, size_t at, size_t length, const char *usual)
{
	const size_t put = strlen(usual), behind = strlen(text + at + length) + 1;

	if (at + put + behind > PRECIS_CODE_TEXT)
		return;
	memmove(text + at + put, text + at + length, behind);
	memcpy(text + at, usual, put);
}

static void name_condition(const struct decoded *decoded, char *text)
{
	static const char *const begins[] = { "j", "set", "cmov" };
	const char *name = ZydisMnemonicGetString(decoded->instruction.mnemonic);
	const char *there = name ? strstr(text, name) : NULL; /* prefixes may stand before it */

	for (size_t i = 0; there && i < sizeof(begins) / sizeof(begins[0]); i++) {
		const size_t length = strlen(begins[i]);

		if (strncmp(name, begins[i], length) != 0)
			continue;
		for (size_t n = 0; n < sizeof(conditions) / sizeof(conditions[0]); n++) {
			if (strcmp(name + length, conditions[n].name) != 0)
				continue;
			replace(text, (size_t)(there - text) + length, strlen(conditions[n].name),
				conditions[n].usual);
			return;
		}
	}
}

/* What is relative to the instruction has its address behind it, as objdump writes it. */
static void append_address(const struct decoded *decoded, uint64_t address, char *text)
{
	const size_t length = strlen(text);
	ZyanU64 there;

	for (uint32_t n = 0; n < decoded->instruction.operand_count_visible; n++) {
		const ZydisDecodedOperand *operand = &decoded->operands[n];

		if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY ||
		    operand->mem.base != ZYDIS_REGISTER_RIP ||
		    !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded->instruction, operand, address,
							   &there)))
			continue;
		snprintf(text + length, PRECIS_CODE_TEXT - length, "  # 0x%" PRIx64, there);
		return;
	}
}

/* Numbers of as many digits as they need, in small letters. 0: it has no text */
static int write_text(const struct decoded *decoded, uint64_t address, uint32_t syntax, char *text)
{
	static const ZydisFormatterProperty unpadded[] = {
		ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
		ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE,
		ZYDIS_FORMATTER_PROP_DISP_PADDING,
		ZYDIS_FORMATTER_PROP_IMM_PADDING,
	};
	ZydisFormatter formatter;

	if (!ZYAN_SUCCESS(ZydisFormatterInit(&formatter, syntax == PRECIS_CODE_INTEL ?
						     ZYDIS_FORMATTER_STYLE_INTEL :
						     ZYDIS_FORMATTER_STYLE_ATT)))
		return 0;
	ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
	ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE);
	for (size_t n = 0; n < sizeof(unpadded) / sizeof(unpadded[0]); n++)
		ZydisFormatterSetProperty(&formatter, unpadded[n], ZYDIS_PADDING_DISABLED);
	if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
		    &formatter, &decoded->instruction, decoded->operands,
		    decoded->instruction.operand_count_visible, text, PRECIS_CODE_TEXT, address,
		    NULL)))
		return 0;
	name_condition(decoded, text);
	append_address(decoded, address, text);
	return 1;
}

static int decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
		  uint32_t syntax, struct precis_instruction *instruction)
{
	ZydisDecoder decoder;
	struct decoded decoded;
	ZyanStatus status;

	if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, bits == 64 ? ZYDIS_MACHINE_MODE_LONG_64 :
							    ZYDIS_MACHINE_MODE_LEGACY_32,
					   bits == 64 ? ZYDIS_STACK_WIDTH_64 :
							ZYDIS_STACK_WIDTH_32)))
		return PRECIS_E_UNSUPPORTED;
	status = ZydisDecoderDecodeFull(&decoder, bytes, count, &decoded.instruction,
					decoded.operands);
	if (status == ZYDIS_STATUS_NO_MORE_DATA)
		return count < PRECIS_CODE_BYTES_MOST ? PRECIS_E_TRUNCATED : 0;
	if (!ZYAN_SUCCESS(status) || !write_text(&decoded, address, syntax, instruction->text))
		return 0;
	instruction->length = decoded.instruction.length;
	instruction->does = memory_of(&decoded) | branch_of(&decoded.instruction);
	find_target(&decoded, address, instruction);
	return decoded.instruction.length;
}

int precis_code_decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
		       uint32_t syntax, struct precis_instruction *instruction)
{
	ABI_OUT(struct precis_instruction, instruction,
		precis_code_decode(bytes, count, address, bits, syntax, &abi));
	if ((!bytes && count) || (bits != 64 && bits != 32 && bits != PRECIS_CODE_AARCH64) ||
	    syntax > PRECIS_CODE_INTEL)
		return PRECIS_E_ARGUMENT;
	memset((char *)instruction + sizeof(instruction->size), 0,
	       sizeof(*instruction) - sizeof(instruction->size));
	if (!count)
		return PRECIS_E_TRUNCATED;
	if (bits == PRECIS_CODE_AARCH64)
		return precis_aarch64_decode(bytes, count, address, instruction);
	return decode(bytes, count < PRECIS_CODE_BYTES_MOST ? count : PRECIS_CODE_BYTES_MOST,
		      address, bits, syntax, instruction);
}
