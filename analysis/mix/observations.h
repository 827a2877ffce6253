/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was sampled of a graph of code: instruction samples by block, branch stacks, single branches.
 *
 * Samples that depend on each other, as the streams of one branch stack do, are a cluster. Each cluster
 * goes into one of 32 groups by chance; figures that are made anew without each of the groups tell how
 * uncertain they are (a delete-a-group jackknife), whatever the dependence inside clusters is.
 */
#ifndef ANALYSIS_MIX_OBSERVATIONS_H
#define ANALYSIS_MIX_OBSERVATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "stacks.h"
#include "tallies.h"

/* Of a block that ends in a branch: at which places of full stacks it was found */
struct mix_places {
	uint32_t all, oldest, newest, random;
};

struct mix_observations {
	struct mix_tallies tallies;
	struct mix_deferred *deferred; /* what is to be counted yet; NULL: all is */
	struct mix_stacks *known; /* stacks that may come again, as long as there is that */
	struct mix_places *places;
	uint32_t place_room;
	uint64_t samples, sample_weight[MIX_GROUPS], unplaced_samples, unplaced_weight;
	uint64_t stacks, stack_weight[MIX_GROUPS];
	double stream_weight; /* sum of period x streams */
	uint32_t depth;       /* the longest stack, in branches */
	uint64_t full;        /* stacks of that depth, since it came up */
	/* Of full stacks: entry n is the same branch as entry n + 1 */
	uint64_t twins[MIX_STACK_MOST];
	uint64_t unplaced_streams, too_long;
	/*
	 * In the graph, in all; 0: not known. Relative errors, beside that of begin and end of counting
	 */
	double instructions, instructions_error;
	double taken, taken_error;
};

/* Zeroed memory has none. All of these: @return 0, or -1: memory is short */

/**
 * What comes is counted group by group, which is faster as the tallies of one group fit into a cache.
 * Not before mix_observations_settle() are there tallies, and streams that are not placed: the same, in
 * the same order, as if each had been counted at once.
 */
int mix_observations_defer(struct mix_observations *observations);
int mix_observations_settle(struct mix_observations *observations);

/**
 * Where several count, each a part of what comes: the next observation is number 'number' of all, larger than
 * any that is counted here. Counting is put off.
 */
void mix_observations_at(struct mix_observations *observations, uint64_t number);
/** All that waits: for mix_observations_join(). @return 0, or -1: memory is short */
int mix_observations_count(struct mix_observations *observations);
/**
 * What several counted becomes what one would have counted, which is to be settled.
 * @param into    new, counting put off
 * @param from    'count' of them, mix_observations_count() behind them; they have no tallies any more then
 * @param blocks  of each: by its own number of a block, that of all
 * @return 0, or -1: memory is short
 */
int mix_observations_join(struct mix_observations *into, struct mix_observations *const *from,
			  const uint32_t *const *blocks, uint32_t count);

/**
 * One instruction sample (EBS).
 * @param block    FLOW_NONE: in code that the graph has not
 * @param period   how many instructions it stands for
 * @param cluster  what it depends on; samples by themselves have numbers of their own
 */
int mix_add_sample(struct mix_observations *observations, uint32_t block, uint64_t period,
		   uint64_t cluster);

/**
 * One branch stack (LBR, BRS).
 * @param jumps   the newest first, as perf has them
 * @param period  how many taken branches it stands for
 */
int mix_add_stack(struct mix_observations *observations, const struct mix_jump *jumps, uint32_t count,
		  uint64_t period, uint64_t cluster);

/**
 * The same in less time.
 * @param streams  the numbers of its count - 1 streams, as of tallies.h: that of the newest first
 */
int mix_add_numbered_stack(struct mix_observations *observations, const struct mix_jump *jumps,
			   const uint32_t *streams, uint32_t count, uint64_t period,
			   uint64_t cluster);

/**
 * A stack that came before, where counting is put off, gets a number: one more than the last one, less than
 * MIX_STACKS_MOST, or 0, where all others are forgotten. Then that will do.
 * @param streams  none of them is 0
 */
int mix_know_stack(struct mix_observations *observations, uint32_t number,
		   const struct mix_jump *jumps, const uint32_t *streams, uint32_t count);
int mix_add_known_stack(struct mix_observations *observations, uint32_t number, uint64_t period,
			uint64_t cluster);

/** One branch that was executed, taken or not (an IBS op, an SPE record): 'to' is the next one if not. */
int mix_add_branch(struct mix_observations *observations, struct mix_jump jump, uint64_t period,
		   uint64_t cluster);

/*
 * Other numbers for blocks: of tally 'number' of all, which has them in its first, last and to.
 * @return 0: it is left out
 */
typedef int mix_renumber_tally(void *data, size_t number, struct mix_tally *tally);
/* @return FLOW_NONE: there is none for that one */
typedef uint32_t mix_renumber_branch(void *data, uint32_t block);

/**
 * The same observations by other numbers of blocks: several may become one.
 * @param scale  of weights of stacks: what they stand for in the place of what they were counted by
 * @param to     zeroed
 */
int mix_observations_renumber(const struct mix_observations *from, mix_renumber_tally *of_tally,
			      mix_renumber_branch *of_branch, void *data, double scale,
			      struct mix_observations *to);

/** What all instruction samples stand for */
uint64_t mix_weight_of_samples(const struct mix_observations *observations);

void mix_observations_free(struct mix_observations *observations);

/*
 * Is the newest entry a copy of the next one more often than entries are alike elsewhere? Skylake's cores
 * do that; a short loop has the same branch twice at all places alike. Nothing of the newest entry, nor
 * of the stream that ends in it, is believed then. google/autofdo and BOLT drop it, too.
 */
int mix_newest_is_copied(const struct mix_observations *observations);

#endif
