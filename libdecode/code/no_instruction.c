/* SPDX-License-Identifier: BSD-3-Clause */
/* See instruction.h: in a build without Zydis no instruction of x86 is known. */
#include "instruction.h"

#include <precis/code.h>
#include <precis/error.h>

#include "aarch64.h"

int code_instruction_decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
			    struct code_instruction *instruction)
{
	if ((!bytes && count) || (bits != 64 && bits != 32 && bits != PRECIS_CODE_AARCH64) ||
	    !instruction)
		return PRECIS_E_ARGUMENT;
	*instruction = (struct code_instruction){ 0 };
	code_form_unknown(&instruction->form);
	return bits == PRECIS_CODE_AARCH64 ? aarch64_decode(bytes, count, address, instruction)
					   : PRECIS_E_UNSUPPORTED;
}

const char *code_mnemonic_name(uint32_t mnemonic)
{
	return mnemonic >= AARCH64_FIRST ? aarch64_mnemonic_name(mnemonic - AARCH64_FIRST) : NULL;
}

const char *code_category_name(uint32_t category)
{
	return category >= AARCH64_FIRST ? aarch64_category_name(category - AARCH64_FIRST) : NULL;
}

const char *code_isa_set_name(uint32_t isa_set)
{
	return isa_set >= AARCH64_FIRST ? aarch64_extension_name(isa_set - AARCH64_FIRST) : NULL;
}

const char *code_isa_extension_name(uint32_t isa_extension)
{
	return isa_extension >= AARCH64_FIRST
		       ? aarch64_extension_name(isa_extension - AARCH64_FIRST)
		       : NULL;
}

uint32_t code_mnemonics(void)
{
	return aarch64_mnemonics() ? AARCH64_FIRST + aarch64_mnemonics() : 0;
}
