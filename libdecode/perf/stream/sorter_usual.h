/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a sorter is made of, and the short ways into it and out of it, which
 * nearly every record takes: they call nothing.
 */
#ifndef PRECIS_PERF_SORTER_USUAL_H
#define PRECIS_PERF_SORTER_USUAL_H

#include <string.h>

#include "libdecode/perf/records/record_header.h"
#include "sorter_merge.h"
#include "sorter_spill.h"

#define HEADS_SPARE 2u /* for the two that a failed merge adds */
#define CACHE_LINE_BYTES 64u
#define FETCHED_BYTES 192u /* a sample with an IBS payload */

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

/* Is there a place for one more record, and for one more run? */
static inline int sorter_has_room(const struct sorter *sorter, size_t bytes)
{
	return likely(block_fits(sorter->writing, bytes) &&
		      sorter->head_count + HEADS_SPARE < sorter->head_limit);
}

static inline void sorter_join_or_start_run(struct sorter *sorter, struct held *held)
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

/* Copy a record to where it waits. @return 1, or 0 if there is no room at hand */
static inline int sorter_hold(struct sorter *sorter, const struct precis_record *record,
			      uint64_t time)
{
	size_t bytes = held_bytes(record->size);
	struct held *held;

	if (!sorter_has_room(sorter, bytes))
		return 0;
	held = (struct held *)((uint8_t *)sorter->writing + sorter->writing->used);
	held->time = time;
	held->offset = record->offset;
	held->data_file = record->data_file;
	held->next = HELD_RUN_ENDS;
	memcpy(held->bytes, record->data, record->size);
	sorter->writing->used += (uint32_t)bytes;
	sorter_join_or_start_run(sorter, held);
	sorter->tail = held;
	if (time > sorter->latest)
		sorter->latest = time;
	return 1;
}

static inline void sorter_count_late(struct sorter *sorter, uint64_t time)
{
	if (likely(time >= sorter->latest_out))
		sorter->latest_out = time;
	else
		sorter->late++;
}

/* The record after the next of the run, which will be wanted: most are of one size. */
static inline void sorter_fetch_ahead(const struct held *held)
{
	uintptr_t at = (uintptr_t)held + 2 * (uintptr_t)held->next;

	for (uintptr_t n = 0; n < FETCHED_BYTES; n += CACHE_LINE_BYTES)
		__builtin_prefetch((const void *)(at + n));
}

/*
 * The earliest of what may go. Its run goes on at once, while the caller works;
 * not into another block, because the view might end with its own.
 * @return 1, or 0 if there is none
 */
static inline int sorter_release(struct sorter *sorter, struct precis_record *record)
{
	struct merge *merge = &sorter->merge;
	uint64_t time = merge_time(merge);
	struct held *held;

	if (unlikely(time > sorter->limit))
		return 0;
	held = merge->heads[merge->winner];
	sorter_count_late(sorter, time);
	record_view(held->bytes, record);
	record->offset = held->offset;
	record->data_file = held->data_file;
	if (likely(held->next > HELD_NEXT_BLOCK)) {
		sorter_fetch_ahead(held);
		merge_advance(merge);
	} else {
		sorter->leaving = 1;
	}
	return 1;
}

/* As sorter_next(), where there is nothing to be done before. @return 1; 0: ask that */
static inline int sorter_take_usual(struct sorter *sorter, struct precis_record *record)
{
	return likely(sorter->releasing && !sorter->leaving && !sorter->pending_time) &&
	       sorter_release(sorter, record);
}

#endif
