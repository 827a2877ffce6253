/* SPDX-License-Identifier: BSD-3-Clause */
/* In a build without Zydis: no instruction is known. */
#include <precis/code.h>
#include <precis/error.h>

#include "libdecode/sample/abi.h"

int precis_code_available(void)
{
	return 0;
}

int precis_code_decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
		       uint32_t syntax, struct precis_instruction *instruction)
{
	ABI_OUT(struct precis_instruction, instruction,
		precis_code_decode(bytes, count, address, bits, syntax, &abi));
	if ((!bytes && count) || (bits != 64 && bits != 32) || syntax > PRECIS_CODE_INTEL)
		return PRECIS_E_ARGUMENT;
	return PRECIS_E_UNSUPPORTED;
}
