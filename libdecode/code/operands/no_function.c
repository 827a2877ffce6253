/* SPDX-License-Identifier: BSD-3-Clause */
/* See function.h and thread.h: in a build without Zydis no operand is known. */
#include "function.h"
#include "thread.h"

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

int operand_from_thread(const uint8_t *bytes, uint32_t count, int64_t *offset)
{
	(void)bytes;
	(void)count;
	(void)offset;
	return 0;
}
