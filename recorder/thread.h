/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What belongs to one thread: its events that are not written yet, and how it samples.
 *
 * A signal handler that allocates while its thread is in here finds 'busy' set. It leaves what happened in
 * 'left', without a stack, and the thread records it as soon as it can, in the order of the times.
 */
#ifndef PRECIS_RECORDER_THREAD_H
#define PRECIS_RECORDER_THREAD_H

#include "clock.h"
#include "encode.h"
#include "sampling.h"
#include "stacks.h"
#include "state.h"

#define LEFT_MOST 64u
#define BUFFER_BYTES (32u * 1024u)

/* What happened while the thread was busy */
struct left {
	uint64_t time, address, size;
	uint32_t operation;
};

/* What recording costs a thread, since it was judged last */
struct sampling {
	uint64_t own, cpu; /* what these were then: ticks, ns */
	uint64_t look_at; /* ticks */
	uint64_t passed; /* blocks that were left out though they have the size */
	uint64_t small, large, large_bytes; /* that were recorded, by chance and by size */
	struct carried carried; /* of what it may cost, and of threads before it */
};

struct thread {
	/* What a block that is left out needs is in one cache line. */
	int busy;
	uint32_t left_counts; /* of 'left': how many there have been, and << 16 how many were taken; 0: all */
	uint64_t always; /* blocks of so many bytes are recorded, all or by large_interval */
	int64_t until_sample; /* bytes */
	uint64_t allocations, allocated;
	uint64_t interval; /* 0: others than those of 'always' never */
	uint8_t *at, *limit; /* where the next event goes; from here on the buffer is to be written */
	uint64_t last_time, last_address;
	uint64_t large_interval; /* between those from 'always' on that are recorded; 0: all are */
	int64_t until_large; /* bytes of these */
	struct sampling sampling;
	uint32_t calls; /* one in 64 is measured */
	uint32_t is_known; /* 1: its stack and TLS blocks have been told */
	uint32_t last_stack; /* the newest that it had: a larger one is new */
	struct stack_bounds stack;
	uint64_t random;
	uint64_t events, lost;
	struct own_time own;
	uint64_t window_ticks, window_wall; /* a moment before, by both clocks: ticks, ns */
	uint64_t modules; /* dlpi_adds of dl_iterate_phdr() when TLS blocks were told last */
	const uint64_t *busy_frame; /* of the function that is busy */
	int tid;
	int rounds; /* of destructors that its end has gone through */
	int is_over; /* 1: its end has been told; the struct is free when the thread is gone */
	struct thread *next; /* of all */
	struct left left[LEFT_MOST];
	struct objects_chunk chunk; /* and behind it its payload */
	uint8_t buffer[BUFFER_BYTES + 2 * OBJECTS_EVENT_MOST];
};

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
 * Stop all, write their events, let them go on. @param stays  0: from here on each event is written at once
 */
void threads_write_all(int stays);
/* In a forked child, where all but the caller's are gone */
void threads_forget_others(void);
/* Sums of all, into a trailer */
void threads_sum(struct objects_trailer *trailer);

/* --- one event: thread_enter(), thread_event(), put_..., thread_put(), thread_leave() --- */

void thread_wait(void);
/* Record what was left before this time. Only while busy. */
void thread_take_left(struct thread *thread, uint64_t until);
void thread_leave_slowly(struct thread *thread);
/* Is who is busy gone, by a longjmp() out of a signal handler? */
int thread_is_stuck(const struct thread *thread, const uint64_t *frame);
/* Leave an event to who is busy. */
void thread_leave_event(struct thread *thread, uint32_t operation, uint64_t address, uint64_t size);
/* What it took of the CPU, of which the ticks are not counted yet */
void thread_count_own(struct thread *thread);

/* Where not all blocks from a size on are recorded a chunk begins with how many are. */
static inline uint8_t *put_large_interval(struct thread *thread, uint8_t *at)
{
	thread->chunk.flags = thread->large_interval ? OBJECTS_CHUNK_LARGE_SAMPLED : 0;
	if (__builtin_expect(!thread->large_interval, 1))
		return at;
	memcpy(at, &thread->large_interval, sizeof(thread->large_interval));
	return at + sizeof(thread->large_interval);
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
			return sampling_wants_large(thread, size);
		thread->sampling.large++;
		thread->sampling.large_bytes += size;
		return 1;
	}
	thread->until_sample -= size ? (int64_t)size : 1;
	return __builtin_expect(thread->until_sample <= 0, 0) && sampling_wants_slowly(thread);
}

/* @return 0: it is busy, and the event is to be left */
static inline int thread_enter(struct thread *thread, const uint64_t *frame)
{
	if (__builtin_expect(thread->busy, 0) && !thread_is_stuck(thread, frame))
		return 0;
	thread->busy_frame = frame;
	*(volatile int *)&thread->busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(*(volatile int *)&shared.stop, 0))
		thread_wait();
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
