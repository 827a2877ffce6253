/* SPDX-License-Identifier: BSD-3-Clause */
/* See instruction.h: in a build without Zydis no instruction is known. */
#include "instruction.h"

#include <precis/error.h>

int code_instruction_decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
			    struct code_instruction *instruction)
{
	(void)address;
	if ((!bytes && count) || (bits != 64 && bits != 32) || !instruction)
		return PRECIS_E_ARGUMENT;
	*instruction = (struct code_instruction){ 0 };
	code_form_unknown(&instruction->form);
	return PRECIS_E_UNSUPPORTED;
}

const char *code_mnemonic_name(uint32_t mnemonic)
{
	(void)mnemonic;
	return NULL;
}

const char *code_category_name(uint32_t category)
{
	(void)category;
	return NULL;
}

const char *code_isa_set_name(uint32_t isa_set)
{
	(void)isa_set;
	return NULL;
}

const char *code_isa_extension_name(uint32_t isa_extension)
{
	(void)isa_extension;
	return NULL;
}

uint32_t code_mnemonics(void)
{
	return 0;
}

uint32_t code_mnemonic_find(const char *name, size_t length)
{
	(void)name;
	(void)length;
	return 0;
}
