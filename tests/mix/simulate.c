// SPDX-License-Identifier: BSD-3-Clause
/* Counters that overflow along a trace. */
#include "simulate.h"

#include <string.h>

#include "statistics/random.h"

#define WAITS_MOST 512u /* taken branches that a stack waits for its oldest one */
#define FREEZE_MOST 3u  /* taken branches until a stack is frozen, or begins behind the overflow */
#define WRONG_PATH_IN 24u /* of so many branches one is mispredicted, and another recorded before it */
#define NO_BRANCH_IN 512u /* of so many, one instruction is recorded that is none (AMD's erratum 1452) */
#define UNMOVED_IN 8u     /* fused pairs that the kernel does not move to the branch: no page is there */
#define MISPREDICTED_IN 64u /* branches behind which ops of a wrong path are dispatched */
#define WRONG_OPS_MOST 40u

const struct simulated_model simulated_models[] = {
	{ "ideal-16", { .depth = 16 } },
	{ "biased-16", { .depth = 16, .is_biased = 1 } },
	{ "both-16", { .depth = 16, .is_biased = 1, .source = SIMULATED_SHADOW } },
	{ "both-32", { .depth = 32, .is_biased = 1, .source = SIMULATED_SHADOW } },
	{ "shadow-16", { .depth = 16, .source = SIMULATED_SHADOW } },
	{ "copied-32", { .depth = 32, .is_copied = 1 } },
	{ "ibs", { .source = SIMULATED_IBS } },
	{ "ext-16", { .depth = 16, .stack = SIMULATED_LBR_EXT, .source = SIMULATED_IBS } },
	{ "ext-biased-16",
	  { .depth = 16, .is_biased = 1, .stack = SIMULATED_LBR_EXT, .source = SIMULATED_IBS } },
	{ "brs-16", { .depth = 16, .stack = SIMULATED_BRS, .source = SIMULATED_IBS } },
	{ NULL, { .depth = 0 } },
};

const struct simulated_model *simulated_find(const char *name)
{
	const struct simulated_model *model = simulated_models;

	while (model->name && strcmp(model->name, name) != 0)
		model++;
	return model->name ? model : NULL;
}

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
 * What a sample is of: four instructions retire in a cycle, and the one that retires first after the
 * counter is armed again tells its address.
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
				return n;
		}
	}
	return truth->first[truth->trace[truth->trace_count - 1]];
}

static int simulate_samples(const struct truth *truth, const struct simulated *how,
			    const struct simulated_sink *sink)
{
	const uint64_t period = truth->executed / how->samples;
	struct random random = random_of(how->seed * 5 + 1);
	uint64_t done = 0, next = random_below(&random, period) + 1;

	for (size_t at = 0; at < truth->trace_count; at++) {
		const uint32_t block = truth->trace[at];
		const uint64_t length = truth->first[block + 1] - truth->first[block];

		for (; next <= done + length; next += next_period(&random, period)) {
			const uint32_t within = (uint32_t)(next - done - 1);
			struct simulated_event event = { .time = next, .period = period };

			event.instruction = how->source == SIMULATED_SHADOW
						    ? shadowed(truth, &random, at, within)
						    : truth->first[block] + within;
			if (sink->sample(sink->data, &event) < 0)
				return -1;
		}
		done += length;
	}
	return 0;
}

/* Where the execution of a block at a place of the trace goes on; a fused pair has the compare's address */
static struct simulated_branch outcome_of(const struct truth *truth, size_t at, uint32_t instruction)
{
	const uint32_t block = truth->trace[at], next = truth->trace[at + 1];

	return (struct simulated_branch){ .from = instruction, .to = truth->first[next],
					  .is_taken = truth_is_taken(truth, block, next) > 0,
					  .is_fused = truth->instructions[instruction].is_fused };
}

/* An op that is a branch, or a compare that is one op with the branch behind it */
static int is_branch_op(const struct truth *truth, uint32_t block, uint32_t instruction)
{
	const uint32_t last = truth->first[block + 1] - 1;

	return truth->flow.blocks[block].ends != FLOW_FALLS &&
	       (instruction == last || truth->instructions[instruction].is_fused);
}

struct tagging {
	const struct truth *truth;
	const struct simulated_sink *sink;
	struct random random;
	uint64_t period, until; /* ops until the next one is tagged, at least 1 */
};

/* The ops of one instruction are dispatched */
static int dispatch(struct tagging *tagging, size_t at, uint32_t instruction, uint64_t time)
{
	const struct truth *truth = tagging->truth;
	const uint32_t block = truth->trace[at];
	uint64_t ops = truth->instructions[instruction].ops;

	for (; tagging->until <= ops; tagging->until = next_period(&tagging->random, tagging->period)) {
		const struct simulated_event event = { time, tagging->period, instruction };
		const int is_branch =
			at + 1 < truth->trace_count && is_branch_op(truth, block, instruction);
		const struct simulated_branch branch =
			is_branch ? outcome_of(truth, at, instruction) : (struct simulated_branch){ 0 };

		if (tagging->sink->op(tagging->sink->data, &event, is_branch ? &branch : NULL) < 0)
			return -1;
		ops -= tagging->until;
	}
	tagging->until -= ops;
	return 0;
}

/* Ops of a wrong path count, too, but what is tagged there never retires: no sample comes of it. */
static void dispatch_wrong_path(struct tagging *tagging)
{
	const uint64_t ops = random_below(&tagging->random, WRONG_OPS_MOST);

	if (random_below(&tagging->random, MISPREDICTED_IN))
		return;
	while (tagging->until <= ops)
		tagging->until += next_period(&tagging->random, tagging->period);
	tagging->until -= ops;
}

uint64_t simulated_ops_period(const struct truth *truth, const struct simulated *how)
{
	const uint64_t period = truth->ops / how->samples & ~UINT64_C(15);

	return period ? period : 16;
}

static int simulate_ops(const struct truth *truth, const struct simulated *how,
			const struct simulated_sink *sink)
{
	struct tagging tagging = { .truth = truth, .sink = sink, .random = random_of(how->seed * 5 + 3),
				   .period = simulated_ops_period(truth, how) };
	uint64_t done = 0;

	tagging.until = random_below(&tagging.random, tagging.period) + 1;
	for (size_t at = 0; at < truth->trace_count; at++) {
		const uint32_t block = truth->trace[at];

		for (uint32_t n = truth->first[block]; n < truth->first[block + 1]; n++) {
			if (dispatch(&tagging, at, n, ++done) < 0)
				return -1;
		}
		if (truth->flow.blocks[block].ends == FLOW_CONDITIONAL)
			dispatch_wrong_path(&tagging);
	}
	return 0;
}

/* The last branches, the oldest at 'head' once it is full */
struct ring {
	struct simulated_branch entries[MIX_STACK_MOST];
	uint32_t depth, head, filled;
};

static void push(struct ring *ring, struct simulated_branch entry)
{
	ring->entries[ring->head] = entry;
	ring->head = (ring->head + 1) % ring->depth;
	ring->filled += ring->filled < ring->depth;
}

/* From the end of one block to the begin of another */
static struct simulated_branch between(const struct truth *truth, uint32_t from, uint32_t to)
{
	return (struct simulated_branch){ .from = truth->first[from + 1] - 1, .to = truth->first[to],
					  .is_taken = 1 };
}

/* A branch, chosen as often as it is taken */
static struct simulated_branch chosen_of(const struct truth *truth, struct random *random)
{
	for (;;) {
		const size_t at = random_below(random, truth->trace_count - 1);

		if (truth_is_taken(truth, truth->trace[at], truth->trace[at + 1]) > 0)
			return between(truth, truth->trace[at], truth->trace[at + 1]);
	}
}

struct windows {
	const struct truth *truth;
	const struct simulated *how;
	const struct simulated_sink *sink;
	struct ring ring;
	struct random random, faults;
	struct simulated_branch chosen;
	uint64_t period, next, taken, time;
	uint32_t left, waits; /* until the stack is frozen: branches; how long it waits for the chosen one */
};

static int freeze(struct windows *windows)
{
	const struct ring *ring = &windows->ring;
	struct simulated_branch entries[MIX_STACK_MOST];
	struct simulated_event event = { .time = windows->time, .period = windows->period };

	for (uint32_t n = 0; n < ring->filled; n++)
		entries[n] = ring->entries[(ring->head + 2 * ring->depth - 1 - n) % ring->depth];
	event.instruction = entries[0].to;
	if (windows->how->is_copied && !random_below(&windows->random, 4))
		memmove(entries + 1, entries, (ring->filled - 1) * sizeof(*entries));
	return windows->sink->stack(windows->sink->data, &event, entries, ring->filled);
}

static int is_chosen_oldest(const struct windows *windows)
{
	const struct simulated_branch *oldest = &windows->ring.entries[windows->ring.head];

	return windows->ring.filled == windows->ring.depth && oldest->from == windows->chosen.from;
}

/* What AMD's stacks have beside the branches that were executed */
static void push_faults(struct windows *windows, struct simulated_branch *entry)
{
	const struct truth *truth = windows->truth;
	const uint32_t to = truth->instructions[entry->to].block;

	if (!random_below(&windows->faults, WRONG_PATH_IN)) {
		struct simulated_branch wrong = chosen_of(truth, &windows->faults);

		wrong.is_wrong_path = 1;
		push(&windows->ring, wrong);
	}
	if (entry->from && truth->instructions[entry->from - 1].is_fused &&
	    !random_below(&windows->faults, UNMOVED_IN))
		entry->from--;
	push(&windows->ring, *entry);
	if (truth->first[to] + 1 < truth->first[to + 1] && !random_below(&windows->faults, NO_BRANCH_IN))
		push(&windows->ring, (struct simulated_branch){ .from = truth->first[to],
								.to = truth->first[to] + 1 });
}

static void begin_window(struct windows *windows)
{
	windows->next += next_period(&windows->random, windows->period);
	windows->left = 1 + (uint32_t)random_below(&windows->random, FREEZE_MOST);
	windows->waits =
		windows->how->is_biased && random_below(&windows->random, 2) ? WAITS_MOST : 0;
	/*
	 * All entries come behind the overflow, which the kernel has by so many branches earlier. What the
	 * interrupt takes beside makes periods longer: by some millionths where they are of a million, so
	 * here, where they are of some hundred, not on average either
	 */
	if (windows->how->stack == SIMULATED_BRS) {
		windows->next += windows->left;
		windows->next -= (1 + FREEZE_MOST) / 2;
		windows->left += windows->how->depth;
	}
}

static int take_branch(struct windows *windows, struct simulated_branch entry)
{
	if (windows->how->stack == SIMULATED_LBR_EXT)
		push_faults(windows, &entry);
	else
		push(&windows->ring, entry);
	windows->taken++;
	if (windows->taken == windows->next) {
		/* One that waits still is taken now: none is lost, as none is where periods are long */
		if (windows->left && freeze(windows) < 0)
			return -1;
		begin_window(windows);
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
	return freeze(windows);
}

static int simulate_stacks(const struct truth *truth, const struct simulated *how,
			   const struct simulated_sink *sink)
{
	struct windows windows = { .truth = truth, .how = how, .sink = sink, .ring.depth = how->depth,
				   .random = random_of(how->seed * 5 + 2),
				   .faults = random_of(how->seed * 5 + 4),
				   .period = truth->taken / how->stacks };

	windows.chosen = chosen_of(truth, &windows.random);
	windows.next = random_below(&windows.random, windows.period) + 1;
	for (size_t at = 1; at < truth->trace_count; at++) {
		const uint32_t from = truth->trace[at - 1], to = truth->trace[at];

		windows.time += truth->first[from + 1] - truth->first[from];
		if (truth_is_taken(truth, from, to) > 0 &&
		    take_branch(&windows, between(truth, from, to)) < 0)
			return -1;
	}
	return 0;
}

int simulate(const struct truth *truth, const struct simulated *how, const struct simulated_sink *sink)
{
	int status = 0;

	if (how->samples)
		status = how->source == SIMULATED_IBS ? simulate_ops(truth, how, sink)
						      : simulate_samples(truth, how, sink);
	if (!status && how->stacks && how->depth)
		status = simulate_stacks(truth, how, sink);
	return status;
}
