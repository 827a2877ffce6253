/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrivals go into blocks, as runs; a round merges the runs and hands out what
 * may go. When the blocks are full, all that is in them is merged into the
 * temporary file: one run there, which takes part through a window of one block.
 */
#include "sorter.h"

#include <stdlib.h>

#include <precis/error.h>

#include "sorter_usual.h"

#define SPILLED_MIN 4u
#define SPILLED_MAX 64u
#define BLOCKS_SPARE 2u /* to write a run from and to read it through */

int sorter_new(size_t memory, const char *directory, struct sorter **sorter)
{
	struct sorter *made = calloc(1, sizeof(*made));
	size_t blocks, limit;

	*sorter = NULL;
	if (!made)
		return PRECIS_E_NO_MEMORY;
	if (!memory)
		memory = SORTER_MEMORY_DEFAULT;
	if (memory < SORTER_MEMORY_MIN)
		memory = SORTER_MEMORY_MIN;
	/* The worst, records of 8 bytes in descending order, is 32 bytes in blocks and 20 here. */
	limit = memory / 4 / (sizeof(*made->heads) + sizeof(*made->times) + sizeof(*made->losers));
	for (made->head_limit = 1; made->head_limit <= limit / 2;)
		made->head_limit *= 2; /* as the leaves of a merge */
	blocks = memory / 4 * 3 / BLOCK_BYTES;
	made->spilled_limit = blocks / 8;
	if (made->spilled_limit < SPILLED_MIN)
		made->spilled_limit = SPILLED_MIN;
	if (made->spilled_limit > SPILLED_MAX)
		made->spilled_limit = SPILLED_MAX;
	made->heads = malloc(made->head_limit * sizeof(*made->heads));
	made->times = malloc(made->head_limit * sizeof(*made->times));
	made->losers = malloc(made->head_limit * sizeof(*made->losers));
	if (!made->heads || !made->times || !made->losers || block_pool_init(&made->pool, blocks) ||
	    spill_init(&made->spill, directory)) {
		sorter_free(made);
		return PRECIS_E_NO_MEMORY;
	}
	*sorter = made;
	return 0;
}

void sorter_free(struct sorter *sorter)
{
	if (!sorter)
		return;
	free(sorter->heads);
	free(sorter->times);
	free(sorter->losers);
	block_pool_free(&sorter->pool);
	spill_free(&sorter->spill);
	free(sorter);
}

void sorter_reset(struct sorter *sorter)
{
	block_give_all(&sorter->pool);
	spill_clear(&sorter->spill);
	sorter->head_count = 0;
	sorter->spilled_count = 0;
	sorter->leaving = 0;
	sorter->writing = NULL;
	sorter->tail = NULL;
	sorter->releasing = 0;
	sorter->has_ended = 0;
	sorter->pending_time = 0;
	sorter->latest = 0;
	sorter->latest_before = 0;
	sorter->latest_out = 0;
	sorter->late = 0;
}

void sorter_state(const struct sorter *sorter, struct sorter_state *state)
{
	state->late = sorter->late;
	state->spilled = sorter->spill.written;
	state->sys_errno = sorter->spill.sys_errno;
	state->directory = sorter->spill.directory;
}

/* --- going on in a run -------------------------------------------------------- */

/* Nothing is pulled any more: what waits goes out, and then 'code'. */
static void stop(struct sorter *sorter, int code)
{
	sorter->has_ended = 1;
	sorter->end = code;
	sorter->limit = MERGE_OVER - 1;
}

static void leave_piece(struct sorter *sorter, struct block *block)
{
	block->pieces--;
	if (block->pieces)
		return;
	if (block == sorter->writing)
		block_clear(block);
	else
		block_give(&sorter->pool, block);
}

/* What follows the last record in a window; NULL: nothing */
static struct held *leave_window(struct sorter *sorter, struct block *window)
{
	if (window->left) {
		int error = spill_read(&sorter->spill, window);

		if (!error)
			return block_first(window);
		stop(sorter, error);
	}
	sorter->spilled_count--;
	block_give(&sorter->pool, window);
	return NULL;
}

/* The winner, its run's last record in a block, has gone: on to the next block. */
static void leave_block(struct sorter *sorter, struct merge *merge)
{
	struct held *held = merge->heads[merge->winner], *next = NULL;
	struct block *block = block_of(held);

	if (block->is_window) {
		next = leave_window(sorter, block);
	} else {
		if (held->next == HELD_NEXT_BLOCK)
			next = block_first(block->next);
		if (held == sorter->tail)
			sorter->tail = NULL;
		leave_piece(sorter, block);
	}
	merge_replace(merge, next);
}

/* Drop the runs that have ended, from the n-th on. */
static void drop_ended(struct sorter *sorter, size_t n)
{
	size_t count = n;

	for (; n < sorter->head_count; n++) {
		if (sorter->heads[n])
			sorter->heads[count++] = sorter->heads[n];
	}
	sorter->head_count = count;
}

/* Merge the runs from the n-th on, of which there must be one. */
static void start_merge(struct sorter *sorter, size_t n, struct merge *merge)
{
	merge->heads = sorter->heads + n;
	merge->count = (uint32_t)(sorter->head_count - n);
	merge->times = sorter->times;
	merge->losers = sorter->losers;
	merge_start(merge);
}

static void start_release(struct sorter *sorter)
{
	drop_ended(sorter, 0);
	if (!sorter->head_count)
		return;
	start_merge(sorter, 0, &sorter->merge);
	sorter->releasing = 1;
}

/* --- into the temporary file ---------------------------------------------------- */

/*
 * Which runs are merged: those in memory, and when there are as many in the file
 * as there may be, the last of these, so that what is written anew goes into a
 * run that is about twice as large.
 */
static size_t choose_first(const struct sorter *sorter)
{
	uint64_t blocks = sorter->pool.count - sorter->pool.free_count - sorter->spilled_count;
	size_t n = sorter->spilled_count;

	if (n < sorter->spilled_limit)
		return n;
	do {
		n--;
		blocks += block_of(sorter->heads[n])->left + 1;
	} while (n && block_of(sorter->heads[n - 1])->left < blocks);
	return n;
}

/* Merge runs into one in the file. After an error, what 'block' has comes before the rest. */
static int write_run(struct sorter *sorter, struct merge *merge, struct block *block,
		     struct spilled_run *run)
{
	struct held *last = NULL;

	while (merge_time(merge) != MERGE_OVER) {
		struct held *held = merge->heads[merge->winner];
		size_t bytes = held_bytes(record_header_size(held->bytes));

		if (block_room(block) < bytes) {
			int error;

			last->next = HELD_RUN_ENDS; /* in this block */
			error = spill_write(&sorter->spill, run, block, 0);
			if (error)
				return error;
			block_clear(block);
		}
		last = (struct held *)((uint8_t *)block + block->used);
		memcpy(last, held, bytes);
		last->next = (uint32_t)bytes;
		block->used += (uint32_t)bytes;
		if (held->next > HELD_NEXT_BLOCK)
			merge_advance(merge);
		else
			leave_block(sorter, merge);
	}
	last->next = HELD_RUN_ENDS;
	return spill_write(&sorter->spill, run, block, 1);
}

static void insert_head(struct sorter *sorter, size_t n, struct held *held)
{
	memmove(&sorter->heads[n + 1], &sorter->heads[n],
		(sorter->head_count - n) * sizeof(sorter->heads[0]));
	sorter->heads[n] = held;
	sorter->head_count++;
}

/* Have a run of the file take part as the n-th. */
static int join_run(struct sorter *sorter, size_t n, const struct spilled_run *run,
		    struct block *window)
{
	int error;

	spill_open(run, window);
	error = spill_read(&sorter->spill, window);
	if (error) {
		block_give(&sorter->pool, window);
		return error;
	}
	sorter->spilled_count++;
	insert_head(sorter, n, block_first(window));
	return 0;
}

/* All that waits in memory goes into the file; where that fails, the rest stays, in order. */
static int spill_all(struct sorter *sorter)
{
	struct block *block = block_take(&sorter->pool);
	struct spilled_run run = { 0, 0 };
	struct merge merge;
	size_t first;
	int error;

	drop_ended(sorter, 0);
	first = choose_first(sorter);
	start_merge(sorter, first, &merge);
	error = write_run(sorter, &merge, block, &run);
	drop_ended(sorter, first);
	if (!error)
		return join_run(sorter, first, &run, block);
	block->pieces = 1;
	insert_head(sorter, first, block_first(block));
	if (run.blocks)
		join_run(sorter, first, &run, block_take(&sorter->pool));
	return error;
}

/* --- what comes, what goes ---------------------------------------------------------- */

/* A place for one more record, and for one more run. */
static int make_room(struct sorter *sorter, size_t bytes)
{
	if (sorter->head_count + HEADS_SPARE >= sorter->head_limit ||
	    (!block_fits(sorter->writing, bytes) && sorter->pool.free_count <= BLOCKS_SPARE)) {
		int error = spill_all(sorter);

		if (error)
			return error;
	}
	if (!block_fits(sorter->writing, bytes))
		sorter->writing = block_take(&sorter->pool);
	return 0;
}

/* Have a record wait where there may be no room at hand yet. */
static void hold(struct sorter *sorter, const struct precis_record *record, uint64_t time)
{
	int error = make_room(sorter, held_bytes(record->size));

	if (!error) {
		sorter_hold(sorter, record, time);
		return;
	}
	sorter->pending = *record;
	sorter->pending_time = time;
	stop(sorter, error);
}

/* One record more, or several. @return 1 if 'record' is to be handed out at once, else 0 */
static int take(struct sorter *sorter, sorter_pull *pull, void *from, struct precis_record *record)
{
	uint64_t time;
	int found = pull(from, sorter, record, &time);

	if (found <= 0) {
		stop(sorter, found);
		return 0;
	}
	if (record->type == PRECIS_RECORD_FINISHED_ROUND) {
		sorter->limit = sorter->latest_before;
		sorter->latest_before = sorter->latest;
		start_release(sorter);
		return 1;
	}
	if (time == 0 || time == UINT64_MAX)
		return 1;
	if (!sorter_hold(sorter, record, time))
		hold(sorter, record, time);
	return 0;
}

/* The record that there was no place for, in its turn */
static int release_pending(struct sorter *sorter, struct precis_record *record)
{
	uint64_t time = sorter->pending_time;

	if (!time || time >= merge_time(&sorter->merge))
		return 0;
	*record = sorter->pending;
	sorter_count_late(sorter, time);
	sorter->pending_time = 0;
	return 1;
}

int sorter_next(struct sorter *sorter, sorter_pull *pull, void *from, struct precis_record *record)
{
	if (sorter->leaving) {
		sorter->leaving = 0;
		leave_block(sorter, &sorter->merge);
	}
	for (;;) {
		if (sorter->releasing) {
			if (release_pending(sorter, record) || sorter_release(sorter, record))
				return 1;
			sorter->releasing = 0;
		}
		if (!sorter->has_ended) {
			if (take(sorter, pull, from, record))
				return 1;
		} else {
			if (!sorter->head_count)
				return sorter->end;
			start_release(sorter);
		}
	}
}
