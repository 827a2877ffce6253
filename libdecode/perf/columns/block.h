/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of one batch, laid out as Arrow has it, and counted by those who hold it. */
#ifndef PRECIS_PERF_COLUMNS_BLOCK_H
#define PRECIS_PERF_COLUMNS_BLOCK_H

#include <stdint.h>

#define BLOCK_ALIGNMENT 64u /* what Arrow recommends for buffers, and that they be padded to it */

/* Values of all columns, then their bit maps; each of them begins on a cache line. */
struct block {
	uint32_t holders; /* changed with atomics: an exported batch is released in any thread */
	uint32_t rows, columns; /* room: a multiple of 64 rows */
	uint64_t *values;
	uint64_t *validity;
};

/* @return NULL: no memory. Bit maps are 0 */
struct block *precis_block_new(uint32_t columns, uint32_t rows);
void precis_block_hold(struct block *block);
/* The last one frees it; NULL is allowed. */
void precis_block_release(struct block *block);
/* Does nobody else hold it? */
int precis_block_is_own(const struct block *block);

static inline uint64_t *block_values(const struct block *block, uint32_t column)
{
	return block->values + (uint64_t)column * block->rows;
}

/* Words of a bit map; rounded up, so that it fills cache lines */
static inline uint64_t block_words(const struct block *block)
{
	return (block->rows / 64 + 7) & ~UINT64_C(7);
}

static inline uint64_t *block_validity(const struct block *block, uint32_t column)
{
	return block->validity + column * block_words(block);
}

#endif
