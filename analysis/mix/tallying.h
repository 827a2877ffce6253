/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting observations in a thread of their own, while the caller's reads on. They are counted one by one
 * in the order in which they come, as without a thread: the same results to the last bit, whatever was read.
 * What waits to be counted is bounded, and who is faster waits.
 */
#ifndef ANALYSIS_MIX_TALLYING_H
#define ANALYSIS_MIX_TALLYING_H

#include "observations.h"

struct mix_tallying;

/**
 * @param observations  the thread's until the end
 * @return NULL: there is no thread to be had, or memory is short. Then one counts by oneself.
 */
struct mix_tallying *mix_tallying_begin(struct mix_observations *observations);

/* As mix_add_sample(), …: that memory was short is told by the end. */
void mix_tally_sample(struct mix_tallying *tallying, uint32_t block, uint64_t period, uint64_t cluster);
/** @param count  MIX_STACK_MOST or less */
void mix_tally_stack(struct mix_tallying *tallying, const struct mix_jump *jumps,
		     const uint32_t *streams, uint32_t count, uint64_t period, uint64_t cluster);
void mix_tally_know(struct mix_tallying *tallying, uint32_t number, const struct mix_jump *jumps,
		    const uint32_t *streams, uint32_t count);
void mix_tally_known_stack(struct mix_tallying *tallying, uint32_t number, uint64_t period,
			   uint64_t cluster);
void mix_tally_branch(struct mix_tallying *tallying, struct mix_jump jump, uint64_t period,
		      uint64_t cluster);

/** Wait until all is counted. NULL is allowed. @return 0, or -1: memory was short */
int mix_tallying_end(struct mix_tallying *tallying);

#endif
