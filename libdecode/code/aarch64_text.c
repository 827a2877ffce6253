/* SPDX-License-Identifier: BSD-3-Clause */
/* See aarch64_text.h: by capstone. */
#include "aarch64_text.h"

#include <stdio.h>
#include <string.h>

#include <precis/error.h>

#include "aarch64_branches.h"
#include "aarch64_capstone.h"

static uint32_t branch_of(enum code_branch branch)
{
	switch (branch) {
	case CODE_BRANCH_CONDITIONAL:
		return PRECIS_CODE_JUMP | PRECIS_CODE_CONDITIONAL;
	case CODE_BRANCH_UNCONDITIONAL:
	case CODE_BRANCH_INDIRECT_JUMP:
		return PRECIS_CODE_JUMP;
	case CODE_BRANCH_CALL:
	case CODE_BRANCH_INDIRECT_CALL:
		return PRECIS_CODE_CALL;
	case CODE_BRANCH_RETURN:
		return PRECIS_CODE_RETURN;
	default:
		return 0;
	}
}

static int write_text(const cs_insn *insn, void *data)
{
	struct precis_instruction *instruction = data;

	snprintf(instruction->text, sizeof(instruction->text), "%s%s%.90s", insn->mnemonic,
		 insn->op_str[0] ? " " : "", insn->op_str);
	if (strncmp(insn->mnemonic, "ld", 2) == 0)
		instruction->does |= PRECIS_CODE_LOADS;
	if (strncmp(insn->mnemonic, "st", 2) == 0)
		instruction->does |= PRECIS_CODE_STORES;
	return 1;
}

int precis_aarch64_decode(const uint8_t *bytes, size_t count, uint64_t address,
			  struct precis_instruction *instruction)
{
	uint64_t displacement;
	int is_direct;

	if (count < AARCH64_BYTES)
		return PRECIS_E_TRUNCATED;
	instruction->length = AARCH64_BYTES;
	if (!aarch64_capstone_use(bytes, address, 0, write_text, instruction))
		snprintf(instruction->text, sizeof(instruction->text), ".inst 0x%08x",
			 aarch64_word(bytes));
	instruction->does |=
		branch_of(aarch64_branch_of(aarch64_word(bytes), &displacement, &is_direct));
	if (is_direct) {
		instruction->does |= PRECIS_CODE_TARGET;
		instruction->target = address + displacement;
	}
	return (int)instruction->length;
}
