/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What belongs to one thread: its events that are not written yet, and how it samples.
 *
 * A signal handler that allocates while its thread is in here finds 'busy' set. It leaves what happened in
 * 'left', without a stack, and the thread records it as soon as it can, in the order of the times.
 *
 * A handler may also jump out of here. So an event is there by one store, of 'at': whoever takes over from
 * what is gone takes back what an event had changed before that (thread_takes_over()). What cannot be taken
 * back, and is rare, is done with signals blocked.
 */
#ifndef PRECIS_RECORDER_THREAD_H
#define PRECIS_RECORDER_THREAD_H

#include "sampling.h"
#include "thread_state.h"

extern __thread struct thread *self __attribute__((tls_model("initial-exec")));

/* @return 0, -1: no key is left */
int threads_begin(void);
/* Of all threads of this process */
void threads_set_up(uint64_t seed);

/* One for the thread that calls, which becomes 'self'. @return NULL: no memory */
struct thread *thread_new(void);
/* In a forked child: the same with nothing in it. */
void thread_renew(struct thread *thread);

/* Write its events. @return 0, -1 */
int thread_write(struct thread *thread);

/*
 * Stop all, write their events, let them go on; with signals blocked.
 * @param stays  0: from here on each event is written at once
 * @return events of threads that do not come out of the recorder, which are not written
 */
uint64_t threads_write_all(int stays);
/* In a forked child, where all but the caller's are gone */
void threads_forget_others(void);
/* Sums of all, into a trailer */
void threads_sum(struct objects_trailer *trailer);

/* --- one event: thread_enter(), thread_event(), put_..., thread_put(), thread_leave() --- */

void thread_wait(const uint64_t *frame);
/* Record what was left before this time. Only while busy. */
void thread_take_left(struct thread *thread, uint64_t until);
void thread_leave_slowly(struct thread *thread);
/* Is who is busy gone, by a longjmp() out of a signal handler? */
int thread_is_stuck(const struct thread *thread, const uint64_t *frame);
/* If so: what was not done to its end is as if it had not been begun. @return 0: who is busy is there */
int thread_takes_over(struct thread *thread, const uint64_t *frame);
/* Leave an event to who is busy. */
void thread_leave_event(struct thread *thread, uint32_t operation, uint64_t address, uint64_t size);
/* An event that there is no memory for: it is counted. Only while busy. */
void thread_lose(struct thread *thread);
/* A block that is to be recorded: its end will be known by its address. @return 0: no memory, it is lost */
int thread_tracks(struct thread *thread, uint64_t address);
/* A block from the size on, where not all of them are: is it to be recorded? */
int thread_wants_large(struct thread *thread, uint64_t size);
/* Does recording cost it too much, or less than it may? Only while busy, and not within an event. */
void thread_judge(struct thread *thread);

/* Where not all blocks from a size on are recorded a chunk begins with how many are. */
static inline uint8_t *put_large_interval(struct thread *thread, uint8_t *at)
{
	thread->chunk.flags = thread->large_interval ? OBJECTS_CHUNK_LARGE_SAMPLED : 0;
	if (__builtin_expect(!thread->large_interval, 1))
		return at;
	memcpy(at, &thread->large_interval, sizeof(thread->large_interval));
	return at + sizeof(thread->large_interval);
}

/* 'at' comes last: as long as it is another one, all else here is not looked at. */
static inline void thread_keep_position(struct thread *thread)
{
	thread->before.last_time = thread->last_time;
	thread->before.last_address = thread->last_address;
	thread->before.count = thread->chunk.count;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*(uint8_t *volatile *)&thread->before.at = thread->at;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/*
 * Begin an event: operation and time. The caller puts the rest, and says with thread_put() where that ends.
 */
static inline uint8_t *thread_event(struct thread *thread, uint64_t time, uint32_t operation)
{
	uint8_t *at = thread->at;

	if (__builtin_expect(thread->left_counts != 0, 0)) {
		thread_take_left(thread, time);
		at = thread->at;
	}
	thread_keep_position(thread);
	if (!thread->chunk.count) {
		thread->chunk.first_time = time;
		thread->chunk.interval = thread->interval;
		thread->last_time = time;
		thread->last_address = 0;
		at = put_large_interval(thread, at);
	}
	if (time < thread->last_time)
		time = thread->last_time; /* a counter that steps back must not make ages of it */
	at = put_operation(at, time - thread->last_time, operation);
	thread->last_time = time;
	return at;
}

static inline void thread_put(struct thread *thread, uint8_t *at)
{
	thread->chunk.count++;
	__atomic_store_n(&thread->at, at, __ATOMIC_RELEASE);
	if (__builtin_expect(at >= thread->limit, 0))
		thread_write(thread);
}

/* Is a block of this size to be recorded? */
static inline int thread_wants(struct thread *thread, uint64_t size)
{
	if (size >= thread->always) {
		if (__builtin_expect(thread->large_interval != 0, 0))
			return thread_wants_large(thread, size);
		thread->sampling.large++;
		thread->sampling.large_bytes += size;
		return 1;
	}
	thread->until_sample -= size ? (int64_t)size : 1;
	return __builtin_expect(thread->until_sample <= 0, 0) && sampling_wants_slowly(thread);
}

/* A handler that comes between both stores is busy, too, and leaves its own frame behind. */
static inline void thread_occupy(struct thread *thread, const uint64_t *frame)
{
	do {
		*(const uint64_t *volatile *)&thread->busy_frame = frame;
		*(volatile int *)&thread->busy = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (__builtin_expect(*(const uint64_t *volatile *)&thread->busy_frame != frame, 0));
}

/* @return 0: it is busy, and the event is to be left */
static inline int thread_enter(struct thread *thread, const uint64_t *frame)
{
	if (__builtin_expect(thread->busy, 0) && !thread_takes_over(thread, frame))
		return 0;
	thread_occupy(thread, frame);
	if (__builtin_expect(*(volatile int *)&shared.stop, 0))
		thread_wait(frame);
	return 1;
}

static inline void thread_leave(struct thread *thread)
{
	__atomic_store_n(&thread->busy, 0, __ATOMIC_RELEASE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(*(volatile uint32_t *)&thread->left_counts != 0, 0))
		thread_leave_slowly(thread);
}

#endif
