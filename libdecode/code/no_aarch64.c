/* SPDX-License-Identifier: BSD-3-Clause */
/* See aarch64.h: in a build without capstone no instruction of aarch64 is known. */
#include "aarch64.h"

#include <precis/error.h>

int aarch64_decode(const uint8_t *bytes, size_t count, uint64_t address,
		   struct code_instruction *instruction)
{
	(void)bytes;
	(void)count;
	(void)address;
	(void)instruction;
	return PRECIS_E_UNSUPPORTED;
}

uint32_t aarch64_mnemonics(void)
{
	return 0;
}

const char *aarch64_mnemonic_name(uint32_t mnemonic)
{
	(void)mnemonic;
	return NULL;
}

const char *aarch64_category_name(uint32_t category)
{
	(void)category;
	return NULL;
}

const char *aarch64_extension_name(uint32_t extension)
{
	(void)extension;
	return NULL;
}
