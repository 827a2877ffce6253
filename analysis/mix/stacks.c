/* SPDX-License-Identifier: BSD-3-Clause */
/* See stacks.h. */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MOST (2 * MIX_STACK_MOST - 1) /* of one: its streams, and where its jumps began */

struct mix_stacks {
	uint32_t count;
	struct mix_stack stack[MIX_STACKS_MOST];
	/* Of all of these memory is taken as they are written */
	uint32_t often_count;
	uint32_t often[MIX_STACKS_MOST]; /* numbers */
	struct mix_again *again; /* MIX_GROUPS of each that came often */
	uint32_t used; /* of: */
	uint32_t words[MIX_STACKS_MOST * WORDS_MOST];
};

struct mix_stacks *mix_stacks_new(void)
{
	struct mix_stacks *stacks = malloc(sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->again = calloc((size_t)MIX_GROUPS * MIX_STACKS_MOST, sizeof(*stacks->again));
	if (!stacks->again) {
		free(stacks);
		return NULL;
	}
	mix_stacks_clear(stacks);
	return stacks;
}

void mix_stacks_add(struct mix_stacks *stacks, const struct mix_jump *jumps,
		    const uint32_t *streams, uint32_t count)
{
	struct mix_stack *stack = &stacks->stack[stacks->count++];

	*stack = (struct mix_stack){ .streams = stacks->words + stacks->used, .count = count };
	memcpy(stack->streams, streams, (count - 1) * sizeof(*streams));
	for (uint32_t n = 0; n < count; n++) {
		stack->streams[count - 1 + n] = jumps[n].from;
		if (n + 1 < count && mix_jump_is_twin(jumps, n))
			stack->twins |= UINT64_C(1) << n;
	}
	stacks->used += 2 * count - 1;
}

uint32_t mix_stacks_count(const struct mix_stacks *stacks)
{
	return stacks->count;
}

struct mix_stack *mix_stacks_at(struct mix_stacks *stacks, uint32_t number)
{
	return &stacks->stack[number];
}

void mix_stacks_often(struct mix_stacks *stacks, uint32_t number)
{
	stacks->stack[number].often = stacks->often_count;
	stacks->often[stacks->often_count++] = number;
}

uint32_t mix_stacks_often_count(const struct mix_stacks *stacks)
{
	return stacks->often_count;
}

struct mix_stack *mix_stacks_often_at(struct mix_stacks *stacks, uint32_t often)
{
	return &stacks->stack[stacks->often[often]];
}

struct mix_again *mix_stacks_again(struct mix_stacks *stacks, const struct mix_stack *stack)
{
	return stacks->again + (size_t)stack->often * MIX_GROUPS;
}

void mix_stacks_clear(struct mix_stacks *stacks)
{
	stacks->count = 0;
	stacks->often_count = 0;
	stacks->used = 0;
}

void mix_stacks_free(struct mix_stacks *stacks)
{
	if (stacks)
		free(stacks->again);
	free(stacks);
}
