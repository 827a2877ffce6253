/* SPDX-License-Identifier: BSD-3-Clause */
/* See function.h: in a build without Zydis no operand is known. */
#include "function.h"

int operand_function_read(struct precis_data_types *types, uint64_t address, operand_reader *reader,
			  void *data, struct operand_function *function)
{
	(void)types;
	(void)reader;
	(void)data;
	*function = (struct operand_function){
		.absent = OPERAND_NOT_BUILT, .low = address, .high = address + 1,
	};
	return 0;
}

void operand_function_free(struct operand_function *function)
{
	(void)function;
}
