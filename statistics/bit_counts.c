/* SPDX-License-Identifier: BSD-3-Clause */
/* See bit_counts.h. */
#include "bit_counts.h"

#include <string.h>

#define EACH_2ND UINT32_C(0x55555555)
#define PAIRS UINT32_C(0x33333333)
#define EACH_8TH UINT32_C(0x01010101)
#define NIBBLES UINT32_C(0x0f0f0f0f)

void bit_counts_add(struct bit_counts *counts, uint32_t word)
{
	for (uint32_t i = 0; i < 8; i++)
		counts->of[i][0] += word >> i & EACH_8TH;
}

#ifdef __GNUC__
/* Four words at a time, where the processor can */
typedef uint32_t four_words __attribute__((vector_size(16)));

/* Of three words each bit's sum, of which the upper half goes to 'carry' */
static inline four_words add_bits(four_words a, four_words b, four_words c, four_words *carry)
{
	*carry = (a & b) | ((a ^ b) & c);
	return a ^ b ^ c;
}

/* How many of eight words have each bit, 0 to 8: bit n of that number is in number[n]. */
static inline void count_eight(const four_words word[8], four_words number[4])
{
	const four_words none = { 0 };
	four_words a, b, c, d, e, f, ones, twos;

	ones = add_bits(word[0], word[1], word[2], &a);
	ones = add_bits(ones, word[3], word[4], &b);
	ones = add_bits(ones, word[5], word[6], &c);
	number[0] = add_bits(ones, word[7], none, &d);
	twos = add_bits(a, b, c, &e);
	number[1] = add_bits(twos, d, none, &f);
	number[2] = e ^ f;
	number[3] = e & f;
}

void bit_counts_add_block(struct bit_counts *counts, const uint32_t words[BIT_COUNTS_BLOCK])
{
	four_words word[8], number[4], pair[2][2], nibble[4], of[8];

	memcpy(word, words, sizeof(word));
	memcpy(of, counts->of, sizeof(of));
	count_eight(word, number);
	/* bits of one number beside each other: the low two and the high two of each second bit's … */
	for (uint32_t i = 0; i < 2; i++) {
		for (uint32_t high = 0; high < 2; high++)
			pair[i][high] = (number[2 * high] >> i & EACH_2ND) |
					(number[2 * high + 1] >> i & EACH_2ND) << 1;
	}
	/* … all four of each fourth bit's, and as many bytes as there are bits */
	for (uint32_t i = 0; i < 4; i++)
		nibble[i] = (pair[i % 2][0] >> (i & 2) & PAIRS) |
			    (pair[i % 2][1] >> (i & 2) & PAIRS) << 2;
	for (uint32_t i = 0; i < 8; i++)
		of[i] += nibble[i % 4] >> (i & 4) & NIBBLES;
	memcpy(counts->of, of, sizeof(of));
}
#else
void bit_counts_add_block(struct bit_counts *counts, const uint32_t words[BIT_COUNTS_BLOCK])
{
	for (uint32_t n = 0; n < BIT_COUNTS_BLOCK; n++)
		bit_counts_add(counts, words[n]);
}
#endif

void bit_counts_take(struct bit_counts *counts, uint32_t ones[BIT_COUNTS_BITS])
{
	for (uint32_t i = 0; i < 8; i++) {
		const uint32_t *of = counts->of[i];
		const uint32_t bytes = of[0] + of[1] + of[2] + of[3];

		for (uint32_t n = 0; n < 4; n++)
			ones[8 * n + i] += bytes >> 8 * n & 0xff;
	}
	memset(counts, 0, sizeof(*counts));
}
