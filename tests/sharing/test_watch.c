/* SPDX-License-Identifier: BSD-3-Clause */
/* Debug registers of this machine, of this process: how often they tell, and when they are free. */
#include "sharing/watch.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/causeless_traps.h"
#include "tests/support/tap.h"

#define THREADS 8

static struct watch watch;
static volatile uint64_t words[8] __attribute__((aligned(64)));
static struct watch_hit hits[4096];
static pthread_barrier_t barrier;

static int begin(void)
{
	const int error = watch_open(&watch, getpid());

	if (error)
		tap_skip(error == -ENOSPC ? "the debug registers are taken"
					  : "this machine has no debug registers");
	return error;
}

static enum watch_kind last = WATCH_STORES;

/* Stores to the first two words, and to the last one watched */
static int arm(uint32_t tid)
{
	struct watch_register registers[WATCH_REGISTERS] = {
		{ (uintptr_t)&words[0], 8, WATCH_STORES },
		{ (uintptr_t)&words[1], 8, WATCH_STORES },
		{ (uintptr_t)&words[2], 8, WATCH_NOTHING },
		{ (uintptr_t)&words[3], 8, last },
	};

	return watch_arm(&watch, watch_find(&watch, tid), registers);
}

static void store(uint32_t word, uint32_t times)
{
	for (uint32_t n = 0; n < times; n++)
		words[word] = n;
}

static void hits_of(uint32_t *first, uint32_t *second)
{
	const size_t count = watch_read(&watch, hits, sizeof(hits) / sizeof(hits[0]));

	*first = *second = 0;
	for (size_t n = 0; n < count; n++) {
		*first += hits[n].slot == 0;
		*second += hits[n].slot == 1;
		CU_ASSERT(hits[n].time && hits[n].ip);
		CU_ASSERT(last != WATCH_NOTHING || hits[n].slot < 2);
	}
}

/* A register is off after so many, and armed again it has as many again, whatever was left. */
static void how_often(void)
{
	const uint32_t tid = (uint32_t)syscall(SYS_gettid);
	uint32_t first, second;
	uint64_t id;

	if (begin())
		return;
	watch_look(&watch);
	for (uint32_t round = 0; round < 3; round++) {
		CU_ASSERT_EQUAL_FATAL(arm(tid), 0);
		store(0, 100);
		store(1, 100 + round);
		hits_of(&first, &second);
		CU_ASSERT_EQUAL(first, 100);
		CU_ASSERT_EQUAL(second, 100 + round);
		/* they stay open as long as none is used up, and what was not used does not add up */
		id = watch_find(&watch, tid)->id[0];
		CU_ASSERT_EQUAL_FATAL(arm(tid), 0);
		CU_ASSERT_EQUAL(watch_find(&watch, tid)->id[0], id);
		store(0, WATCH_HITS_MOST + 50);
		store(1, 100);
		hits_of(&first, &second);
		CU_ASSERT_EQUAL(first, WATCH_HITS_MOST);
		CU_ASSERT_EQUAL(second, 100);
	}
	watch_disarm(&watch);
	store(1, 10);
	hits_of(&first, &second);
	CU_ASSERT_EQUAL(first + second, 0);
	watch_close(&watch);
}

/* Where the last one is off, all are; where it watches nothing it is off when the first one is. */
static void last_one(void)
{
	const uint32_t tid = (uint32_t)syscall(SYS_gettid);
	uint32_t first, second;

	if (begin())
		return;
	watch_look(&watch);
	CU_ASSERT_EQUAL_FATAL(arm(tid), 0);
	store(3, WATCH_HITS_MOST + 50);
	store(0, 20);
	store(1, 20);
	hits_of(&first, &second);
	CU_ASSERT_EQUAL(first + second, 0);
	last = WATCH_NOTHING;
	for (uint32_t round = 0; round < 2; round++) {
		CU_ASSERT_EQUAL_FATAL(arm(tid), 0);
		store(3, 20);
		store(1, 20);
		store(0, WATCH_HITS_MOST + 50);
		store(1, 20);
		hits_of(&first, &second);
		CU_ASSERT_EQUAL(first, WATCH_HITS_MOST);
		CU_ASSERT_EQUAL(second, 20);
	}
	last = WATCH_STORES;
	watch_close(&watch);
}

/* --- of a thread that does not run meanwhile --- */

static uint32_t sleeper;

static void *store_and_sleep(void *data)
{
	sleeper = (uint32_t)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	for (uint32_t round = 0; round < 3; round++) {
		pthread_barrier_wait(&barrier);
		store(0, WATCH_HITS_MOST + 50);
		pthread_barrier_wait(&barrier);
	}
	return data;
}

/* 'S': it waits at the barrier */
static void await_sleep(void)
{
	char path[64], state = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%u/stat", sleeper);
	for (FILE *file; state != 'S' && (file = fopen(path, "re"));) {
		if (fscanf(file, "%*d %*s %c", &state) != 1)
			state = 0;
		fclose(file);
	}
	CU_ASSERT_EQUAL(state, 'S');
}

static void armed_asleep(void)
{
	pthread_t thread;
	uint32_t first, second;

	if (begin())
		return;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, store_and_sleep, NULL);
	pthread_barrier_wait(&barrier);
	watch_look(&watch);
	for (uint32_t round = 0; round < 3; round++) {
		await_sleep();
		CU_ASSERT_EQUAL(arm(sleeper), 0);
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		hits_of(&first, &second);
		CU_ASSERT_EQUAL(first, WATCH_HITS_MOST);
	}
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
	watch_close(&watch);
}

/* --- whose registers are free --- */

static uint32_t tids[THREADS];

static uint32_t count_free(uint32_t tid)
{
	int fds[WATCH_REGISTERS + 1];
	uint32_t count = 0;

	for (uint32_t n = 0; n <= WATCH_REGISTERS; n++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_BREAKPOINT,
			.size = sizeof(attr),
			.bp_type = HW_BREAKPOINT_W,
			.bp_addr = (uintptr_t)words,
			.bp_len = 8,
			.disabled = 1,
			.exclude_kernel = 1,
			.exclude_hv = 1,
		};

		fds[n] = (int)syscall(SYS_perf_event_open, &attr, (pid_t)tid, -1, -1,
				      PERF_FLAG_FD_CLOEXEC);
		count += fds[n] >= 0;
	}
	for (uint32_t n = 0; n <= WATCH_REGISTERS; n++) {
		if (fds[n] >= 0)
			close(fds[n]);
	}
	return count;
}

static void *wait_for_end(void *data)
{
	*(uint32_t *)data = (uint32_t)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void all_are_free(void)
{
	pthread_t threads[THREADS];

	if (begin())
		return;
	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (uint32_t n = 0; n < THREADS; n++)
		pthread_create(&threads[n], NULL, wait_for_end, &tids[n]);
	pthread_barrier_wait(&barrier);
	watch_look(&watch);
	CU_ASSERT_EQUAL(watch.count, THREADS + 1);
	CU_ASSERT_EQUAL(arm((uint32_t)syscall(SYS_gettid)), 0);
	/* a thread that is known has none yet; those that are taken go back, and are taken again */
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t n = 0; n < THREADS; n++)
			CU_ASSERT_EQUAL(count_free(tids[n]), WATCH_REGISTERS);
		for (uint32_t n = 0; n < THREADS; n++)
			CU_ASSERT_EQUAL(watch_take(&watch, watch_find(&watch, tids[n])), 0);
		for (uint32_t n = 0; n < THREADS; n++)
			CU_ASSERT_EQUAL(count_free(tids[n]), 0);
		if (!round)
			watch_rest(&watch);
	}
	watch_close(&watch);
	for (uint32_t n = 0; n < THREADS; n++)
		CU_ASSERT_EQUAL(count_free(tids[n]), WATCH_REGISTERS);
	pthread_barrier_wait(&barrier);
	for (uint32_t n = 0; n < THREADS; n++)
		pthread_join(threads[n], NULL);
}

/* --- more threads than there is room for --- */

#define CROWD (WATCH_THREADS_MOST + 20)

static uint32_t crowd_tids[CROWD];

static void crowd(void)
{
	static pthread_t threads[CROWD];
	pthread_attr_t attributes;

	if (begin())
		return;
	pthread_barrier_init(&barrier, NULL, CROWD + 1);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	for (uint32_t n = 0; n < CROWD; n++)
		CU_ASSERT_EQUAL_FATAL(
			pthread_create(&threads[n], &attributes, wait_for_end, &crowd_tids[n]), 0);
	pthread_barrier_wait(&barrier);
	/* preferred ones have room, and keep it; one that there is not has none */
	for (uint32_t round = 0; round < 2; round++) {
		watch_look(&watch);
		CU_ASSERT_EQUAL(watch.count, WATCH_THREADS_MOST);
		CU_ASSERT_TRUE(watch.beyond > 0);
		for (uint32_t n = 20; n < CROWD && !round; n++)
			watch_prefer(&watch, crowd_tids[n]);
		watch_prefer(&watch, UINT32_MAX / 4);
		CU_ASSERT_EQUAL(watch.count, WATCH_THREADS_MOST);
		for (uint32_t n = 0; n < CROWD; n++)
			CU_ASSERT_EQUAL(watch_find(&watch, crowd_tids[n]) != NULL, n >= 20);
	}
	/* nor has another, where all are preferred */
	watch_prefer(&watch, crowd_tids[0]);
	CU_ASSERT_PTR_NULL(watch_find(&watch, crowd_tids[0]));
	CU_ASSERT_EQUAL(watch_take(&watch, watch_find(&watch, crowd_tids[CROWD - 1])), 0);
	watch_close(&watch);
	pthread_barrier_wait(&barrier);
	for (uint32_t n = 0; n < CROWD; n++)
		pthread_join(threads[n], NULL);
	pthread_barrier_destroy(&barrier);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a register is off after so many hits, and has them again when it is armed",
		  how_often },
		{ "the last register is on as long as any is", last_one },
		{ "of a thread that sleeps while it is armed, too", armed_asleep },
		{ "each thread's registers are taken, and free again", all_are_free },
		{ "where there is no room for all, preferred threads have some", crowd },
	};

	return tap_main("watch", cases, sizeof(cases) / sizeof(cases[0]));
}
