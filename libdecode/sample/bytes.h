/* SPDX-License-Identifier: BSD-3-Clause */
/* Little-endian words at any alignment: what a CPU wrote is x86's wherever it is read. */
#ifndef PRECIS_SAMPLE_BYTES_H
#define PRECIS_SAMPLE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Before a loop over samples that does little for each: four at a time */
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll_count(4)")
#elif defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 4")
#else
#define UNROLLED
#endif

static inline uint64_t load_le64(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* So many of them, behind each other as they are to be at 'words' */
static inline void load_le64s(const uint8_t *at, void *words, size_t count)
{
	memcpy(words, at, 8 * count);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (size_t n = 0; n < count; n++) {
		const uint64_t word = load_le64(at + 8 * n);

		memcpy((char *)words + 8 * n, &word, sizeof(word));
	}
#endif
}

static inline uint32_t load_le32(const uint8_t *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap32(word);
#endif
	return word;
}

static inline void store_le64(uint8_t *at, uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(at, &word, sizeof(word));
}

static inline void store_le32(uint8_t *at, uint32_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap32(word);
#endif
	memcpy(at, &word, sizeof(word));
}

#endif
