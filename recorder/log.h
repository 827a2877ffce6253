/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events, in the order in which they have to be written: that a block is there, after the function returned
 * that made it; that it is gone, before the function is called that gives it back. So no two lifetimes at one
 * address overlap, whichever threads they belong to.
 */
#ifndef PRECIS_RECORDER_LOG_H
#define PRECIS_RECORDER_LOG_H

#include "life.h"
#include "tracked.h"

/* For the slow ways out of the functions below. 'frame': see stack_of() */
void log_block(struct thread *thread, uint32_t operation, const void *block, size_t size,
	       const uint64_t *frame);
int log_gone(struct thread *thread, uint32_t operation, const void *block, const uint64_t *frame);

/* @param operation  ALLOC, REALLOC_ALLOC */
static inline void log_alloc(uint32_t operation, const void *block, size_t size, const uint64_t *frame)
{
	struct thread *thread = thread_here();

	if (!thread)
		return;
	thread->allocations++;
	thread->allocated += size;
	if (__builtin_expect(thread->busy, 0) || thread_wants(thread, size))
		log_block(thread, operation, block, size, frame);
}

/* @param operation  FREE, REALLOC_FREE. @return 1: it was recorded, so that it can be taken back */
static inline int log_free(uint32_t operation, const void *block, const uint64_t *frame)
{
	struct thread *thread = thread_here();

	if (!thread || (thread->always && !tracked_maybe((uint64_t)block)))
		return 0;
	return log_gone(thread, operation, block, frame);
}

/* It is there still: what log_free() or log_unmap() told has failed. */
void log_restored(const void *block, int is_heap, const uint64_t *frame);

/* The begin of an event that happens now. Only while busy. */
uint8_t *log_event(struct thread *thread, uint32_t operation);

void log_map(uint32_t operation, const void *start, size_t size, const uint64_t *frame);
void log_unmap(const void *start, size_t size, const uint64_t *frame);

#endif
