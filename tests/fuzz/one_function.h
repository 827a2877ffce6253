/* SPDX-License-Identifier: BSD-3-Clause */
/* A jitdump with one function, for targets that take code from their input. */
#ifndef TESTS_FUZZ_ONE_FUNCTION_H
#define TESTS_FUZZ_ONE_FUNCTION_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ONE_FUNCTION_AT = 0x10000, ONE_FUNCTION_PID = 1 };

static inline void one_function_put(uint8_t *bytes, size_t at, uint64_t value, size_t count)
{
	memcpy(bytes + at, &value, count);
}

/* @return to be freed; NULL: memory is short */
static inline uint8_t *one_function_dump(const uint8_t *code, uint32_t count, size_t *bytes)
{
	enum { HEADER_BYTES = 40, LOAD_BYTES = 58 };
	uint8_t *dump = calloc(1, HEADER_BYTES + LOAD_BYTES + (size_t)count);

	*bytes = HEADER_BYTES + LOAD_BYTES + (size_t)count;
	if (!dump)
		return NULL;
	one_function_put(dump, 0, 0x4a695444, 4);
	one_function_put(dump, 8, HEADER_BYTES, 4);
	one_function_put(dump, 12, 62, 4);
	one_function_put(dump, 44, LOAD_BYTES + (uint64_t)count, 4);
	one_function_put(dump, 56, ONE_FUNCTION_PID, 4);
	one_function_put(dump, 72, ONE_FUNCTION_AT, 8);
	one_function_put(dump, 80, count, 8);
	dump[96] = 'f';
	memcpy(dump + HEADER_BYTES + LOAD_BYTES, code, count);
	return dump;
}

#endif
