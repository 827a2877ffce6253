/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long tasks were off the CPU, from context switches in the order of their times.
 *
 * What is not known is not counted: the time before a task's first switch, and
 * intervals of which one end is missing, or in which records were lost.
 *
 * When there are more tasks than are counted at once, the half of those off the CPU that ran
 * least goes; one that comes again is counted anew (statistics/heavy.h).
 */
#ifndef OFFCPU_H
#define OFFCPU_H

#include <stddef.h>
#include <stdint.h>

/* Why a task left the CPU */
enum offcpu_kind {
	OFFCPU_RUNNABLE, /* preempted: it could have run on */
	OFFCPU_SLEEPING, /* S: interruptible */
	OFFCPU_UNINTERRUPTIBLE, /* D */
	OFFCPU_OTHER, /* stopped, traced, parked, idle kernel threads */
	OFFCPU_WAITING, /* of its own: the record does not say which of the three */
	OFFCPU_KINDS
};

enum offcpu_state { OFFCPU_STATE_UNKNOWN, OFFCPU_STATE_ON, OFFCPU_STATE_OFF, OFFCPU_STATE_ENDED };

#define OFFCPU_COMM_ROOM 16
#define OFFCPU_TASKS_MOST ((size_t)1 << 18)

struct offcpu_task {
	uint32_t tid;
	char comm[OFFCPU_COMM_ROOM];
	uint8_t state, kind; /* enum offcpu_state; of STATE_OFF: enum offcpu_kind */
	uint32_t generation; /* of 'since': how often records had been lost */
	uint64_t since;
	uint64_t first, last; /* ns: seen from, to; no switch was seen: UINT64_MAX, 0 */
	uint64_t on, off[OFFCPU_KINDS]; /* ns */
	uint64_t missed; /* ns on the CPU that it had at most before it was taken in */
	uint64_t matched; /* intervals off the CPU of which both ends are known */
	uint64_t unmatched; /* switches whose counterpart is missing */
	uint64_t leaves; /* switches from the CPU */
	uint64_t longest; /* ns */
	uint8_t longest_kind;
	uint8_t source;  /* enum switch_source, set when all is read: what its times rest on */
	uint8_t is_open; /* 1: off the CPU when the recording ended; counted up to then */
};

struct offcpu {
	void *index; /* of tsearch(3), by tid: no choice of tids makes it slow */
	struct offcpu_task **tasks;
	size_t count, room;
	size_t idle; /* of the tasks: those that are not on a CPU, as far as is known */
	size_t most; /* tasks at once; 0: OFFCPU_TASKS_MOST */
	uint64_t floor; /* ns on the CPU that a task that is not counted had at most */
	uint64_t forgotten; /* tasks that had to go */
	uint64_t dropped; /* switches of tasks that there was no room for: all others are on a CPU */
	uint64_t clock; /* of the latest switch */
	uint64_t backward; /* switches that came after a later one */
	uint64_t switches;
	uint64_t matched, unmatched; /* of all tasks */
	uint64_t losses; /* how often records had been lost */
	int failed; /* memory was short */
};

/* The prev_state of sched:sched_switch. -1: the task has ended */
int offcpu_kind_of(uint64_t prev_state);

/* A task leaves the CPU; 'kind' is enum offcpu_kind, or -1: it has ended. */
void offcpu_leave(struct offcpu *offcpu, uint64_t time, uint32_t tid, int kind);
void offcpu_enter(struct offcpu *offcpu, uint64_t time, uint32_t tid);
/* Records have been lost: what was going on may have changed unseen. */
void offcpu_lost(struct offcpu *offcpu);
/* The task has ended, by another record than its last switch. */
void offcpu_exit(struct offcpu *offcpu, uint64_t time, uint32_t tid);
void offcpu_name(struct offcpu *offcpu, uint32_t tid, const char *comm, size_t length);
/* A new task has its parent's name until it gets one of its own. */
void offcpu_inherit_name(struct offcpu *offcpu, uint32_t tid, uint32_t parent);
/* The recording ends: count what is open. */
void offcpu_finish(struct offcpu *offcpu, uint64_t time);
void offcpu_free(struct offcpu *offcpu);

/* Sum over all kinds */
uint64_t offcpu_total(const struct offcpu_task *task);

#endif
