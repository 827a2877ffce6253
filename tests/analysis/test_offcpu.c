/* SPDX-License-Identifier: BSD-3-Clause */
/* Time off the CPU: exact numbers of switches that are made up. */
#include <stdint.h>
#include <string.h>

#include "analysis/offcpu/tasks.h"
#include "tests/support/tap.h"

static struct offcpu offcpu;

static const struct offcpu_task *task(uint32_t tid)
{
	static const struct offcpu_task none;

	for (size_t i = 0; i < offcpu.count; i++) {
		if (offcpu.tasks[i]->tid == tid)
			return offcpu.tasks[i];
	}
	return &none;
}

static void states(void)
{
	static const struct {
		uint64_t prev_state;
		int kind;
	} rows[] = {
		{ 0, OFFCPU_RUNNABLE },
		{ 0x100, OFFCPU_RUNNABLE }, /* R+ */
		{ 1, OFFCPU_SLEEPING },
		{ 2, OFFCPU_UNINTERRUPTIBLE },
		{ 0x82, OFFCPU_UNINTERRUPTIBLE }, /* killable, of old kernels */
		{ 4, OFFCPU_OTHER },
		{ 8, OFFCPU_OTHER },
		{ 0x40, OFFCPU_OTHER },
		{ 0x80, OFFCPU_OTHER },
		{ 0x10, -1 },
		{ 0x20, -1 },
		{ 0x401, OFFCPU_RUNNABLE }, /* S+ of old kernels: preempted on its way */
		{ 0x1000, OFFCPU_RUNNABLE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CU_ASSERT_EQUAL(offcpu_kind_of(rows[i].prev_state), rows[i].kind);
}

/* Two tasks on one CPU: 5 runs, sleeps, comes back; 6 is preempted, then ends. */
static void pairs(void)
{
	offcpu_enter(&offcpu, 100, 5);
	offcpu_leave(&offcpu, 130, 5, OFFCPU_SLEEPING);
	offcpu_enter(&offcpu, 130, 6);
	offcpu_leave(&offcpu, 180, 6, OFFCPU_RUNNABLE);
	offcpu_enter(&offcpu, 180, 5);
	offcpu_leave(&offcpu, 200, 5, OFFCPU_UNINTERRUPTIBLE);
	offcpu_enter(&offcpu, 210, 6);
	offcpu_leave(&offcpu, 250, 6, -1);
	offcpu_leave(&offcpu, 251, 0, OFFCPU_RUNNABLE);
	offcpu_enter(&offcpu, 260, 5);
	offcpu_leave(&offcpu, 300, 5, OFFCPU_SLEEPING);
	offcpu_name(&offcpu, 5, "five", 4);
	offcpu_finish(&offcpu, 320);
	CU_ASSERT_EQUAL(offcpu.count, 2);
	CU_ASSERT_STRING_EQUAL(task(5)->comm, "five");
	CU_ASSERT_EQUAL(task(5)->on, 30 + 20 + 40);
	CU_ASSERT_EQUAL(task(5)->off[OFFCPU_SLEEPING], 50 + 20); /* the second up to the end */
	CU_ASSERT_EQUAL(task(5)->off[OFFCPU_UNINTERRUPTIBLE], 60);
	CU_ASSERT_EQUAL(task(5)->last - task(5)->first, task(5)->on + offcpu_total(task(5)));
	CU_ASSERT_EQUAL(task(5)->longest, 60);
	CU_ASSERT_EQUAL(task(5)->longest_kind, OFFCPU_UNINTERRUPTIBLE);
	CU_ASSERT_EQUAL(task(5)->leaves, 3);
	CU_ASSERT(task(5)->is_open);
	CU_ASSERT_EQUAL(task(6)->on, 50 + 40);
	CU_ASSERT_EQUAL(task(6)->off[OFFCPU_RUNNABLE], 30);
	CU_ASSERT_EQUAL(task(6)->last, 250); /* it ended there */
	CU_ASSERT(!task(6)->is_open);
	CU_ASSERT_EQUAL(offcpu.unmatched, 0);
}

/* sched:sched_switch of a single task: nothing is known but that it left */
static void only_leaving(void)
{
	for (uint64_t i = 0; i < 4; i++) {
		offcpu_leave(&offcpu, 100 * i + 100, 5, OFFCPU_SLEEPING);
		offcpu_enter(&offcpu, 100 * i + 100, 7);
	}
	offcpu_finish(&offcpu, 1000);
	CU_ASSERT_EQUAL(task(5)->leaves, 4);
	CU_ASSERT_EQUAL(task(5)->matched, 0);
	CU_ASSERT_EQUAL(task(5)->unmatched, 3);
	CU_ASSERT_EQUAL(offcpu_total(task(5)), 0);
	CU_ASSERT_EQUAL(task(5)->on, 0);
	CU_ASSERT_EQUAL(task(7)->on, 0);
	CU_ASSERT(!task(5)->is_open);
}

static void losses(void)
{
	offcpu_enter(&offcpu, 100, 5);
	offcpu_leave(&offcpu, 110, 5, OFFCPU_SLEEPING);
	offcpu_lost(&offcpu);
	offcpu_enter(&offcpu, 200, 5); /* since when? */
	offcpu_leave(&offcpu, 220, 5, OFFCPU_SLEEPING);
	offcpu_enter(&offcpu, 260, 5);
	offcpu_lost(&offcpu);
	offcpu_finish(&offcpu, 300);
	CU_ASSERT_EQUAL(task(5)->on, 10 + 20);
	CU_ASSERT_EQUAL(offcpu_total(task(5)), 40);
	CU_ASSERT_EQUAL(task(5)->unmatched, 1);
	CU_ASSERT_EQUAL(offcpu.losses, 2);
}

static void backward(void)
{
	offcpu_enter(&offcpu, 100, 5);
	offcpu_leave(&offcpu, 200, 5, OFFCPU_SLEEPING);
	offcpu_enter(&offcpu, 150, 5);
	CU_ASSERT_EQUAL(offcpu.backward, 1);
	CU_ASSERT_EQUAL(task(5)->state, OFFCPU_STATE_OFF);
}

static void names_and_ends(void)
{
	offcpu_name(&offcpu, 4, "a name that is too long", 23);
	offcpu_inherit_name(&offcpu, 5, 4);
	offcpu_inherit_name(&offcpu, 6, 99);
	offcpu_name(&offcpu, 0, "idle", 4);
	CU_ASSERT_STRING_EQUAL(task(4)->comm, "a name that is ");
	CU_ASSERT_STRING_EQUAL(task(5)->comm, "a name that is ");
	CU_ASSERT_EQUAL(offcpu.count, 2);
	offcpu_exit(&offcpu, 50, 5); /* not seen to switch */
	CU_ASSERT_EQUAL(task(5)->first, UINT64_MAX);
	offcpu_enter(&offcpu, 100, 5);
	offcpu_exit(&offcpu, 130, 5);
	offcpu_finish(&offcpu, 500);
	CU_ASSERT_EQUAL(task(5)->on, 30);
	CU_ASSERT_EQUAL(task(5)->last, 130);
}

static void many(void)
{
	for (uint32_t i = 1; i <= 300000; i++)
		offcpu_enter(&offcpu, i, i);
	CU_ASSERT_EQUAL(offcpu.count, 1u << 18);
	CU_ASSERT_EQUAL(offcpu.dropped, 300000 - (1u << 18));
	CU_ASSERT(!offcpu.failed);
}

/* Two CPUs, more tasks than are counted at once; task n runs the longer the rarer it is */
static void bounds(void)
{
	static uint64_t truth[1000];
	uint64_t total = 0, time = 0;
	uint32_t running[2] = { 0, 0 };

	memset(truth, 0, sizeof(truth));
	offcpu.most = 64;
	for (uint32_t turn = 0; turn < 20000; turn++) {
		uint32_t cpu = turn % 2, tid = turn % 37 ? 1 + turn * 7919 % 999 : 1 + turn % 3;
		uint64_t ran = turn % 37 ? 3 : 200;

		if (tid == running[!cpu])
			continue;
		offcpu_enter(&offcpu, time, tid);
		running[cpu] = tid;
		time += ran;
		offcpu_leave(&offcpu, time, tid, OFFCPU_SLEEPING);
		running[cpu] = 0;
		truth[tid] += ran;
		total += ran;
	}
	CU_ASSERT(offcpu.count <= 64 && offcpu.forgotten > 0 && offcpu.dropped == 0);
	CU_ASSERT(offcpu.floor * 32 <= total);
	for (uint32_t tid = 1; tid < 1000; tid++) {
		const struct offcpu_task *found = task(tid);

		if (found->tid != tid) {
			CU_ASSERT(truth[tid] <= offcpu.floor);
			continue;
		}
		CU_ASSERT(found->on <= truth[tid] && truth[tid] <= found->on + found->missed);
		CU_ASSERT(found->missed <= offcpu.floor);
	}
	for (uint32_t tid = 1; tid <= 3; tid++)
		CU_ASSERT_EQUAL(task(tid)->tid, tid); /* those that ran long */
}

/* No task goes that is on a CPU, and nothing is slow where nearly all are */
static void crowded(void)
{
	offcpu.most = 1000;
	for (uint32_t tid = 1; tid <= 1000; tid++)
		offcpu_enter(&offcpu, tid, tid);
	for (uint32_t tid = 1; tid <= 200; tid++)
		offcpu_leave(&offcpu, 1000 + tid, tid, OFFCPU_SLEEPING);
	offcpu_enter(&offcpu, 2000, 5000);
	CU_ASSERT(offcpu.dropped == 1 && offcpu.forgotten == 0);
	for (uint32_t tid = 201; tid <= 400; tid++)
		offcpu_leave(&offcpu, 2000 + tid, tid, OFFCPU_SLEEPING);
	offcpu_enter(&offcpu, 3000, 5000);
	CU_ASSERT(offcpu.dropped == 1 && offcpu.forgotten == 200);
	for (uint32_t tid = 401; tid <= 1000; tid++)
		CU_ASSERT_EQUAL(task(tid)->tid, tid);
}

/* A new task takes the place of its parent, whose name it has */
static void parents(void)
{
	offcpu.most = 2;
	offcpu_name(&offcpu, 1, "parent", 6);
	offcpu_name(&offcpu, 2, "other", 5);
	offcpu_inherit_name(&offcpu, 3, 1);
	CU_ASSERT_STRING_EQUAL(task(3)->comm, "parent");
}

#define CASE(name)                                                                                 \
	static void run_##name(void)                                                               \
	{                                                                                          \
		name();                                                                            \
		offcpu_free(&offcpu);                                                              \
	}
CASE(states)
CASE(pairs)
CASE(only_leaving)
CASE(losses)
CASE(backward)
CASE(names_and_ends)
CASE(many)
CASE(bounds)
CASE(crowded)
CASE(parents)

int main(void)
{
	static const struct tap_case cases[] = {
		{ "states of old and new kernels", run_states },
		{ "switches in pairs", run_pairs },
		{ "only the switches from the CPU", run_only_leaving },
		{ "lost records", run_losses },
		{ "times that go backward", run_backward },
		{ "names, and tasks that end", run_names_and_ends },
		{ "more tasks than are counted", run_many },
		{ "more tasks: what ran long is there, with a bound", run_bounds },
		{ "tasks on a CPU stay", run_crowded },
		{ "a name is inherited though its task goes", run_parents },
	};

	return tap_main("off the CPU", cases, sizeof(cases) / sizeof(cases[0]));
}
