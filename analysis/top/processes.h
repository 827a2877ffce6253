/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a process began anew (fork, exec): samples of one pid before and after
 * that are of different programs.
 */
#ifndef ANALYSIS_TOP_PROCESS_H
#define ANALYSIS_TOP_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* The one that was asked for last is in force from 'since' for 'length' */
struct top_process {
	uint32_t pid;
	uint32_t epoch; /* how many of 'starts' were up to then */
	uint64_t since, length; /* ns */
	uint64_t latest; /* time of a sample */
	uint64_t *starts; /* sorted, none of them 0 */
	uint32_t count, room;
};

#define PROCESS_CACHE 256u

struct top_processes {
	struct top_process *cache[PROCESS_CACHE]; /* by the low bits of the pid */
	void *tree; /* tsearch(3): no choice of pids makes it slow */
	size_t bytes; /* that all of it takes */
};

/* Out of line part of top_process(). */
struct top_process *top_process_slow(struct top_processes *processes, uint32_t pid);

/* The process of that pid, made if need be; NULL: there are too many, or memory is short */
static inline struct top_process *top_process(struct top_processes *processes, uint32_t pid)
{
	struct top_process *process = processes->cache[pid % PROCESS_CACHE];

	if (__builtin_expect(process && process->pid == pid, 1))
		return process;
	return top_process_slow(processes, pid);
}

/* Out of line part of top_process_epoch(). */
void top_process_find_epoch(struct top_process *process, uint64_t time);

/* Which of the programs under that pid ran then: a number below 2^16 */
static inline uint32_t top_process_epoch(struct top_process *process, uint64_t time)
{
	if (__builtin_expect(time - process->since >= process->length, 0))
		top_process_find_epoch(process, time);
	if (time > process->latest)
		process->latest = time;
	return process->epoch;
}

/* When the program began: something to ask the symbols for. 0: it was there from the start */
uint64_t top_process_start(const struct top_process *process, uint32_t epoch);

/* The process began anew. 0, or -1 if there are too many of these, or memory is short. */
int top_process_begin(struct top_processes *processes, struct top_process *process, uint64_t time);

void top_processes_free(struct top_processes *processes);

#endif
