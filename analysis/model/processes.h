/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a process began anew (fork, exec), or other code came to addresses where it had some: samples of one
 * pid before and after that are of different programs, or of different code.
 */
#ifndef ANALYSIS_MODEL_PROCESSES_H
#define ANALYSIS_MODEL_PROCESSES_H

#include <stddef.h>
#include <stdint.h>

#include "code_maps.h"

struct process_start {
	uint64_t time; /* not 0 */
	uint32_t
		program; /* the epoch that its program began with: its own, or it has other code alone */
};

/* The one that was asked for last is in force from 'since' for 'length' */
struct process {
	uint32_t pid;
	uint32_t epoch; /* how many of 'starts' were up to then */
	uint64_t since, length; /* ns */
	uint64_t latest; /* time of a sample */
	struct process_start *starts; /* by time */
	uint32_t count, room;
	struct code_maps maps;
};

#define PROCESS_CACHE 256u

struct processes {
	struct process *cache[PROCESS_CACHE]; /* by the low bits of the pid */
	void *tree; /* tsearch(3): no choice of pids makes it slow */
	size_t bytes, code_maps_bytes; /* that all of it takes, and what is others' share */
	uint32_t epochs_most; /* of one process; 0: as many as fit */
};

/* None so far. So many have together what one may have. */
void processes_begin(struct processes *processes, uint32_t sharers);

/* Out of line part of process_of(). */
struct process *process_find(struct processes *processes, uint32_t pid);

/* The process of that pid, made if need be; NULL: there are too many, or memory is short */
static inline struct process *process_of(struct processes *processes, uint32_t pid)
{
	struct process *process = processes->cache[pid % PROCESS_CACHE];

	if (__builtin_expect(process && process->pid == pid, 1))
		return process;
	return process_find(processes, pid);
}

/* Out of line part of process_epoch(). */
void process_find_epoch(struct process *process, uint64_t time);

/* Did the program that was asked for last run then, too? */
static inline int process_is_same(const struct process *process, uint64_t time)
{
	return time - process->since < process->length;
}

/* There is a sample of that time. */
static inline void process_saw(struct process *process, uint64_t time)
{
	if (time > process->latest)
		process->latest = time;
}

/* Which of the programs under that pid ran then: a number, 'epochs_most' at most */
static inline uint32_t process_epoch(struct process *process, uint64_t time)
{
	if (__builtin_expect(!process_is_same(process, time), 0))
		process_find_epoch(process, time);
	process_saw(process, time);
	return process->epoch;
}

/* The epoch that the program of an epoch began with: the same of all of its epochs */
uint32_t process_program(const struct process *process, uint32_t epoch);

/* When the epoch began: something to ask the symbols for. 0: it was there from the start */
uint64_t process_start(const struct process *process, uint32_t epoch);

/* It began anew, or has other code. 0, or -1 if there are too many of these, or memory is short. */
int process_begin(struct processes *processes, struct process *process, uint64_t time,
		  int is_program);

/* It maps code. @return the time from which on that is other code than before; 0: nothing was there */
uint64_t process_map(struct processes *processes, struct process *process,
		     const struct precis_mmap *map, uint64_t time);

void processes_free(struct processes *processes);

#endif
