/* SPDX-License-Identifier: BSD-3-Clause */
/* Context switches of watched threads, as they are counted, and measured on this machine. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CPU affinity, RUSAGE_THREAD */
#endif
#include "sharing/switch_cost.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/tap.h"

#define TURNS 300

static struct watch watch;

static int begin(void)
{
	const int error = watch_open(&watch, getpid());

	if (error)
		tap_skip(error == -ENOSPC ? "the debug registers are taken"
					  : "this machine has no debug registers");
	return error;
}

/* A thread stays where it was, and nothing is left behind. */
static void measured(void)
{
	struct switch_cost cost;
	cpu_set_t before, after;

	if (begin())
		return;
	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(before), &before), 0);
	switch_cost_measure(&watch, &cost);
	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(after), &after), 0);
	CU_ASSERT(CPU_EQUAL(&before, &after));
	CU_ASSERT_EQUAL(watch.count, 0);
	CU_ASSERT_EQUAL(watch.refused, 0);
	if (cost.error)
		CU_ASSERT(cost.closed_ns == 0 && cost.off_ns == 0 && cost.armed_ns == 0);
	/* only this thread is left */
	watch_look(&watch);
	CU_ASSERT_EQUAL(watch.count, 1);
	watch_close(&watch);
}

/* --- as they are counted --- */

static int to_it[2], from_it[2];
static uint32_t tid;
static long slept;

static long switches_so_far(void)
{
	struct rusage usage;

	CU_ASSERT_EQUAL(getrusage(RUSAGE_THREAD, &usage), 0);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void *answer(void *data)
{
	char byte = 0;
	long begun = 0;

	tid = (uint32_t)syscall(SYS_gettid);
	for (int n = 0; n < TURNS + 2 && write(from_it[1], &byte, 1) == 1; n++) {
		if (read(to_it[0], &byte, 1) != 1)
			break;
		if (n == 0)
			begun = switches_so_far();
		if (n == TURNS)
			slept = switches_so_far() - begun;
	}
	return data;
}

static void await_answer(void)
{
	char byte;

	CU_ASSERT_EQUAL_FATAL(read(from_it[0], &byte, 1), 1);
}

static void ask(void)
{
	CU_ASSERT_EQUAL_FATAL(write(to_it[1], "", 1), 1);
}

/* As many as the kernel counts of the thread in another place: it may run once more at both ends */
static void counted(void)
{
	struct switch_cost cost;
	pthread_t thread;
	long told;

	if (begin())
		return;
	switch_cost_measure(&watch, &cost);
	if (cost.error == ENODATA) {
		tap_skip("this kernel counts no timeslices");
		watch_close(&watch);
		return;
	}
	CU_ASSERT_EQUAL_FATAL(pipe(to_it) | pipe(from_it), 0);
	pthread_create(&thread, NULL, answer, NULL);
	await_answer();
	watch.switches = 0;
	watch_meet(&watch, tid);
	CU_ASSERT_EQUAL_FATAL(watch.count, 1);
	CU_ASSERT_EQUAL(watch_take(&watch, &watch.threads[0]), 0);
	for (int n = 0; n < TURNS + 1; n++) {
		if (n == TURNS / 2)
			watch_rest(&watch);
		ask();
		await_answer();
	}
	/* also while it has no registers */
	CU_ASSERT(watch.threads[0].fd[0] < 0);
	told = (long)watch_switches(&watch);
	watch_forget(&watch);
	CU_ASSERT_EQUAL((long)watch_switches(&watch), told);
	ask();
	pthread_join(thread, NULL);
	CU_ASSERT(slept > 0);
	CU_ASSERT(told >= slept && told <= slept + 8);
	watch_close(&watch);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what a switch costs is measured, and nothing stays of that", measured },
		{ "switches of a watched thread are counted", counted },
	};

	return tap_main("switch_cost", cases, sizeof(cases) / sizeof(cases[0]));
}
