/* SPDX-License-Identifier: BSD-3-Clause */
/* How many of some words have each bit: of words that come by the million, a few instructions for each. */
#ifndef STATISTICS_BIT_COUNTS_H
#define STATISTICS_BIT_COUNTS_H

#include <stdint.h>

#define BIT_COUNTS_BITS 32u
#define BIT_COUNTS_BLOCK 32u /* words that are counted at once */
#define BIT_COUNTS_MOST 128u /* words that have room: a count is a byte, and four are added up */

/* Zeroed memory is empty. */
struct bit_counts {
	uint32_t of[8][4]; /* in byte n of each of the four of row i: of bit 8 n + i */
};

/* Neither is told how many words there are so far: the caller knows. */
void bit_counts_add(struct bit_counts *counts, uint32_t word);
void bit_counts_add_block(struct bit_counts *counts, const uint32_t words[BIT_COUNTS_BLOCK]);

/* They are added to 'ones', by bit, and forgotten. */
void bit_counts_take(struct bit_counts *counts, uint32_t ones[BIT_COUNTS_BITS]);

#endif
