/* SPDX-License-Identifier: BSD-3-Clause */
/* From switches to times. */
#define _GNU_SOURCE /* tdestroy() */
#include "tasks.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/heavy.h"

/*
 * Bits of prev_state (include/linux/sched.h of Linux 6.12; older ones have the
 * first two alike, and from 0x400 on what says that the task was preempted).
 */
#define STATE_INTERRUPTIBLE 0x01u
#define STATE_UNINTERRUPTIBLE 0x02u
#define STATE_ENDED 0x30u /* X, Z */
#define STATE_BITS 0xffu /* above them: preempted */
#define STATE_PREEMPTED_OLD 0x400u

int offcpu_kind_of(uint64_t prev_state)
{
	if (!(prev_state & STATE_BITS) || prev_state >= STATE_PREEMPTED_OLD)
		return OFFCPU_RUNNABLE;
	if (prev_state & STATE_ENDED)
		return -1;
	if (prev_state & STATE_INTERRUPTIBLE)
		return OFFCPU_SLEEPING;
	return prev_state & STATE_UNINTERRUPTIBLE ? OFFCPU_UNINTERRUPTIBLE : OFFCPU_OTHER;
}

static int by_tid(const void *a, const void *b)
{
	const struct offcpu_task *left = a, *right = b;

	return left->tid < right->tid ? -1 : left->tid > right->tid;
}

static int make_room(struct offcpu *offcpu)
{
	size_t room = offcpu->room ? offcpu->room * 2 : 64;
	struct offcpu_task **tasks;

	if (offcpu->count < offcpu->room)
		return 1;
	tasks = realloc(offcpu->tasks, room * sizeof(struct offcpu_task *));
	if (!tasks)
		return 0;
	offcpu->tasks = tasks;
	offcpu->room = room;
	return 1;
}

/* What it ran so far is known; of a task that is on a CPU the last part is yet to come. */
static int may_go(const struct offcpu_task *task)
{
	return task->state != OFFCPU_STATE_ON;
}

static void forget(struct offcpu *offcpu, struct offcpu_task *task)
{
	tdelete(task, &offcpu->index, by_tid);
	free(task);
	offcpu->idle--;
	offcpu->forgotten++;
}

/* @return 0 if too few of them may for that to be worth its time, or memory is short */
static int forget_half(struct offcpu *offcpu)
{
	uint64_t *uppers = NULL, cut;
	size_t candidates = 0, kept = 0, same;

	if (offcpu->idle > offcpu->count / 4)
		uppers = malloc(offcpu->count * sizeof(*uppers));
	for (size_t i = 0; uppers && i < offcpu->count; i++) {
		if (may_go(offcpu->tasks[i]))
			uppers[candidates++] = offcpu->tasks[i]->on + offcpu->tasks[i]->missed;
	}
	cut = candidates ? heavy_cut(uppers, candidates, &same) : 0;
	free(uppers);
	if (!candidates)
		return 0;
	for (size_t i = 0; i < offcpu->count; i++) {
		struct offcpu_task *task = offcpu->tasks[i];
		uint64_t upper = task->on + task->missed;

		if (may_go(task) && (upper < cut || (upper == cut && same && same--)))
			forget(offcpu, task);
		else
			offcpu->tasks[kept++] = task;
	}
	offcpu->count = kept;
	offcpu->floor = cut > offcpu->floor ? cut : offcpu->floor;
	return 1;
}

static struct offcpu_task *add_task(struct offcpu *offcpu, uint32_t tid)
{
	struct offcpu_task *task;

	if (offcpu->count == (offcpu->most ? offcpu->most : OFFCPU_TASKS_MOST) &&
	    !forget_half(offcpu))
		return NULL;
	task = make_room(offcpu) ? calloc(1, sizeof(*task)) : NULL;
	if (task) {
		task->tid = tid;
		task->first = UINT64_MAX;
		task->missed = offcpu->floor;
		if (tsearch(task, &offcpu->index, by_tid)) {
			offcpu->tasks[offcpu->count++] = task;
			offcpu->idle++;
			return task;
		}
	}
	free(task);
	offcpu->failed = 1;
	return NULL;
}

static struct offcpu_task *find_task(struct offcpu *offcpu, uint32_t tid)
{
	struct offcpu_task wanted = { .tid = tid }, **found;

	found = (struct offcpu_task **)tfind(&wanted, &offcpu->index, by_tid);
	return found ? *found : NULL;
}

/* The task of a switch; NULL if it is not to be counted */
static struct offcpu_task *switched(struct offcpu *offcpu, uint64_t time, uint32_t tid)
{
	struct offcpu_task *task;

	if (time < offcpu->clock) {
		offcpu->backward++;
		return NULL;
	}
	offcpu->clock = time;
	if (!tid) /* the idle task of each CPU */
		return NULL;
	task = find_task(offcpu, tid);
	if (!task)
		task = add_task(offcpu, tid);
	if (!task) {
		offcpu->dropped++;
		return NULL;
	}
	if (time < task->first)
		task->first = time;
	task->last = time;
	return task;
}

/* Is it known that the state of 'since' lasted up to now? */
static int has_lasted(const struct offcpu *offcpu, const struct offcpu_task *task, int state)
{
	return task->state == state && task->generation == (uint32_t)offcpu->losses;
}

static void change(struct offcpu *offcpu, struct offcpu_task *task, uint64_t time, int state)
{
	offcpu->idle += (size_t)!may_go(task);
	task->state = (uint8_t)state;
	offcpu->idle -= (size_t)!may_go(task);
	task->since = time;
	task->generation = (uint32_t)offcpu->losses;
}

static void count_miss(struct offcpu *offcpu, struct offcpu_task *task)
{
	task->unmatched++;
	offcpu->unmatched++;
}

static void count_off(struct offcpu_task *task, uint64_t time)
{
	uint64_t duration = time - task->since;

	task->off[task->kind] += duration;
	if (duration > task->longest) {
		task->longest = duration;
		task->longest_kind = task->kind;
	}
}

void offcpu_leave(struct offcpu *offcpu, uint64_t time, uint32_t tid, int kind)
{
	struct offcpu_task *task = switched(offcpu, time, tid);

	if (!task)
		return;
	offcpu->switches++;
	task->leaves++;
	if (has_lasted(offcpu, task, OFFCPU_STATE_ON))
		task->on += time - task->since;
	else if (task->state == OFFCPU_STATE_OFF)
		count_miss(offcpu, task);
	change(offcpu, task, time, kind < 0 ? OFFCPU_STATE_ENDED : OFFCPU_STATE_OFF);
	task->kind = kind < 0 ? 0 : (uint8_t)kind;
}

void offcpu_enter(struct offcpu *offcpu, uint64_t time, uint32_t tid)
{
	struct offcpu_task *task = switched(offcpu, time, tid);

	if (!task)
		return;
	if (has_lasted(offcpu, task, OFFCPU_STATE_OFF)) {
		count_off(task, time);
		task->matched++;
		offcpu->matched++;
	} else if (task->state == OFFCPU_STATE_ON || task->state == OFFCPU_STATE_OFF) {
		count_miss(offcpu, task);
	}
	change(offcpu, task, time, OFFCPU_STATE_ON);
}

void offcpu_lost(struct offcpu *offcpu)
{
	offcpu->losses++;
}

void offcpu_exit(struct offcpu *offcpu, uint64_t time, uint32_t tid)
{
	struct offcpu_task *task = find_task(offcpu, tid);

	if (!task || time < task->last || task->first == UINT64_MAX)
		return;
	if (has_lasted(offcpu, task, OFFCPU_STATE_ON))
		task->on += time - task->since;
	task->last = time;
	change(offcpu, task, time, OFFCPU_STATE_ENDED);
}

void offcpu_name(struct offcpu *offcpu, uint32_t tid, const char *comm, size_t length)
{
	struct offcpu_task *task = tid ? find_task(offcpu, tid) : NULL;

	if (!task && tid)
		task = add_task(offcpu, tid);
	if (!task || !length)
		return;
	if (length >= sizeof(task->comm))
		length = sizeof(task->comm) - 1;
	memcpy(task->comm, comm, length);
	task->comm[length] = '\0';
}

void offcpu_inherit_name(struct offcpu *offcpu, uint32_t tid, uint32_t parent)
{
	const struct offcpu_task *named = find_task(offcpu, parent);
	char comm[OFFCPU_COMM_ROOM];

	if (!named)
		return;
	memcpy(comm, named->comm, sizeof(comm)); /* the parent may have to go for the new task */
	offcpu_name(offcpu, tid, comm, strlen(comm));
}

/*
 * A task that left and did not come back was off up to the end, and one that came on, if
 * it would have been seen to come back or to leave: sched:sched_switch of single tasks has
 * only their leaving, and who came on then.
 */
void offcpu_finish(struct offcpu *offcpu, uint64_t time)
{
	for (size_t i = 0; i < offcpu->count; i++) {
		struct offcpu_task *task = offcpu->tasks[i];

		if (task->state == OFFCPU_STATE_UNKNOWN || task->state == OFFCPU_STATE_ENDED ||
		    time < task->since)
			continue;
		task->last = time;
		if (task->matched <= task->unmatched && offcpu->matched <= offcpu->unmatched)
			continue;
		if (has_lasted(offcpu, task, OFFCPU_STATE_ON))
			task->on += time - task->since;
		if (has_lasted(offcpu, task, OFFCPU_STATE_OFF)) {
			count_off(task, time);
			task->is_open = 1;
		}
	}
}

static void keep(void *task)
{
	(void)task;
}

void offcpu_free(struct offcpu *offcpu)
{
	tdestroy(offcpu->index, keep);
	for (size_t i = 0; i < offcpu->count; i++)
		free(offcpu->tasks[i]);
	free(offcpu->tasks);
	memset(offcpu, 0, sizeof(*offcpu));
}

uint64_t offcpu_total(const struct offcpu_task *task)
{
	uint64_t total = 0;

	for (uint32_t kind = 0; kind < OFFCPU_KINDS; kind++)
		total += task->off[kind];
	return total;
}
