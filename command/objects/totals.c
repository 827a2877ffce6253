/* SPDX-License-Identifier: BSD-3-Clause */
/* See totals.h. */
#include "totals.h"

#include <stdlib.h>
#include <string.h>

#include "statistics/room.h"

/* @return 0, -1 */
static int find_row(struct totals *totals, const struct precis_object_file *file, uint32_t stack,
		    uint32_t *row)
{
	const uint64_t *addresses;
	struct stack_totals *rows;

	if (stack && !precis_object_file_stack(file, stack, &addresses, NULL))
		stack = 0;
	if (index_find(&totals->stacks, stack, row))
		return 0;
	rows = array_with_room(totals->rows, totals->row_count + 1, &totals->row_room, sizeof(*rows));
	if (!rows || index_put(&totals->stacks, stack, (uint32_t)totals->row_count)) {
		totals->rows = rows ? rows : totals->rows;
		return -1;
	}
	totals->rows = rows;
	*row = (uint32_t)totals->row_count++;
	memset(&rows[*row], 0, sizeof(*rows));
	rows[*row].stack = stack;
	return 0;
}

/* One that is free. @return NULL: no memory, or too many */
static struct block *new_block(struct totals *totals)
{
	struct block *blocks;

	if (totals->free_plus_1) {
		blocks = &totals->blocks[totals->free_plus_1 - 1];
		totals->free_plus_1 = blocks->next;
		return blocks;
	}
	if (totals->block_count == TOTALS_LIVE_MOST)
		return NULL;
	blocks = array_with_room(totals->blocks, totals->block_count + 1, &totals->block_room,
				 sizeof(*blocks));
	if (!blocks)
		return NULL;
	totals->blocks = blocks;
	return &blocks[totals->block_count++];
}

static void free_block(struct totals *totals, uint32_t n)
{
	totals->blocks[n].next = totals->free_plus_1;
	totals->free_plus_1 = n + 1;
}

static int begins(struct totals *totals, const struct precis_object_file *file,
		  const struct precis_object_event *event)
{
	struct block *block;
	uint32_t row, other;

	if (find_row(totals, file, event->stack, &row))
		return -1;
	thinned_add(&totals->rows[row].blocks, 1, event->probability);
	thinned_add(&totals->rows[row].bytes, (double)event->bytes, event->probability);
	if (event->operation == PRECIS_OBJECT_REALLOC_ALLOC &&
	    index_take(&totals->moving, event->tid, &other))
		free_block(totals, other);
	if (index_take(&totals->live, event->address, &other)) {
		free_block(totals, other);
		totals->replaced++;
	}
	block = new_block(totals);
	if (!block)
		return -1;
	*block = (struct block){ event->address, event->bytes, event->probability, row, 0 };
	return index_put(&totals->live, event->address, (uint32_t)(block - totals->blocks));
}

static int ends(struct totals *totals, const struct precis_object_event *event)
{
	uint32_t block, other;

	if (!index_take(&totals->live, event->address, &block)) {
		totals->unknown_ends++;
		return 0;
	}
	if (event->operation == PRECIS_OBJECT_FREE) {
		free_block(totals, block);
		return 0;
	}
	if (index_take(&totals->moving, event->tid, &other))
		free_block(totals, other);
	return index_put(&totals->moving, event->tid, block);
}

/* The thread's realloc() has failed; of munmap() the same is told, which is not of the heap. */
static int is_restored(struct totals *totals, const struct precis_object_event *event)
{
	uint32_t block, other;

	if (!index_find(&totals->moving, event->tid, &block) ||
	    totals->blocks[block].address != event->address)
		return 0;
	index_take(&totals->moving, event->tid, &block);
	if (index_take(&totals->live, event->address, &other)) {
		free_block(totals, other);
		totals->replaced++;
	}
	return index_put(&totals->live, event->address, block);
}

int totals_take(struct totals *totals, const struct precis_object_file *file,
		const struct precis_object_event *event)
{
	switch (event->operation) {
	case PRECIS_OBJECT_ALLOC:
	case PRECIS_OBJECT_REALLOC_ALLOC: return begins(totals, file, event);
	case PRECIS_OBJECT_FREE:
	case PRECIS_OBJECT_REALLOC_FREE: return ends(totals, event);
	case PRECIS_OBJECT_RESTORED: return is_restored(totals, event);
	default: return 0;
	}
}

const void *totals_place(const struct totals *totals, uint64_t address)
{
	return index_place(&totals->live, address);
}

static int compare(const void *one, const void *other)
{
	const struct stack_totals *a = one, *b = other;

	if (a->bytes.sum != b->bytes.sum)
		return a->bytes.sum < b->bytes.sum ? 1 : -1;
	return a->stack < b->stack ? -1 : a->stack > b->stack;
}

void totals_finish(struct totals *totals)
{
	for (uint64_t n = 0; totals->live.slots && n <= totals->live.mask; n++) {
		const struct index_slot *slot = &totals->live.slots[n];
		const struct block *block =
			slot->value_plus_1 ? &totals->blocks[slot->value_plus_1 - 1] : NULL;

		if (!block)
			continue;
		thinned_add(&totals->rows[block->row].live_blocks, 1, block->probability);
		thinned_add(&totals->rows[block->row].live_bytes, (double)block->bytes, block->probability);
	}
	index_free(&totals->stacks);
	if (totals->row_count)
		qsort(totals->rows, totals->row_count, sizeof(*totals->rows), compare);
}

void totals_free(struct totals *totals)
{
	free(totals->rows);
	free(totals->blocks);
	index_free(&totals->stacks);
	index_free(&totals->live);
	index_free(&totals->moving);
	memset(totals, 0, sizeof(*totals));
}
