/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For how long an experiment waits for the writer's next store, while others store to the line.
 *
 * The store behind a long gap is the next one for whoever looks at any time of the gap, so that a gap in
 * which a thread has no CPU makes one store of hundreds the anchor of most experiments. Of threads that do
 * not wait for each other it is one that is seldom followed by another thread's access, or often, as
 * whether others run at that time is another matter than whether they do at most of its stores. And what
 * follows such an experiment begins just when a thread has got a CPU.
 *
 * How long a gap is is told by the stores of others in it, not by time: on a busy machine threads that wait
 * for each other wait long, and nobody stores meanwhile. Samples tell how many of these there are to each of
 * the writer's. Of its stores one in 32 at most is behind 32 times as many (Markov's inequality), whatever
 * the program does: experiments that would wait for such a store are left, and say nothing. With half as
 * many stores that are followed by another thread's access are missed, with twice as many too few gaps are
 * too long (tests/sharing/test_slow_programs).
 *
 * Nothing here asks the kernel for anything.
 */
#ifndef SHARING_PATIENCE_H
#define SHARING_PATIENCE_H

#include <stdint.h>

#define PATIENCE_TIMES 32u
/* With fewer samples of stores to the line it is not known how many there are of others */
#define PATIENCE_SAMPLES_LEAST 32u

/*
 * After how many stores of others to the line the writer's is awaited no more; 0: it is awaited.
 *
 * @param samples      of stores to the line, of all threads
 * @param all, writer  how many stores these stand for, and those of the writer among them
 * @param heaviest     the most that one sample stands for: as much less may be known of the others
 */
uint64_t patience_of(uint64_t samples, double all, double writer, double heaviest);

#endif
