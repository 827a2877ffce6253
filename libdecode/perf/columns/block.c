/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of one batch. */
#include "block.h"

#include <stdlib.h>
#include <string.h>

struct block *precis_block_new(uint32_t columns, uint32_t rows)
{
	struct block *block = calloc(1, sizeof(*block));
	size_t values, validity;
	void *bytes;

	if (!block)
		return NULL;
	block->holders = 1;
	block->columns = columns;
	block->rows = (rows + 63) & ~UINT32_C(63);
	values = (size_t)columns * block->rows * 8;
	validity = (size_t)columns * block_words(block) * 8;
	if (posix_memalign(&bytes, BLOCK_ALIGNMENT, values + validity + BLOCK_ALIGNMENT)) {
		free(block);
		return NULL;
	}
	block->values = bytes;
	block->validity = block->values + values / 8;
	memset(block->values, 0xff, values);
	memset(block->validity, 0, validity);
	return block;
}

void precis_block_hold(struct block *block)
{
	__atomic_add_fetch(&block->holders, 1, __ATOMIC_RELAXED);
}

void precis_block_release(struct block *block)
{
	if (!block || __atomic_sub_fetch(&block->holders, 1, __ATOMIC_ACQ_REL))
		return;
	free(block->values);
	free(block);
}

int precis_block_is_own(const struct block *block)
{
	return __atomic_load_n(&block->holders, __ATOMIC_ACQUIRE) == 1;
}
