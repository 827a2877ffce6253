/* SPDX-License-Identifier: BSD-3-Clause */
/* In a build without Zydis: no instruction of x86 is known. */
#include <string.h>

#include <precis/code.h>
#include <precis/error.h>

#include "aarch64_text.h"
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
	if ((!bytes && count) || (bits != 64 && bits != 32 && bits != PRECIS_CODE_AARCH64) ||
	    syntax > PRECIS_CODE_INTEL)
		return PRECIS_E_ARGUMENT;
	memset((char *)instruction + sizeof(instruction->size), 0,
	       sizeof(*instruction) - sizeof(instruction->size));
	if (bits != PRECIS_CODE_AARCH64)
		return PRECIS_E_UNSUPPORTED;
	return count ? precis_aarch64_decode(bytes, count, address, instruction)
		     : PRECIS_E_TRUNCATED;
}
