/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting group by group. The tallies of all groups are more than a processor's second cache holds,
 * and one stack after the other is of another group: each stream would wait for memory. So what was
 * seen is kept by group, until there are hundreds of stacks of one, which are counted in a row.
 *
 * What has a number, as nearly all has, is found in a table of these numbers; all else by a hash.
 *
 * What comes out is the same to the last bit, and in the same order, as if each had been counted when it
 * came: all of one tally are of one group and stay in order, and what was seen first is added first.
 */
#ifndef ANALYSIS_MIX_DEFERRED_H
#define ANALYSIS_MIX_DEFERRED_H

#include "stacks.h"

struct mix_deferred;

/** @return NULL: memory is short */
struct mix_deferred *mix_deferred_new(void);

/** @param what  a tally of a count of 1, of no stream. @return 0, or -1: memory is short */
int mix_defer(struct mix_deferred *deferred, const struct mix_tally *what);

/**
 * @param what   what the stack's streams have in common
 * @param streams  their numbers, NULL: they have none
 * @param count  of 'jumps', the newest first; MIX_STACK_MOST or less
 * @return 0, or -1: memory is short
 */
int mix_defer_stack(struct mix_deferred *deferred, const struct mix_tally *what,
		    const struct mix_jump *jumps, const uint32_t *streams, uint32_t count);

/** The same of stack 'number' of these, which stay where they are until all is counted */
int mix_defer_known(struct mix_deferred *deferred, const struct mix_tally *what,
		    struct mix_stacks *stacks, uint32_t number);

/** What is deferred next is number 'number' of all observations; without this, one more than the last. */
void mix_deferred_at(struct mix_deferred *deferred, uint64_t number);

/** All that waits. @return 0, or -1: memory is short */
int mix_deferred_count(struct mix_deferred *deferred);

/** Where nothing waits: what came of known stacks in groups that had them before */
void mix_deferred_count_known(struct mix_deferred *deferred, struct mix_stacks *stacks);

/**
 * Once, at the end.
 * @param unplaced  streams that have no place in the graph are added
 * @return 0, or -1: memory is short
 */
int mix_deferred_settle(struct mix_deferred *deferred, struct mix_tallies *tallies,
			uint64_t *unplaced);

/**
 * What several threads have counted, each of other observations, becomes what one would have counted.
 * @param into    new
 * @param from    'count' of them, of which nothing waits; they have nothing more afterwards
 * @param blocks  of each: by its own number of a block, that of all
 * @return 0, or -1: memory is short
 */
int mix_deferred_join(struct mix_deferred *into, struct mix_deferred *const *from,
		      const uint32_t *const *blocks, uint32_t count);

/** NULL is allowed. */
void mix_deferred_free(struct mix_deferred *deferred);

#endif
