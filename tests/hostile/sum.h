/* SPDX-License-Identifier: BSD-3-Clause */
/* FNV-1a: to tell whether two sets of records are the same, whatever their order. */
#ifndef TESTS_HOSTILE_SUM_H
#define TESTS_HOSTILE_SUM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t sum_bytes(const uint8_t *bytes, size_t count)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < count; i++)
		sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
	return sum;
}

#endif
