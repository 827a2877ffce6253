/* SPDX-License-Identifier: BSD-3-Clause */
/* See log.h. */
#include "log.h"

#include <errno.h>

#include "modules.h"

#define MEASURED_EVERY 64u /* calls */

/*
 * The time of an event that begins. What came with the thread is told at the begin of its chunks, before
 * that.
 */
static uint64_t begin(struct thread *thread)
{
	if (!thread->chunk.count)
		modules_tell(thread);
	return ticks_now();
}

uint8_t *log_event(struct thread *thread, uint32_t operation)
{
	uint64_t time = begin(thread);

	return thread_event(thread, time, operation);
}

/* The end of an event that began at 'time' */
static void finish(struct thread *thread, uint8_t *at, uint64_t time)
{
	thread_put(thread, at);
	if (!(++thread->calls % MEASURED_EVERY) && thread->chunk.count > 1)
		thread->own_ticks += MEASURED_EVERY * (ticks_now() - time);
}

static void put_block(struct thread *thread, uint32_t operation, const void *block, size_t size,
		      const uint64_t *frame, uint64_t time)
{
	uint32_t stack = stack_of(frame, &thread->stack);
	uint8_t *at = thread_event(thread, time, operation);

	if (!stack && frame && stacks_are_walked())
		__atomic_fetch_add(&shared.stacks_lost, 1, __ATOMIC_RELAXED);
	at = put_address(at, (uint64_t)block, &thread->last_address);
	at = put_varint(at, size);
	at = put_varint(at, stack);
	finish(thread, at, time);
	if (stack > thread->last_stack) {
		thread->last_stack = stack;
		modules_tell_code(thread);
	}
}

void log_block(struct thread *thread, uint32_t operation, const void *block, size_t size,
	       const uint64_t *frame)
{
	int saved = errno;
	uint64_t time;

	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, operation, (uint64_t)block, size);
		return;
	}
	time = begin(thread);
	if (!thread->always || tracked_add((uint64_t)block))
		put_block(thread, operation, block, size, frame, time);
	thread_leave(thread);
	errno = saved;
}

int log_gone(struct thread *thread, uint32_t operation, const void *block, const uint64_t *frame)
{
	int saved = errno, is_recorded = 0;

	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, operation, (uint64_t)block, 0);
		return 1;
	}
	if (!thread->always || tracked_remove((uint64_t)block)) {
		uint64_t time = begin(thread);
		uint8_t *at = thread_event(thread, time, operation);

		finish(thread, put_address(at, (uint64_t)block, &thread->last_address), time);
		is_recorded = 1;
	}
	thread_leave(thread);
	errno = saved;
	return is_recorded;
}

void log_thread(void)
{
	struct thread *thread = thread_here();
	int saved = errno;

	if (!thread || !thread_enter(thread, __builtin_frame_address(0)))
		return;
	begin(thread);
	thread_leave(thread);
	errno = saved;
}

void log_restored(const void *block, int is_heap, const uint64_t *frame)
{
	struct thread *thread = thread_here();
	int saved = errno;

	if (!thread)
		return;
	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, OBJECTS_RESTORED, (uint64_t)block, 0);
		return;
	}
	if (is_heap && thread->always)
		tracked_add((uint64_t)block);
	thread_put(thread, put_address(log_event(thread, OBJECTS_RESTORED), (uint64_t)block,
				       &thread->last_address));
	thread_leave(thread);
	errno = saved;
}

void log_map(uint32_t operation, const void *start, size_t size, const uint64_t *frame)
{
	struct thread *thread = thread_here();
	int saved = errno;

	if (!thread)
		return;
	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, operation, (uint64_t)start, size);
		return;
	}
	put_block(thread, operation, start, size, frame, begin(thread));
	thread_leave(thread);
	errno = saved;
}

void log_unmap(const void *start, size_t size, const uint64_t *frame)
{
	struct thread *thread = thread_here();
	int saved = errno;
	uint8_t *at;

	if (!thread)
		return;
	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, OBJECTS_UNMAP, (uint64_t)start, size);
		return;
	}
	at = log_event(thread, OBJECTS_UNMAP);
	at = put_address(at, (uint64_t)start, &thread->last_address);
	thread_put(thread, put_varint(at, size));
	thread_leave(thread);
	errno = saved;
}
