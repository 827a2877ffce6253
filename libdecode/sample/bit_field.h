/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit fields of the words that the kernel declares as structs. */
#ifndef PRECIS_SAMPLE_BIT_FIELD_H
#define PRECIS_SAMPLE_BIT_FIELD_H

#include <stdint.h>

/*
 * A bit field of a word that C declares as bit fields from bit 0 on. Compilers
 * put the first one at the word's low end, or on big-endian machines at the high.
 * 'count' is less than 64.
 */
static inline uint64_t bit_field(uint64_t word, uint32_t first, uint32_t count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	uint32_t shift = 64 - first - count;
#else
	uint32_t shift = first;
#endif

	return word >> shift & ((UINT64_C(1) << count) - 1);
}

/* A word that has this value in such a field, and else 0s; the value fits */
static inline uint64_t bit_field_of(uint64_t value, uint32_t first, uint32_t count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return value << (64 - first - count);
#else
	(void)count;
	return value << first;
#endif
}

#endif
