// SPDX-License-Identifier: BSD-3-Clause
/* Simulated samples as observations of the blocks that the truth has. */
#include "simulate.h"

struct observing {
	const struct truth *truth;
	struct mix_observations *seen;
};

static uint32_t block_of(const struct observing *observing, uint32_t instruction)
{
	return observing->truth->instructions[instruction].block;
}

static int is_first(const struct observing *observing, uint32_t instruction)
{
	return observing->truth->first[block_of(observing, instruction)] == instruction;
}

/* Of a fused pair, the compare stands for the branch */
static int is_last(const struct observing *observing, uint32_t instruction)
{
	const uint32_t end = observing->truth->first[block_of(observing, instruction) + 1];

	return instruction + 1 == end || observing->truth->instructions[instruction].is_fused;
}

static int add_sample(void *data, const struct simulated_event *event)
{
	struct observing *observing = data;

	return mix_add_sample(observing->seen, block_of(observing, event->instruction), event->period,
			      observing->seen->samples);
}

static int add_stack(void *data, const struct simulated_event *event, const struct simulated_branch *entries,
		     uint32_t count)
{
	struct observing *observing = data;
	struct mix_jump jumps[MIX_STACK_MOST];
	uint32_t filled = 0;

	for (uint32_t n = 0; n < count; n++) {
		const struct simulated_branch *entry = &entries[n];

		if (entry->is_wrong_path)
			continue;
		jumps[filled].from =
			is_last(observing, entry->from) ? block_of(observing, entry->from) : FLOW_NONE;
		jumps[filled++].to =
			is_first(observing, entry->to) ? block_of(observing, entry->to) : FLOW_NONE;
	}
	return mix_add_stack(observing->seen, jumps, filled, event->period, observing->seen->stacks);
}

static int add_op(void *data, const struct simulated_event *event, const struct simulated_branch *branch)
{
	struct observing *observing = data;
	const uint64_t cluster = observing->seen->samples;

	if (branch && mix_add_branch(observing->seen,
				     (struct mix_jump){ block_of(observing, branch->from),
							block_of(observing, branch->to) },
				     event->period, cluster) < 0)
		return -1;
	return add_sample(data, event);
}

struct mix_options simulated_options(const struct simulated *how)
{
	return (struct mix_options){ .cutoff = MIX_CUTOFF,
				     .skid = how->source == SIMULATED_SHADOW ? MIX_SKID : 0,
				     .by_op = how->source == SIMULATED_IBS };
}

int simulate_observations(const struct truth *truth, const struct simulated *how,
			  struct mix_observations *seen)
{
	struct observing observing = { truth, seen };
	const struct simulated_sink sink = { &observing, add_sample, add_stack, add_op };

	seen->instructions = (double)truth->executed;
	seen->taken = (double)truth->taken;
	return simulate(truth, how, &sink);
}
