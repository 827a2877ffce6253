/* SPDX-License-Identifier: BSD-3-Clause */
/* See aarch64_text.h: in a build without capstone no instruction of aarch64 is known. */
#include "aarch64_text.h"

#include <precis/error.h>

int precis_aarch64_decode(const uint8_t *bytes, size_t count, uint64_t address,
			  struct precis_instruction *instruction)
{
	(void)bytes;
	(void)count;
	(void)address;
	(void)instruction;
	return PRECIS_E_UNSUPPORTED;
}
