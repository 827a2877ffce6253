/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list_instructions BITS: of lines "ADDRESS BYTES", in hexadecimal digits, what the bytes begin with: its
 * length, its mnemonic, its branch and its target. 0 stands for what is not decoded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdecode/code/instruction.h"

static size_t bytes_of(const char *digits, uint8_t *bytes, size_t most)
{
	size_t count = 0;
	unsigned int byte;

	while (count < most && sscanf(digits + 2 * count, "%2x", &byte) == 1)
		bytes[count++] = (uint8_t)byte;
	return count;
}

int main(int argc, char **argv)
{
	const uint32_t bits = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 64;
	struct code_instruction found;
	uint64_t address;
	char digits[64];
	uint8_t bytes[16];

	while (scanf("%" SCNx64 " %63s", &address, digits) == 2) {
		const size_t count = bytes_of(digits, bytes, sizeof(bytes));
		const int length = code_instruction_decode(bytes, count, address, bits, &found);
		const char *name = code_mnemonic_name(found.form.mnemonic);

		printf("%d %s %u %" PRIx64 "\n", length > 0 ? length : 0, name ? name : "-",
		       found.form.branch, found.target);
	}
	return 0;
}
