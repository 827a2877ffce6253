/* SPDX-License-Identifier: BSD-3-Clause */
/* See thread.h. */
#define _GNU_SOURCE
#include "thread.h"

#include <errno.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "clocks.h"
#include "definitions.h"
#include "output.h"
#include "system.h"
#include "tracked.h"

#define PASSED_LOOKED_EVERY 64u /* blocks that are left out */
#define STOPPING_MOST UINT64_C(1000000000) /* ns that a thread may take to come out of the recorder */
#define MAIN_STACK (UINT64_C(128) << 20) /* bytes, where the limit is none */

__thread struct thread *self __attribute__((tls_model("initial-exec")));

static struct thread *all;
static pthread_key_t key; /* of which the value is a thread's struct: its destructor sees the thread's end */
static uint64_t seed;

static void thread_over(void *data);

int threads_begin(void)
{
	return pthread_key_create(&key, thread_over) ? -1 : 0;
}

void threads_set_up(uint64_t seed_of_process)
{
	seed = seed_of_process;
	CALL2(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0);
}

/* --- begin and end --- */

/* The kernel puts the program's path above all else on the stack of the first thread. */
static struct stack_bounds main_stack(void)
{
	const char *path = (const char *)getauxval(AT_EXECFN);
	struct stack_bounds bounds = { 0, 0 };
	struct rlimit limit;

	if (!path || CALL4(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit))
		return bounds;
	bounds.high = ((uint64_t)path + strlen(path) + 16 + 4095) & ~UINT64_C(4095);
	bounds.low = bounds.high - (limit.rlim_cur == RLIM_INFINITY ? MAIN_STACK : limit.rlim_cur);
	return bounds;
}

static struct stack_bounds stack_bounds(int tid)
{
	struct stack_bounds bounds = { 0, 0 };
	pthread_attr_t attributes;
	size_t size;
	void *low;

	if (tid == own_pid())
		return main_stack();
	if (pthread_getattr_np(pthread_self(), &attributes))
		return bounds;
	if (!pthread_attr_getstack(&attributes, &low, &size)) {
		bounds.low = (uint64_t)low;
		bounds.high = (uint64_t)low + size;
	}
	pthread_attr_destroy(&attributes);
	return bounds;
}

static uint64_t fs_base(void)
{
	uint64_t base;

	__asm__("mov %%fs:0, %0" : "=r"(base));
	return base;
}

void thread_renew(struct thread *thread)
{
	struct stack_bounds stack = thread->stack;
	struct thread *next = thread->next;

	memset(thread, 0, offsetof(struct thread, buffer));
	thread->busy = 1; /* nothing of what follows is recorded before it is done */
	thread->stack = stack;
	thread->next = next;
	thread->tid = own_tid();
	thread->at = thread->buffer;
	thread->limit = thread->buffer +
			(__atomic_load_n(&shared.has_ended, __ATOMIC_RELAXED) ? 0 : BUFFER_BYTES);
	thread->random = seed + tracked_mix(__atomic_fetch_add(&shared.threads, 1, __ATOMIC_RELAXED));
	sampling_begin(thread);
}

/* The struct of a thread that is gone, or a new one */
static struct thread *find_free(void)
{
	struct thread *thread;
	int over = 1;

	for (thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE); thread; thread = thread->next) {
		if (!thread->is_over || CALL3(SYS_tgkill, own_pid(), thread->tid, 0) != -ESRCH)
			continue;
		over = 1;
		if (__atomic_compare_exchange_n(&thread->is_over, &over, 0, 0, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return thread;
	}
	thread = own_memory(sizeof(*thread));
	if (!thread)
		return NULL;
	thread->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&all, &thread->next, thread, 0, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return thread;
}

/* What it counted belongs to all from here on. */
static void sum_up(const struct thread *thread)
{
	__atomic_fetch_add(&shared.events, thread->events, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared.lost, thread->lost + thread->chunk.lost, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared.allocations, thread->allocations, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared.allocated, thread->allocated, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared.own_ticks, thread->own.ticks, __ATOMIC_RELAXED);
}

struct thread *thread_new(void)
{
	struct thread *thread = find_free();

	if (!thread)
		return NULL;
	sum_up(thread);
	thread_renew(thread);
	self = thread;
	thread->stack = stack_bounds(thread->tid);
	pthread_setspecific(key, thread);
	thread_leave(thread);
	return thread;
}

/* Other destructors may free blocks yet: the last round is the end. */
static void thread_over(void *data)
{
	struct thread *thread = data;

	if (thread != self || shared.running != RUNNING)
		return;
	if (++thread->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(key, thread);
		return;
	}
	if (!thread_enter(thread, NULL))
		return;
	thread_put(thread, thread_event(thread, ticks_now(), OBJECTS_THREAD_END));
	thread_write(thread);
	thread_judge(thread);
	sampling_end(thread);
	thread->limit = thread->buffer;
	__atomic_store_n(&thread->is_over, 1, __ATOMIC_RELEASE);
	thread_leave(thread);
}

/* --- whether it costs too much --- */

/* The next chunk says by which intervals: no handler is to jump out between both. */
void thread_judge(struct thread *thread)
{
	const uint64_t signals = signals_block();
	uint64_t before;

	if (sampling_judge(thread)) {
		before = thread->own.ns;
		thread_write(thread);
		sampling_changed(thread, thread->own.ns - before);
	}
	signals_restore(signals);
}

/* Where no block is recorded any more nobody would notice that their number has become less. */
static __attribute__((noinline)) void look(struct thread *thread)
{
	if (thread->busy || ticks_now() < thread->sampling.look_at ||
	    !thread_enter(thread, __builtin_frame_address(0)))
		return;
	thread_judge(thread);
	thread_leave(thread);
}

int thread_wants_large(struct thread *thread, uint64_t size)
{
	if (sampling_wants_large(thread, size))
		return 1;
	if (__builtin_expect(thread->sampling.passed % PASSED_LOOKED_EVERY == 0, 0))
		look(thread);
	return 0;
}

/* --- events that a signal handler left --- */

/* A handler whose own stack is a part of the thread's stands above those whom it interrupts. */
static int is_above_by_handler(const uint64_t *busy_frame)
{
	stack_t own;

	return !CALL2(SYS_sigaltstack, NULL, &own) && own.ss_flags & SS_ONSTACK &&
	       (uint64_t)busy_frame - (uint64_t)own.ss_sp >= own.ss_size;
}

int thread_is_stuck(const struct thread *thread, const uint64_t *frame)
{
	const struct stack_bounds *stack = &thread->stack;

	return frame >= thread->busy_frame && thread->busy_frame &&
	       (uint64_t)thread->busy_frame > stack->low && (uint64_t)frame < stack->high &&
	       !is_above_by_handler(thread->busy_frame);
}

int thread_takes_over(struct thread *thread, const uint64_t *frame)
{
	if (!thread_is_stuck(thread, frame))
		return 0;
	if (thread->at == thread->before.at) { /* the event is not there */
		thread->last_time = thread->before.last_time;
		thread->last_address = thread->before.last_address;
		thread->chunk.count = thread->before.count;
	}
	lock_give_back();
	if (thread->at >= thread->limit)
		thread_write(thread);
	return 1;
}

void thread_leave_event(struct thread *thread, uint32_t operation, uint64_t address, uint64_t size)
{
	const uint64_t time = ticks_now(), signals = signals_block(); /* what is counted is there */
	uint32_t n = __atomic_fetch_add(&thread->left_counts, 1, __ATOMIC_RELAXED) & 0xffff;

	if (n < LEFT_MOST)
		thread->left[n] = (struct left){ time, address, size, operation };
	signals_restore(signals);
}

static int has_size(uint32_t operation)
{
	return operation == OBJECTS_ALLOC || operation == OBJECTS_REALLOC_ALLOC || operation == OBJECTS_MAP ||
	       operation == OBJECTS_MAP_FILE || operation == OBJECTS_UNMAP;
}

void thread_lose(struct thread *thread)
{
	thread->chunk.lost++;
	__atomic_fetch_add(&shared.without_memory, 1, __ATOMIC_RELAXED);
}

int thread_tracks(struct thread *thread, uint64_t address)
{
	if (tracked_add(address))
		return 1;
	thread_lose(thread);
	return 0;
}

/* As log.c does it, without a stack */
static int is_recorded(struct thread *thread, const struct left *left)
{
	if (!thread->always)
		return 1;
	switch (left->operation) {
	case OBJECTS_ALLOC:
	case OBJECTS_REALLOC_ALLOC:
		return thread_wants(thread, left->size) && thread_tracks(thread, left->address);
	case OBJECTS_FREE:
	case OBJECTS_REALLOC_FREE: return tracked_maybe(left->address) && tracked_remove(left->address);
	case OBJECTS_RESTORED: /* 'size': of the heap */
		return !left->size || thread_tracks(thread, left->address);
	default: return 1;
	}
}

static void record_left(struct thread *thread, const struct left *left)
{
	uint8_t *at;

	if (!is_recorded(thread, left))
		return;
	at = thread_event(thread, left->time, left->operation);
	at = put_address(at, left->address, &thread->last_address);
	if (has_size(left->operation))
		at = put_varint(at, left->size);
	if (has_size(left->operation) && left->operation != OBJECTS_UNMAP)
		at = put_varint(at, 0);
	thread_put(thread, at);
}

static void take_left(struct thread *thread, uint64_t until)
{
	uint32_t counts = __atomic_load_n(&thread->left_counts, __ATOMIC_RELAXED), all_taken = 0;

	while (!all_taken) {
		uint32_t count = counts & 0xffff, n = counts >> 16;

		if (n < count && n < LEFT_MOST) {
			struct left left = thread->left[n];

			if (left.time > until)
				return;
			__atomic_fetch_add(&thread->left_counts, 1u << 16, __ATOMIC_RELAXED);
			record_left(thread, &left);
			counts = __atomic_load_n(&thread->left_counts, __ATOMIC_RELAXED);
			all_taken = !counts;
		} else if (__atomic_compare_exchange_n(&thread->left_counts, &counts, 0, 0, __ATOMIC_RELAXED,
						       __ATOMIC_RELAXED)) {
			thread->chunk.lost += count > LEFT_MOST ? count - LEFT_MOST : 0;
			all_taken = 1;
		}
	}
}

/* What is taken is not there any more before it is recorded. */
void thread_take_left(struct thread *thread, uint64_t until)
{
	const uint64_t signals = signals_block();

	take_left(thread, until);
	signals_restore(signals);
}

void thread_leave_slowly(struct thread *thread)
{
	const uint64_t signals = signals_block();

	if (thread_enter(thread, __builtin_frame_address(0)))
		take_left(thread, UINT64_MAX);
	__atomic_store_n(&thread->busy, 0, __ATOMIC_RELEASE);
	signals_restore(signals);
}

/* --- out of the buffer --- */

static void fill_chunk(struct thread *thread)
{
	struct objects_chunk *chunk = &thread->chunk;

	chunk->kind = OBJECTS_EVENTS;
	chunk->bytes = (uint32_t)(thread->at - thread->buffer);
	chunk->tid = (uint32_t)thread->tid;
	chunk->last_time = thread->last_time;
	chunk->stack_low = thread->stack.low;
	chunk->stack_high = thread->stack.high;
	chunk->allocations = thread->allocations;
	chunk->allocated = thread->allocated;
	chunk->own_ticks = thread->own.ticks;
	if (thread != self)
		return; /* as it was when the thread wrote last */
	chunk->fs_base = fs_base();
	CALL2(SYS_prctl, PR_GET_NAME, chunk->name);
}

/* Not to be left by a handler that jumps out of it: what it writes would be written twice, or not at all. */
int thread_write(struct thread *thread)
{
	struct objects_chunk *chunk = &thread->chunk;
	int saved = errno, error;
	uint64_t begin, signals;

	if (!chunk->count)
		return 0;
	signals = signals_block();
	begin = clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	if (thread == self)
		sampling_count_own(thread);
	fill_chunk(thread);
	thread->lost += chunk->lost;
	error = definitions_write() || output_chunk(chunk);
	if (error) {
		__atomic_fetch_add(&shared.chunks_lost, 1, __ATOMIC_RELAXED);
		thread->lost += chunk->count;
		output_lost_from(chunk->first_time);
	} else {
		thread->events += chunk->count;
	}
	chunk->number++;
	chunk->count = 0;
	chunk->lost = 0;
	__atomic_store_n(&thread->at, thread->buffer, __ATOMIC_RELEASE);
	if (thread == self) {
		if (!error)
			clocks_note(0);
		thread->own.ns += clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin;
	}
	signals_restore(signals);
	errno = saved;
	return error ? -1 : 0;
}

/* --- all at once --- */

void thread_wait(const uint64_t *frame)
{
	do {
		__atomic_store_n(&self->busy, 0, __ATOMIC_RELEASE);
		while (__atomic_load_n(&shared.stop, __ATOMIC_ACQUIRE))
			CALL1(SYS_sched_yield, 0);
		thread_occupy(self, frame);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	} while (__atomic_load_n(&shared.stop, __ATOMIC_ACQUIRE));
}

/* @return 0: it does not come out */
static int is_out(struct thread *thread)
{
	uint64_t begin = clock_nanoseconds(CLOCK_MONOTONIC);

	while (__atomic_load_n(&thread->busy, __ATOMIC_ACQUIRE)) {
		if (clock_nanoseconds(CLOCK_MONOTONIC) - begin > STOPPING_MOST)
			return 0;
		CALL1(SYS_sched_yield, 0);
	}
	return 1;
}

/* Events of a thread that is busy, and what handlers have left to it */
static uint64_t not_written(const struct thread *thread)
{
	const uint32_t left = __atomic_load_n(&thread->left_counts, __ATOMIC_RELAXED);

	return thread->chunk.count + (left & 0xffff) - (left >> 16);
}

uint64_t threads_write_all(int stays)
{
	uint64_t lost = 0;

	while (__atomic_exchange_n(&shared.stop, 1, __ATOMIC_SEQ_CST))
		CALL1(SYS_sched_yield, 0);
	if (!stays)
		__atomic_store_n(&shared.has_ended, 1, __ATOMIC_SEQ_CST);
	/* Whoever has not seen that it is to stop is seen to be busy. */
	CALL2(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
	for (struct thread *thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE); thread; thread = thread->next) {
		if (thread == self ? thread->busy : !is_out(thread)) {
			lost += not_written(thread);
			continue;
		}
		thread_write(thread);
		if (!stays)
			thread->limit = thread->buffer;
	}
	__atomic_store_n(&shared.stop, 0, __ATOMIC_SEQ_CST);
	return lost;
}

void threads_forget_others(void)
{
	struct thread *thread = all, *next;

	for (; thread; thread = next) {
		next = thread->next;
		if (thread != self)
			own_memory_free(thread, sizeof(*thread));
	}
	all = self;
	if (self)
		self->next = NULL;
}

void threads_sum(struct objects_trailer *trailer)
{
	trailer->threads = shared.threads;
	trailer->events = shared.events;
	trailer->lost = shared.lost;
	trailer->allocations = shared.allocations;
	trailer->allocated = shared.allocated;
	trailer->own_ticks = shared.own_ticks;
	trailer->chunks_lost = shared.chunks_lost;
	trailer->stacks_lost = shared.stacks_lost;
	trailer->without_memory = shared.without_memory;
	for (struct thread *thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE); thread; thread = thread->next) {
		trailer->events += thread->events;
		trailer->lost +=
			thread->lost + thread->chunk.lost; /* no chunk may have been behind them */
		trailer->allocations += thread->allocations;
		trailer->allocated += thread->allocated;
		trailer->own_ticks += thread->own.ticks;
	}
}
