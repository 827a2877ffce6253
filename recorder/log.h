/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events, in the order in which they have to be written: that a block is there, after the function returned
 * that made it; that it is gone, before the function is called that gives it back. So no two lifetimes at one
 * address overlap, whichever threads they belong to.
 */
#ifndef PRECIS_RECORDER_LOG_H
#define PRECIS_RECORDER_LOG_H

#include "life.h"
#include "live.h"
#include "tracked.h"

/* For the slow ways out of the functions below. 'frame': see stack_of() */
void log_block(struct thread *thread, uint32_t operation, const void *block, size_t size,
	       const uint64_t *frame);
int log_gone(struct thread *thread, uint32_t operation, const void *block, const uint64_t *frame);

/* Of a thread that there is no memory for: what is to be recorded is lost, and counted. */
__attribute__((cold)) void log_lost_block(size_t size);
__attribute__((cold)) void log_lost_end(const void *block);
__attribute__((cold)) void log_lost_event(void);

/*
 * Is a block of this size none to be recorded? Then it has been counted, and that is all; else log_alloc() is
 * to be called with it. It is counted before it is there: that a program gets none of few bytes is its end.
 */
static inline int log_leaves_out(size_t size)
{
	struct thread *thread = self;

	/* until_sample is above 0 here, so that the largest sizes are above it, too */
	if (__builtin_expect(!thread || shared.running != RUNNING || thread->busy || size >= thread->always ||
			     size >= (uint64_t)thread->until_sample || live_is_kept, 0))
		return 0;
	thread->until_sample -= size ? (int64_t)size : 1;
	thread->allocations++;
	thread->allocated += size;
	return 1;
}

/* @param operation  ALLOC, REALLOC_ALLOC; behind 'frame' the address that it returns to stands */
static inline void log_alloc(uint32_t operation, const void *block, size_t size, const uint64_t *frame)
{
	struct thread *thread = thread_here();

	if (!thread) {
		log_lost_block(size);
		return;
	}
	if (__builtin_expect(live_is_kept, 0))
		live_add((uint64_t)block, size, frame[1]);
	thread->allocations++;
	thread->allocated += size;
	if (__builtin_expect(thread->busy, 0) || thread_wants(thread, size))
		log_block(thread, operation, block, size, frame);
}

/* @param operation  FREE, REALLOC_FREE. @return 1: it was recorded, so that it can be taken back */
static inline int log_free(uint32_t operation, const void *block, const uint64_t *frame)
{
	struct thread *thread = thread_here();

	if (thread && __builtin_expect(live_is_kept, 0))
		live_remove((uint64_t)block);
	if (!thread) {
		log_lost_end(block);
		return 0;
	}
	if (thread->always && !tracked_maybe((uint64_t)block))
		return 0;
	return log_gone(thread, operation, block, frame);
}

/* It is there still: what log_free() or log_unmap() told has failed. */
void log_restored(const void *block, int is_heap, const uint64_t *frame);

/* The begin of an event that happens now. Only while busy. */
uint8_t *log_event(struct thread *thread, uint32_t operation);

/* The thread that calls has begun. */
void log_thread(void);

void log_map(uint32_t operation, const void *start, size_t size, const uint64_t *frame);
void log_unmap(const void *start, size_t size, const uint64_t *frame);

#endif
