// SPDX-License-Identifier: BSD-3-Clause
/* Counters that overflow along a trace. */
#include "simulate.h"

#include <string.h>

#include "statistics/random.h"

#define WAITS_MOST 512u /* taken branches that a stack waits for its oldest one */
#define FREEZE_MOST 3u  /* taken branches until a stack is frozen */


/* Periods vary by an eighth, so that no loop is in step with them. Their mean is 'period'. */
static uint64_t next_period(struct random *random, uint64_t period)
{
	const uint64_t eighth = period / 8;

	return period - eighth + random_below(random, 2 * eighth + 1);
}

/* Cycles for which nothing retires before this one does */
static unsigned int stall_of(struct random *random, const struct truth_instruction *what)
{
	switch (what->class) {
	case TRUTH_SLOW:
		return 18;
	case TRUTH_LOAD: /* some miss the first level */
		return random_below(random, 32) ? 0 : 12;
	case TRUTH_BRANCH: /* some are mispredicted */
		return random_below(random, 64) ? 0 : 15;
	default:
		return 0;
	}
}

/*
 * The block that a sample is of: four instructions retire in a cycle, and the one that retires first
 * after the counter is armed again tells its address.
 */
static uint32_t shadowed(const struct truth *truth, struct random *random, size_t at, uint32_t within)
{
	const unsigned int armed = 3 + (unsigned int)random_below(random, 6);
	unsigned int time = 0, slots = 0;

	for (; at < truth->trace_count; at++, within = 0) {
		const uint32_t block = truth->trace[at], end = truth->first[block + 1];

		for (uint32_t n = truth->first[block] + within; n < end; n++) {
			const unsigned int stall = stall_of(random, &truth->instructions[n]);

			if (stall || ++slots == 4) {
				time += stall ? stall : 1;
				slots = 0;
			}
			if (time >= armed)
				return block;
		}
	}
	return truth->trace[truth->trace_count - 1];
}

static int simulate_samples(const struct truth *truth, const struct simulated *how,
			    struct mix_observations *seen)
{
	const uint64_t period = truth->executed / how->samples;
	struct random random = random_of(how->seed * 5 + 1);
	uint64_t done = 0, next = random_below(&random, period) + 1;

	for (size_t at = 0; at < truth->trace_count; at++) {
		const uint32_t block = truth->trace[at];
		const uint64_t length = truth->first[block + 1] - truth->first[block];

		while (next <= done + length) {
			const uint32_t of =
				how->has_shadow
					? shadowed(truth, &random, at, (uint32_t)(next - done - 1))
					: block;

			if (mix_add_sample(seen, of, period, seen->samples) < 0)
				return -1;
			next += next_period(&random, period);
		}
		done += length;
	}
	return 0;
}

/* The last branches, the oldest at 'head' once it is full */
struct ring {
	struct mix_jump jumps[MIX_STACK_MOST];
	uint32_t depth, head, filled;
};

static void push(struct ring *ring, struct mix_jump jump)
{
	ring->jumps[ring->head] = jump;
	ring->head = (ring->head + 1) % ring->depth;
	ring->filled += ring->filled < ring->depth;
}

static int freeze(const struct ring *ring, const struct simulated *how, struct random *random,
		  uint64_t period, struct mix_observations *seen)
{
	struct mix_jump jumps[MIX_STACK_MOST];

	for (uint32_t n = 0; n < ring->filled; n++)
		jumps[n] = ring->jumps[(ring->head + 2 * ring->depth - 1 - n) % ring->depth];
	if (how->is_copied && !random_below(random, 4))
		memmove(jumps + 1, jumps, (ring->filled - 1) * sizeof(*jumps));
	return mix_add_stack(seen, jumps, ring->filled, period, seen->stacks);
}

/* A branch, chosen as often as it is taken */
static struct mix_jump chosen_of(const struct truth *truth, struct random *random)
{
	for (;;) {
		const size_t at = random_below(random, truth->trace_count - 1);

		if (truth_is_taken(truth, truth->trace[at], truth->trace[at + 1]) > 0)
			return (struct mix_jump){ truth->trace[at], truth->trace[at + 1] };
	}
}

struct windows {
	struct ring ring;
	struct random random;
	struct mix_jump chosen;
	uint64_t period, next, taken;
	uint32_t left, waits; /* until the stack is frozen: branches; how long it waits for the chosen one */
};

static int is_chosen_oldest(const struct windows *windows)
{
	const struct mix_jump *oldest = &windows->ring.jumps[windows->ring.head];

	return windows->ring.filled == windows->ring.depth && oldest->from == windows->chosen.from;
}

static int take_branch(struct windows *windows, const struct simulated *how, struct mix_jump jump,
		       struct mix_observations *seen)
{
	push(&windows->ring, jump);
	windows->taken++;
	if (windows->taken == windows->next) {
		windows->next += next_period(&windows->random, windows->period);
		windows->left = 1 + (uint32_t)random_below(&windows->random, FREEZE_MOST);
		windows->waits =
			how->is_biased && random_below(&windows->random, 2) ? WAITS_MOST : 0;
	}
	if (!windows->left)
		return 0;
	if (windows->left > 1) {
		windows->left--;
		return 0;
	}
	if (windows->waits && !is_chosen_oldest(windows)) {
		windows->waits--;
		return 0;
	}
	windows->left = 0;
	return freeze(&windows->ring, how, &windows->random, windows->period, seen);
}

static int simulate_stacks(const struct truth *truth, const struct simulated *how,
			   struct mix_observations *seen)
{
	struct windows windows = { .ring.depth = how->depth, .random = random_of(how->seed * 5 + 2),
				   .period = truth->taken / how->stacks };

	windows.chosen = chosen_of(truth, &windows.random);
	windows.next = random_below(&windows.random, windows.period) + 1;
	for (size_t at = 1; at < truth->trace_count; at++) {
		const struct mix_jump jump = { truth->trace[at - 1], truth->trace[at] };

		if (truth_is_taken(truth, jump.from, jump.to) > 0 &&
		    take_branch(&windows, how, jump, seen) < 0)
			return -1;
	}
	return 0;
}

/* Ops are instructions here. Of one that is a branch, or falls through as one, it is known where to. */
static int simulate_branches(const struct truth *truth, const struct simulated *how,
			     struct mix_observations *seen)
{
	const uint64_t period = truth->executed / how->branches;
	struct random random = random_of(how->seed * 5 + 3);
	uint64_t done = 0, next = random_below(&random, period) + 1, cluster = 0;

	for (size_t at = 0; at + 1 < truth->trace_count; at++) {
		const uint32_t block = truth->trace[at];
		const uint64_t length = truth->first[block + 1] - truth->first[block];

		for (; next <= done + length; next += next_period(&random, period), cluster++) {
			if (next == done + length && truth->flow.blocks[block].ends != FLOW_FALLS &&
			    mix_add_branch(seen, (struct mix_jump){ block, truth->trace[at + 1] }, period,
					   cluster) < 0)
				return -1;
		}
		done += length;
	}
	return 0;
}

int simulate(const struct truth *truth, const struct simulated *how, struct mix_observations *seen)
{
	int status = 0;

	seen->instructions = (double)truth->executed;
	seen->taken = (double)truth->taken;
	if (how->samples)
		status = simulate_samples(truth, how, seen);
	if (!status && how->stacks)
		status = simulate_stacks(truth, how, seen);
	if (!status && how->branches)
		status = simulate_branches(truth, how, seen);
	return status;
}
