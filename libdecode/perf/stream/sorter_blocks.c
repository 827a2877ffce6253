/* SPDX-License-Identifier: BSD-3-Clause */
/* See sorter_blocks.h. */
#include <stdlib.h>

#include <precis/error.h>

#include "sorter_blocks.h"

int block_pool_init(struct block_pool *pool, size_t count)
{
	/* One piece of address space: what is never used costs nothing. */
	pool->blocks = aligned_alloc(BLOCK_BYTES, count * BLOCK_BYTES);
	if (!pool->blocks)
		return PRECIS_E_NO_MEMORY;
	pool->count = count;
	block_give_all(pool);
	return 0;
}

void block_pool_free(struct block_pool *pool)
{
	free(pool->blocks);
}

struct block *block_take(struct block_pool *pool)
{
	struct block *block = pool->free;

	if (!pool->free_count)
		return NULL;
	if (block)
		pool->free = block->next;
	else
		block = (struct block *)(pool->blocks +
					 (pool->count - pool->fresh--) * BLOCK_BYTES);
	pool->free_count--;
	block_clear(block);
	return block;
}

void block_give(struct block_pool *pool, struct block *block)
{
	block->next = pool->free;
	pool->free = block;
	pool->free_count++;
}

void block_give_all(struct block_pool *pool)
{
	pool->free = NULL;
	pool->fresh = pool->count;
	pool->free_count = pool->count;
}
