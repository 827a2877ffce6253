/* SPDX-License-Identifier: BSD-3-Clause */
/* See instruction.h: mnemonics by name. */
#include "instruction.h"

#include <string.h>
#include <strings.h>

uint32_t code_mnemonic_find_above(const char *name, size_t length, uint32_t number)
{
	for (uint32_t n = number + 1; n < code_mnemonics(); n++) {
		const char *other = code_mnemonic_name(n);

		if (other && strlen(other) == length && strncasecmp(name, other, length) == 0)
			return n;
	}
	return 0;
}

uint32_t code_mnemonic_find(const char *name, size_t length)
{
	return code_mnemonic_find_above(name, length, 0);
}
