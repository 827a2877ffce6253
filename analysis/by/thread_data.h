/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread-local variables of which no recorder tells where they are: samples whose instruction says how far
 * from the thread's pointer their data are tell it of all others.
 */
#ifndef ANALYSIS_BY_THREAD_DATA_H
#define ANALYSIS_BY_THREAD_DATA_H

#include "state.h"

/* A record, in the order of time. 0, or -1 if memory is short */
int by_thread_record(struct by *by, const struct precis_record *record, uint64_t time);

/* A sample whose instruction is the very one that accessed its data */
void by_thread_learn(struct by *by, const struct sample_batch *batch, uint32_t row,
		     const struct by_memory *memory);

/* Is that a variable of a thread? Then 'memory' has its life. */
void by_thread_find(struct by *by, uint64_t time, struct by_memory *memory);

/* May it be? Threads have theirs in memory that is mapped for it, in the heap, or where their stacks are. */
int by_thread_may_have(const struct by_memory *memory);

#endif
