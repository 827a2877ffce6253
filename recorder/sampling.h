/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which blocks a thread records, and what that may cost it.
 *
 * Those from a size on are recorded all, as long as that costs less than it may; beyond, by points on their
 * bytes, as smaller ones are. By which interval is in each chunk, so that each block stands for as many as
 * the interval says that was in force when it came. It changes between two blocks, by what those before have
 * cost, whatever comes next: the estimate of all that comes is right with each interval, and so is their sum.
 */
#ifndef PRECIS_RECORDER_SAMPLING_H
#define PRECIS_RECORDER_SAMPLING_H

#include "options.h"

struct thread;

/* How all threads of this process begin; those of a forked child as its parent's are at that moment */
void sampling_set_up(const struct options *options, int is_child);

/* How this thread begins: its interval and all else of 'sampling' */
void sampling_begin(struct thread *thread);
/* What it has cost and was not judged for is that of the next one to begin. */
void sampling_end(struct thread *thread);

/* The next point among blocks below 'always'. @return 1; 0: there is no sampling */
int sampling_wants_slowly(struct thread *thread);
/* Is a block from there on to be recorded, where not all are? */
int sampling_wants_large(struct thread *thread, uint64_t size);

/* Of a thread that there is no memory for: as many as are to be, about */
int sampling_wants_of_nobody(uint64_t size);
/* Are all blocks to be recorded, of whatever size? */
int sampling_is_of_all(void);

/* What it took of the CPU, of which the ticks are not counted yet */
void sampling_count_own(struct thread *thread);

/*
 * Once in a while: does it cost too much, or less than it may? @return 1: intervals are others from here on.
 * What is in the thread's chunk is to be written then, and to be told by sampling_changed().
 */
int sampling_judge(struct thread *thread);
/* @param ns  what writing took, which it would have taken with any intervals */
void sampling_changed(struct thread *thread, uint64_t ns);

#endif
