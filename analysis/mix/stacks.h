/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole branch stacks that are seen again and again, as loops have them: what they are made of is kept by a
 * number, and they are counted by that.
 */
#ifndef ANALYSIS_MIX_STACKS_H
#define ANALYSIS_MIX_STACKS_H

#include "tallies.h"

#define MIX_STACKS_MOST 16384u

struct mix_stack {
	uint32_t *streams; /* 'count' - 1 numbers, the newest first; then where its jumps began */
	uint32_t count; /* of its jumps */
	uint32_t full; /* so often it was a full one, and its places were not counted yet */
	uint64_t twins; /* bit n: jump n is the same as jump n + 1 */
	uint32_t times; /* it came again, up to MIX_STACK_OFTEN, */
	uint32_t groups; /* bit n: in group n, which has tallies of all its streams therefore */
	uint32_t often; /* its number among those that came that often */
};

/* From so many times on, some of each group, it is worth while to count a stack rather than its streams. */
#define MIX_STACK_OFTEN 64u

/* What came of a stack in a group that had it before, and is to be added to each of its streams' tallies */
struct mix_again {
	uint64_t weight;
	double published;
	uint64_t count;
};

struct mix_stacks;

/** @return NULL: memory is short */
struct mix_stacks *mix_stacks_new(void);

/** The next one, behind which MIX_STACKS_MOST is none. @param streams  all have numbers */
void mix_stacks_add(struct mix_stacks *stacks, const struct mix_jump *jumps,
		    const uint32_t *streams, uint32_t count);

uint32_t mix_stacks_count(const struct mix_stacks *stacks);
struct mix_stack *mix_stacks_at(struct mix_stacks *stacks, uint32_t number);

/** Count it as one that came often, from now on. */
void mix_stacks_often(struct mix_stacks *stacks, uint32_t number);
uint32_t mix_stacks_often_count(const struct mix_stacks *stacks);
struct mix_stack *mix_stacks_often_at(struct mix_stacks *stacks, uint32_t often);

/** By group. Zeroed memory; what is added up is zeroed again. */
struct mix_again *mix_stacks_again(struct mix_stacks *stacks, const struct mix_stack *stack);

static inline const uint32_t *mix_stack_sources(const struct mix_stack *stack)
{
	return stack->streams + stack->count - 1;
}

/** All are forgotten, and what came again is counted: numbers begin with 0 again. */
void mix_stacks_clear(struct mix_stacks *stacks);

/** NULL is allowed. */
void mix_stacks_free(struct mix_stacks *stacks);

#endif
