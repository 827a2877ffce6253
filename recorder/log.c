/* SPDX-License-Identifier: BSD-3-Clause */
/* See log.h. */
#include "log.h"

#include "modules.h"

#define MEASURED_EVERY 64u /* calls */
#define NOT_MEASURED_TICKS 20u /* to come here, and back */

/* What came with the thread is told at the begin of its chunks, before the first event of others. */
static inline void begin(struct thread *thread)
{
	if (__builtin_expect(!thread->chunk.count, 0))
		modules_tell(thread);
}

/* That function itself would be called. */
static inline uint8_t *event(struct thread *thread, uint32_t operation)
{
	begin(thread);
	return thread_event(thread, ticks_now(), operation);
}

uint8_t *log_event(struct thread *thread, uint32_t operation)
{
	return event(thread, operation);
}

/* One call in so many is measured, by the clock. @return since when; 0: this one is not */
static inline uint64_t measured_from(struct thread *thread)
{
	return __builtin_expect(++thread->calls % MEASURED_EVERY != 0, 1) ? 0 : ticks_now();
}

static inline void finish(struct thread *thread, uint8_t *at, uint64_t from)
{
	thread_put(thread, at);
	if (__builtin_expect(!from, 1))
		return;
	if (thread->chunk.count > 1)
		thread->own.ticks +=
			MEASURED_EVERY * (event_ticks_since(from) + NOT_MEASURED_TICKS);
	if (from >= thread->sampling.look_at)
		thread_judge(thread);
}

/*
 * Code of a library that has come since may be in a stack that is new. It is told before the first event with
 * that stack.
 */
static __attribute__((noinline)) void tell_code(struct thread *thread, uint32_t stack)
{
	modules_tell_code(thread);
	thread->last_stack = stack;
}

/*
 * A block that is there, which nobody but this thread knows of yet. The stack is looked for before the time
 * is read, as reading it waits for all that came before, such as the function that made the block: so both
 * are waited for together.
 */
static void put_block(struct thread *thread, uint32_t operation, const void *block, size_t size,
		      const uint64_t *frame, uint64_t from)
{
	const struct own_time own = thread->own;
	uint32_t stack = stack_of(frame, &thread->stack, &thread->own);
	uint8_t *at;

	if (__builtin_expect(stack > thread->last_stack, 0))
		tell_code(thread, stack);
	at = event(thread, operation);
	if (__builtin_expect(!stack, 0) && frame && stacks_are_walked())
		__atomic_fetch_add(&shared.stacks_lost, 1, __ATOMIC_RELAXED);
	at = put_address(at, (uint64_t)block, &thread->last_address);
	at = put_varint(at, size);
	at = put_varint(at, stack);
	/* what was measured by itself is not once more */
	finish(thread, at, own.ns == thread->own.ns && own.ticks == thread->own.ticks ? from : 0);
}

void log_block(struct thread *thread, uint32_t operation, const void *block, size_t size,
	       const uint64_t *frame)
{
	uint64_t from;

	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, operation, (uint64_t)block, size);
		return;
	}
	from = measured_from(thread);
	if (!thread->always || thread_tracks(thread, (uint64_t)block))
		put_block(thread, operation, block, size, frame, from);
	thread_leave(thread);
}

int log_gone(struct thread *thread, uint32_t operation, const void *block, const uint64_t *frame)
{
	int is_recorded = 0;
	uint64_t from;

	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, operation, (uint64_t)block, 0);
		return 1;
	}
	from = measured_from(thread);
	if (!thread->always || tracked_remove((uint64_t)block)) {
		uint8_t *at = event(thread, operation);

		finish(thread, put_address(at, (uint64_t)block, &thread->last_address), from);
		is_recorded = 1;
	}
	thread_leave(thread);
	return is_recorded;
}

void log_lost_event(void)
{
	if (shared.running != RUNNING)
		return;
	__atomic_fetch_add(&shared.lost, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared.without_memory, 1, __ATOMIC_RELAXED);
}

void log_lost_block(size_t size)
{
	if (shared.running != RUNNING)
		return;
	__atomic_fetch_add(&shared.allocations, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared.allocated, size, __ATOMIC_RELAXED);
	if (sampling_wants_of_nobody(size))
		log_lost_event();
}

void log_lost_end(const void *block)
{
	if (shared.running == RUNNING &&
	    (sampling_is_of_all() ||
	     (tracked_maybe((uint64_t)block) && tracked_remove((uint64_t)block))))
		log_lost_event();
}

void log_thread(void)
{
	struct thread *thread = thread_here();

	if (!thread || !thread_enter(thread, __builtin_frame_address(0)))
		return;
	begin(thread);
	thread_leave(thread);
}

/*
 * An allocator's library maps memory while it sets itself up, in the first malloc(3) of the program, with its
 * own lock held: the recorder does not begin there, as it would ask for a block.
 */
static struct thread *thread_of_map(void)
{
	return life_has_begun() ? thread_here() : NULL;
}

void log_restored(const void *block, int is_heap, const uint64_t *frame)
{
	struct thread *thread = is_heap ? thread_here() : thread_of_map();

	if (!thread) {
		log_lost_event();
		return;
	}
	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, OBJECTS_RESTORED, (uint64_t)block, is_heap != 0);
		return;
	}
	if (!is_heap || !thread->always || thread_tracks(thread, (uint64_t)block))
		thread_put(thread, put_address(event(thread, OBJECTS_RESTORED), (uint64_t)block,
					       &thread->last_address));
	thread_leave(thread);
}

void log_map(uint32_t operation, const void *start, size_t size, const uint64_t *frame)
{
	struct thread *thread = thread_of_map();

	if (!thread) {
		log_lost_event();
		return;
	}
	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, operation, (uint64_t)start, size);
		return;
	}
	put_block(thread, operation, start, size, frame, measured_from(thread));
	thread_leave(thread);
}

void log_unmap(const void *start, size_t size, const uint64_t *frame)
{
	struct thread *thread = thread_of_map();
	uint8_t *at;

	if (!thread) {
		log_lost_event();
		return;
	}
	if (!thread_enter(thread, frame)) {
		thread_leave_event(thread, OBJECTS_UNMAP, (uint64_t)start, size);
		return;
	}
	at = event(thread, OBJECTS_UNMAP);
	at = put_address(at, (uint64_t)start, &thread->last_address);
	thread_put(thread, put_varint(at, size));
	thread_leave(thread);
}
