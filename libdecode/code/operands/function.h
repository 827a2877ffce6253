/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A function whose code is followed once, for all of its instructions. One of two files implements it:
 * function.c with Zydis, no_function.c without.
 */
#ifndef LIBDECODE_CODE_OPERANDS_FUNCTION_H
#define LIBDECODE_CODE_OPERANDS_FUNCTION_H

#include "type.h"

struct operand_instruction {
	uint64_t address;
	struct operand_type is;
};

struct operand_function {
	struct operand_instruction *list; /* those that can be decoded, by address */
	uint32_t count;
	uint8_t absent; /* enum operand_absence: why there are none */
	uint64_t low, high; /* code that these are of; without a function of the address alone */
};

/*
 * @param address  of one of its instructions
 * @return 0, or PRECIS_E_NO_MEMORY
 */
int operand_function_read(struct precis_data_types *types, uint64_t address, operand_reader *reader,
			  void *data, struct operand_function *function);

void operand_function_free(struct operand_function *function);

#endif
