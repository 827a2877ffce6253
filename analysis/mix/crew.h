/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that see what one of them reads: it puts down what there is in the order in which it comes, and
 * each thread, itself included, takes batches of that in this order. What waits is bounded: the reader, where
 * nothing more can wait, takes the next batch itself.
 */
#ifndef ANALYSIS_MIX_CREW_H
#define ANALYSIS_MIX_CREW_H

#include "seer.h"

struct mix_crew;

/**
 * @param seers  one for each thread, the first the caller's; theirs until the end
 * @param count  2 or more
 * @return NULL: there is no thread to be had, or memory is short
 */
struct mix_crew *mix_crew_new(struct mix_seer *seers, uint32_t count);

/* What sightings.h has, for whoever's turn it is. That memory was short is told by the end. */
void mix_crew_sample(struct mix_crew *crew, const struct mix_witness *who, uint64_t address);
void mix_crew_branch(struct mix_crew *crew, const struct mix_witness *who, uint64_t from,
		     uint64_t to);
/** @param streams  stays where it is until the end */
void mix_crew_stack(struct mix_crew *crew, const struct mix_witness *who,
		    struct code_streams *streams, const struct precis_perf_sample *sample);

/** Wait until all has been seen: until something is put down again, nobody looks at anything. */
void mix_crew_pause(struct mix_crew *crew);

/** The same for good. NULL is allowed. @return 0, or -1: memory was short */
int mix_crew_end(struct mix_crew *crew);

#endif
