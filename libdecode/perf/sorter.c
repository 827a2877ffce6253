/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrivals go into blocks, as runs; a round merges the runs and hands out what
 * may go. When the blocks are full, all that is in them is merged into the
 * temporary file: one run there, which takes part through a window of one block.
 */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "record_header.h"
#include "sorter.h"
#include "sorter_merge.h"
#include "sorter_spill.h"

#define CACHE_LINE_BYTES 64u
#define FETCHED_BYTES 192u /* a sample with an IBS payload */
#define SPILLED_MIN 4u
#define SPILLED_MAX 64u
#define BLOCKS_SPARE 2u /* to write a run from and to read it through */
#define HEADS_SPARE 2u /* for the two that a failed merge adds */

struct sorter {
	/* The first records of all runs in order of arrival: those in the file, those in memory */
	struct held **heads;
	size_t head_count, head_limit;
	struct merge merge; /* of the round that is being released */
	uint64_t *times; /* and 'losers': of any merge */
	uint32_t *losers;

	int leaving; /* the caller has a view of the merge's winner, the last of its run in a block */
	int releasing; /* up to 'limit' */
	uint64_t limit;
	uint64_t latest; /* time that has arrived */
	uint64_t latest_before; /* the last FINISHED_ROUND */
	uint64_t latest_out; /* time handed out */
	uint64_t late;

	int has_ended; /* nothing is pulled any more: 'end' is the last word */
	int end;
	struct precis_record pending; /* pulled, and nowhere to keep it */
	uint64_t pending_time; /* 0: there is none */

	struct block_pool pool;
	struct block *writing; /* where arrivals go */
	struct held *tail; /* the last arrival, if it has not gone */

	struct spill spill;
	size_t spilled_count, spilled_limit; /* runs in the file */
};

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
			merge_replace(merge, held_follower(held));
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

static int has_room(const struct sorter *sorter, size_t bytes)
{
	return sorter->writing && block_room(sorter->writing) >= bytes;
}

/* A place for one more record, and for one more run. */
static int make_room(struct sorter *sorter, size_t bytes)
{
	if (sorter->head_count + HEADS_SPARE >= sorter->head_limit ||
	    (!has_room(sorter, bytes) && sorter->pool.free_count <= BLOCKS_SPARE)) {
		int error = spill_all(sorter);

		if (error)
			return error;
	}
	if (!has_room(sorter, bytes))
		sorter->writing = block_take(&sorter->pool);
	return 0;
}

static inline void join_or_start_run(struct sorter *sorter, struct held *held)
{
	struct held *tail = sorter->tail;

	if (likely(tail && tail->time <= held->time)) {
		if (likely(block_of(tail) == sorter->writing)) {
			tail->next = (uint32_t)((uint8_t *)held - (uint8_t *)tail);
			return;
		}
		tail->next = HELD_NEXT_BLOCK;
		block_of(tail)->next = sorter->writing;
	} else {
		sorter->heads[sorter->head_count++] = held;
	}
	sorter->writing->pieces++;
}

/* Copy a record to where it waits. */
static inline int hold(struct sorter *sorter, const struct precis_record *record, uint64_t time)
{
	size_t bytes = held_bytes(record->size);
	struct held *held;

	if (unlikely(!has_room(sorter, bytes) ||
		     sorter->head_count + HEADS_SPARE >= sorter->head_limit)) {
		int error = make_room(sorter, bytes);

		if (error)
			return error;
	}
	held = (struct held *)((uint8_t *)sorter->writing + sorter->writing->used);
	held->time = time;
	held->offset = record->offset;
	held->part = record->part;
	held->next = HELD_RUN_ENDS;
	memcpy(held->bytes, record->data, record->size);
	sorter->writing->used += (uint32_t)bytes;
	join_or_start_run(sorter, held);
	sorter->tail = held;
	if (time > sorter->latest)
		sorter->latest = time;
	return 0;
}

static inline void count_late(struct sorter *sorter, uint64_t time)
{
	if (likely(time >= sorter->latest_out))
		sorter->latest_out = time;
	else
		sorter->late++;
}

/* The record after the next of the run, which will be wanted: most are of one size. */
static inline void fetch_ahead(const struct held *held)
{
	uintptr_t at = (uintptr_t)held + 2 * (uintptr_t)held->next;

	for (uintptr_t n = 0; n < FETCHED_BYTES; n += CACHE_LINE_BYTES)
		__builtin_prefetch((const void *)(at + n));
}

/*
 * The earliest of what may go. Its run goes on at once, while the caller works;
 * not into another block, because the view might end with its own.
 * @return 1, or 0 if there is none any more
 */
static inline int release(struct sorter *sorter, struct precis_record *record)
{
	struct merge *merge = &sorter->merge;
	uint64_t time = merge_time(merge);
	struct held *held;

	if (unlikely(sorter->pending_time && sorter->pending_time < time)) {
		*record = sorter->pending;
		count_late(sorter, sorter->pending_time);
		sorter->pending_time = 0;
		return 1;
	}
	if (time > sorter->limit)
		return 0;
	held = merge->heads[merge->winner];
	count_late(sorter, time);
	record_view(held->bytes, record);
	record->offset = held->offset;
	record->part = held->part;
	if (likely(held->next > HELD_NEXT_BLOCK)) {
		fetch_ahead(held);
		merge_replace(merge, held_follower(held));
	} else {
		sorter->leaving = 1;
	}
	return 1;
}

/* One record more. @return 1 if 'record' is to be handed out at once, else 0 */
static inline int take(struct sorter *sorter, sorter_pull *pull, void *from,
		       struct precis_record *record)
{
	uint64_t time;
	int result = pull(from, record, &time);

	if (unlikely(result <= 0)) {
		stop(sorter, result);
		return 0;
	}
	if (unlikely(record->type == PRECIS_RECORD_FINISHED_ROUND)) {
		sorter->limit = sorter->latest_before;
		sorter->latest_before = sorter->latest;
		start_release(sorter);
		return 1;
	}
	if (unlikely(time == 0 || time == UINT64_MAX))
		return 1;
	result = hold(sorter, record, time);
	if (unlikely(result)) {
		sorter->pending = *record;
		sorter->pending_time = time;
		stop(sorter, result);
	}
	return 0;
}

int sorter_next(struct sorter *sorter, sorter_pull *pull, void *from, struct precis_record *record)
{
	if (unlikely(sorter->leaving)) {
		sorter->leaving = 0;
		leave_block(sorter, &sorter->merge);
	}
	for (;;) {
		if (likely(sorter->releasing)) {
			if (likely(release(sorter, record)))
				return 1;
			sorter->releasing = 0;
		}
		if (likely(!sorter->has_ended)) {
			if (take(sorter, pull, from, record))
				return 1;
		} else {
			if (!sorter->head_count)
				return sorter->end;
			start_release(sorter);
		}
	}
}
