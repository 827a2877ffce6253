// SPDX-License-Identifier: BSD-3-Clause
/*
 * Block counts from samples: the published methods against a naive reading of the paper, and the joint
 * estimate against programs whose counts are known because a random walk through their blocks made them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mix/mix.h"
#include "analysis/mix/parts.h"
#include "statistics/random.h"
#include "statistics/room.h"
#include "tests/support/tap.h"

/*
 * A program of two loops and a function that both call:
 *
 *	0 -> 1 [2] -> 3 -> 1 ...   a loop with an if
 *	3 -> 4, which calls 8; 5 is where it comes back, a long block; 5 -> 4 a loop, or
 *	6 -> 0 all over again
 *	8 -> 9 (if) -> 10, which returns
 */
enum { BLOCKS = 10 };

static const struct flow_block shapes[BLOCKS] = {
	{ 4, 0, FLOW_FALLS, FLOW_ENTERED_ELSEWHERE, 1 },
	{ 3, 0, FLOW_CONDITIONAL, 0, 2 },
	{ 7, 0, FLOW_FALLS, 0, 3 },
	{ 2, 0, FLOW_CONDITIONAL, 0, 4 },
	{ 5, 0, FLOW_CALLS, 0, 5 },
	{ 40, 0, FLOW_CONDITIONAL, 0, 6 },
	{ 1, 0, FLOW_JUMPS, FLOW_LEFT_ELSEWHERE, 7 },
	{ 6, 0, FLOW_CONDITIONAL, 0, 8 },
	{ 19, 0, FLOW_FALLS, 0, 9 },
	{ 1, 0, FLOW_RETURNS, 0, FLOW_NONE },
};

static const struct flow_edge branches[] = {
	{ 1, 3 }, { 3, 1 }, { 4, 7 }, { 7, 9 }, { 9, 5 }, { 5, 4 }, { 6, 0 }
};

static const double taken_share[BLOCKS] = { [1] = 0.3, [3] = 0.9, [5] = 0.8, [7] = 0.6 };

static double uniform(struct random *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

static void make_flow(struct flow *flow)
{
	for (uint32_t block = 0; block < BLOCKS; block++)
		flow_add_block(flow, &shapes[block]);
	/* The return is learnt from samples */
	for (size_t n = 0; n < sizeof(branches) / sizeof(branches[0]); n++) {
		if (branches[n].from != 9)
			flow_add_edge(flow, branches[n].from, branches[n].to);
	}
}

static uint32_t target_of(uint32_t from)
{
	for (size_t n = 0; n < sizeof(branches) / sizeof(branches[0]); n++) {
		if (branches[n].from == from)
			return branches[n].to;
	}
	return FLOW_NONE;
}

/* What is to be sampled, and what came of it */
struct walk {
	uint64_t steps, sample_period, stack_period, branch_period;
	uint32_t depth;
	int is_biased;  /* every second stack waits until the branch of block 3 is the oldest */
	int is_shifted; /* half of the samples are of the next block */
	int is_copied;  /* every fourth stack has its newest entry twice */
	double counts[BLOCKS], instructions, taken;
	/* All that was told, to be read again in a naive way */
	uint32_t *samples, sample_count;
	struct mix_jump (*stacks)[32];
	uint32_t stack_count;
	size_t sample_room, stack_room;
};

static uint64_t period_of(struct random *random, uint64_t mean)
{
	return mean / 2 + random_below(random, mean + 1);
}

struct sampling {
	struct random random;
	struct mix_jump ring[32];
	uint64_t entries, next_sample, next_stack, next_branch;
	uint32_t waiting; /* for the oldest entry, at most so many branches; 0: not */
};

static void keep_sample(struct walk *walk, struct mix_observations *seen, uint32_t block)
{
	walk->samples = array_with_room(walk->samples, walk->sample_count + 1u, &walk->sample_room,
					sizeof(*walk->samples));
	walk->samples[walk->sample_count++] = block;
	CU_ASSERT_EQUAL(mix_add_sample(seen, block, walk->sample_period, seen->samples), 0);
}

static void keep_stack(struct walk *walk, struct sampling *sampling, struct mix_observations *seen)
{
	struct mix_jump *jumps;

	walk->stacks = array_with_room(walk->stacks, walk->stack_count + 1u, &walk->stack_room,
				       sizeof(*walk->stacks));
	jumps = walk->stacks[walk->stack_count++];
	for (uint32_t n = 0; n < walk->depth; n++)
		jumps[n] = sampling->ring[(sampling->entries - 1 - n) % walk->depth];
	if (walk->is_copied && walk->stack_count % 4 == 0)
		memmove(jumps + 1, jumps, (walk->depth - 1) * sizeof(*jumps));
	CU_ASSERT_EQUAL(mix_add_stack(seen, jumps, walk->depth, walk->stack_period, seen->stacks), 0);
}

static void pass_branch(struct walk *walk, struct sampling *sampling, struct mix_jump jump,
			struct mix_observations *seen)
{
	sampling->ring[sampling->entries++ % walk->depth] = jump;
	walk->taken++;
	if (walk->stack_period && walk->taken >= (double)sampling->next_stack) {
		sampling->next_stack += period_of(&sampling->random, walk->stack_period);
		sampling->waiting = 1 + (walk->is_biased && random_below(&sampling->random, 2) ? 200 : 0);
	}
	if (!sampling->waiting || sampling->entries < walk->depth)
		return;
	sampling->waiting--;
	if (!sampling->waiting || (sampling->ring[sampling->entries % walk->depth].from == 3)) {
		sampling->waiting = 0;
		keep_stack(walk, sampling, seen);
	}
}

static void pass_block(struct walk *walk, struct sampling *sampling, uint32_t block, uint32_t next,
		       struct mix_observations *seen)
{
	walk->counts[block]++;
	walk->instructions += shapes[block].instructions;
	while (walk->sample_period && walk->instructions >= (double)sampling->next_sample) {
		const int is_next = walk->is_shifted && random_below(&sampling->random, 2);

		keep_sample(walk, seen, is_next ? next : block);
		sampling->next_sample += period_of(&sampling->random, walk->sample_period);
	}
	if (walk->branch_period && shapes[block].ends != FLOW_FALLS &&
	    walk->instructions >= (double)sampling->next_branch) {
		CU_ASSERT_EQUAL(mix_add_branch(seen, (struct mix_jump){ block, next },
					       walk->branch_period, sampling->next_branch), 0);
		sampling->next_branch =
			(uint64_t)walk->instructions + period_of(&sampling->random, walk->branch_period);
	}
}

static void walk_through(struct walk *walk, uint64_t seed, struct mix_observations *seen)
{
	struct sampling sampling = { .random = random_of(seed) };
	uint32_t block = 0;

	sampling.next_sample = walk->sample_period ? period_of(&sampling.random, walk->sample_period) : 0;
	sampling.next_stack = walk->stack_period ? period_of(&sampling.random, walk->stack_period) : 0;
	for (uint64_t step = 0; step < walk->steps; step++) {
		const enum flow_end ends = shapes[block].ends;
		const int is_taken = ends == FLOW_CONDITIONAL
					     ? uniform(&sampling.random) < taken_share[block]
					     : ends != FLOW_FALLS;
		const uint32_t next = is_taken ? target_of(block) : shapes[block].next;

		pass_block(walk, &sampling, block, next, seen);
		if (is_taken)
			pass_branch(walk, &sampling, (struct mix_jump){ block, next }, seen);
		block = next;
	}
	seen->instructions = walk->instructions;
	seen->taken = walk->taken;
}

static void forget(struct walk *walk, struct flow *flow, struct mix_observations *seen,
		   struct mix_estimate *estimate)
{
	mix_estimate_free(estimate);
	mix_observations_free(seen);
	flow_free(flow);
	free(walk->samples);
	free(walk->stacks);
}

static struct mix_estimate *estimated(struct walk *walk, uint64_t seed, double skid, struct flow *flow,
				      struct mix_observations *seen)
{
	const struct mix_options options = { .cutoff = MIX_CUTOFF, .skid = skid };
	struct mix_estimate *estimate;

	make_flow(flow);
	walk_through(walk, seed, seen);
	estimate = mix_estimate_new(flow, seen, &options);
	CU_ASSERT_FATAL(estimate != NULL);
	return estimate;
}

/* The paper's sentences, block by block and stream by stream, with no table between */
static double naive_ebs(const struct walk *walk, uint32_t block)
{
	double sum = 0;

	for (uint32_t n = 0; n < walk->sample_count; n++)
		sum += walk->samples[n] == block ? (double)walk->sample_period : 0;
	return sum / shapes[block].instructions;
}

/* An address for each block's begin: a stream covers what lies between target and source */
static double naive_lbr(const struct walk *walk, uint32_t block)
{
	double sum = 0;

	for (uint32_t stack = 0; stack < walk->stack_count; stack++) {
		for (uint32_t n = 0; n + 1 < walk->depth; n++) {
			const uint32_t target = walk->stacks[stack][n + 1].to;
			const uint32_t source = walk->stacks[stack][n].from;

			if (target <= block && block <= source)
				sum += (double)walk->stack_period / (walk->depth - 1);
		}
	}
	return sum;
}

static void test_published(void)
{
	struct walk walk = { .steps = 100000, .sample_period = 997, .stack_period = 499, .depth = 16 };
	struct flow flow = { 0 };
	struct mix_observations seen = { 0 };
	struct mix_estimate *estimate = estimated(&walk, 1, 0, &flow, &seen);

	CU_ASSERT(walk.stack_count > 100 && walk.sample_count > 500);
	for (uint32_t block = 0; block < BLOCKS; block++) {
		const double ebs = naive_ebs(&walk, block), lbr = naive_lbr(&walk, block);
		const int is_long = shapes[block].instructions > 18;

		CU_ASSERT_DOUBLE_EQUAL(mix_counts(estimate, MIX_EBS)[block], ebs, 1e-9 * ebs);
		CU_ASSERT_DOUBLE_EQUAL(mix_counts(estimate, MIX_LBR)[block], lbr, 1e-9 * lbr);
		CU_ASSERT_EQUAL(llround(mix_counts(estimate, MIX_LBR)[block]), llround(lbr));
		CU_ASSERT_EQUAL(mix_source(estimate, block), is_long ? MIX_EBS : MIX_LBR);
		CU_ASSERT_EQUAL(mix_counts(estimate, MIX_RULE)[block],
				mix_counts(estimate, is_long ? MIX_EBS : MIX_LBR)[block]);
	}
	forget(&walk, &flow, &seen, estimate);
}

/* Of instructions by block: the mean error in percent, as in bench-mix */
static double block_error(const struct walk *walk, const double *counts)
{
	double off = 0;

	for (uint32_t block = 0; block < BLOCKS; block++)
		off += fabs(counts[block] - walk->counts[block]) * shapes[block].instructions;
	return 100 * off / walk->instructions;
}

static void mean_errors(const struct walk *how, double skid, double errors[MIX_METHODS])
{
	for (int method = 0; method < MIX_METHODS; method++)
		errors[method] = 0;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct walk walk = *how;
		struct flow flow = { 0 };
		struct mix_observations seen = { 0 };
		struct mix_estimate *estimate = estimated(&walk, seed, skid, &flow, &seen);

		for (int method = 0; method < MIX_METHODS; method++)
			errors[method] +=
				block_error(&walk, mix_counts(estimate, (enum mix_method)method)) / 10;
		forget(&walk, &flow, &seen, estimate);
	}
}

static void test_errors_ideal(void)
{
	const struct walk how = {
		.steps = 400000, .sample_period = 1009, .stack_period = 251, .depth = 16
	};
	double errors[MIX_METHODS];

	mean_errors(&how, 0, errors);
	CU_ASSERT(errors[MIX_EBS] < 5 && errors[MIX_LBR] < 3);
	CU_ASSERT(errors[MIX_JOINT] < errors[MIX_LBR]);
}

/* Windows that wait have LBR's levels wrong; shares, flow and samples put them right */
static void test_errors_biased(void)
{
	const struct walk how = { .steps = 400000, .sample_period = 1009, .stack_period = 251, .depth = 16,
				  .is_biased = 1 };
	double errors[MIX_METHODS];

	mean_errors(&how, 0, errors);
	CU_ASSERT(errors[MIX_LBR] > 4);
	CU_ASSERT(errors[MIX_JOINT] < 0.6 * errors[MIX_RULE]);
	CU_ASSERT(errors[MIX_JOINT] < 2);
}

/* Samples of the next block: their sums along a path are right, block by block they are not */
static void test_errors_shifted(void)
{
	const struct walk how = { .steps = 400000, .sample_period = 1009, .stack_period = 251, .depth = 16,
				  .is_biased = 1, .is_shifted = 1 };
	double errors[MIX_METHODS];

	mean_errors(&how, 20, errors);
	CU_ASSERT(errors[MIX_EBS] > 20);
	CU_ASSERT(errors[MIX_JOINT] < 4);
	CU_ASSERT(errors[MIX_JOINT] < 0.6 * errors[MIX_RULE]);
}

/* How many of the intervals of block counts and of a share hold the truth, over seeds */
static void test_intervals(void)
{
	uint32_t held[MIX_METHODS] = { 0 }, shares = 0, judged = 0, seeds = 60;
	double first[BLOCKS] = { [1] = 1, [2] = 1 }, lengths[BLOCKS];

	for (uint32_t block = 0; block < BLOCKS; block++)
		lengths[block] = shapes[block].instructions;
	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct walk walk = {
			.steps = 100000, .sample_period = 401, .stack_period = 251, .depth = 16
		};
		struct flow flow = { 0 };
		struct mix_observations seen = { 0 };
		struct mix_estimate *estimate = estimated(&walk, seed + 100, 0, &flow, &seen);
		struct mix_figure share = mix_share(estimate, MIX_JOINT, first, lengths);
		const double wanted = (walk.counts[1] + walk.counts[2]) / walk.instructions;

		shares += share.interval.low <= wanted && wanted <= share.interval.high;
		for (uint32_t block = 0; block < BLOCKS; block++, judged++) {
			double weights[BLOCKS] = { 0 };

			weights[block] = 1;
			for (int method = 0; method < MIX_METHODS; method++) {
				struct mix_figure figure =
					mix_sum(estimate, (enum mix_method)method, weights);

				CU_ASSERT_DOUBLE_EQUAL(
					figure.value, mix_counts(estimate, (enum mix_method)method)[block],
					1e-6 * figure.value + 1e-6);
				held[method] += figure.interval.low <= walk.counts[block] &&
						walk.counts[block] <= figure.interval.high;
			}
		}
		forget(&walk, &flow, &seen, estimate);
	}
	/* 95% of these; blocks of one program depend on each other, so 600 tell as much as some 150 */
	for (int method = 0; method < MIX_METHODS; method++)
		CU_ASSERT(held[method] >= 0.9 * judged);
	CU_ASSERT(shares >= 0.88 * seeds);
}

/* Of few samples, or stacks, blocks that none of them met: up to how often they may have run all the same */
static void test_unseen(void)
{
	uint32_t held = 0, judged = 0;
	double whole[BLOCKS];

	for (uint32_t block = 0; block < BLOCKS; block++)
		whole[block] = shapes[block].instructions;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		const int is_sampled = seed % 2;
		struct walk walk = { .steps = 3000,
				     .sample_period = is_sampled ? 2003 : 0,
				     .stack_period = is_sampled ? 0 : 499,
				     .depth = 4 };
		struct flow flow = { 0 };
		struct mix_observations seen = { 0 };
		struct mix_estimate *estimate = estimated(&walk, seed + 500, 0, &flow, &seen);
		const enum mix_method alone = is_sampled ? MIX_EBS : MIX_LBR;

		for (uint32_t block = 0; block < BLOCKS && mix_counts(estimate, MIX_JOINT);
		     block++) {
			const struct mix_evidence evidence = mix_evidence_of(estimate, block);
			double one[BLOCKS] = { 0 };
			struct mix_figure sum, share;

			one[block] = 1;
			CU_ASSERT_EQUAL(mix_is_seen(estimate, one),
					evidence.samples + evidence.streams > 0);
			sum = mix_sum(estimate, MIX_JOINT, one);
			share = mix_share(estimate, MIX_JOINT, one, whole);
			CU_ASSERT(sum.interval.low <= sum.value && sum.value < sum.interval.high);
			CU_ASSERT(share.interval.low <= share.value &&
				  share.value < share.interval.high);
			if (mix_is_seen(estimate, one))
				continue;
			CU_ASSERT_EQUAL(mix_sum(estimate, alone, one).value, 0);
			CU_ASSERT(isnan(mix_sum(estimate, alone, one).interval.low));
			judged++;
			held += sum.interval.low <= walk.counts[block] &&
				walk.counts[block] <= sum.interval.high;
		}
		forget(&walk, &flow, &seen, estimate);
	}
	CU_ASSERT(judged > 100);
	CU_ASSERT(held >= 0.93 * judged);
	printf("# %u of %u hold\n", held, judged);
}

/*
 * Intervals are no wider than it takes: of n samples by chance two times 2.04 (Student's t of 31 degrees of
 * freedom) by the root of n, and half that with four times the samples
 */
static void test_interval_widths(void)
{
	double width[2] = { 0 }, in_errors = 0;

	for (int more = 0; more < 2; more++) {
		for (uint64_t seed = 1; seed <= 20; seed++) {
			struct walk walk = { .steps = more ? 400000 : 100000, .sample_period = 401,
					     .stack_period = 251, .depth = 16 };
			struct flow flow = { 0 };
			struct mix_observations seen = { 0 };
			struct mix_estimate *estimate = estimated(&walk, seed, 0, &flow, &seen);
			const double weights[BLOCKS] = { [4] = 1 };
			const struct mix_figure figure = mix_sum(estimate, MIX_EBS, weights);

			const double wide =
				(figure.interval.high - figure.interval.low) / figure.value / 20;
			const double samples = figure.value * shapes[4].instructions / 401;

			in_errors += wide * sqrt(samples) / 2;
			width[more] += wide;
			forget(&walk, &flow, &seen, estimate);
		}
	}
	CU_ASSERT_DOUBLE_EQUAL(width[0] / width[1], 2, 0.4);
	CU_ASSERT_DOUBLE_EQUAL(in_errors, 2 * 2.04, 0.6);
}

static void test_bias(void)
{
	for (int is_biased = 0; is_biased < 2; is_biased++) {
		uint32_t flagged = 0;

		for (uint64_t seed = 1; seed <= 20; seed++) {
			struct walk walk = { .steps = 200000, .stack_period = 127, .depth = 16,
					     .is_biased = is_biased };
			struct flow flow = { 0 };
			struct mix_observations seen = { 0 };
			struct mix_estimate *estimate = estimated(&walk, seed, 0, &flow, &seen);

			flagged += mix_bias_of(&seen).is_flagged;
			CU_ASSERT_EQUAL(mix_branch_is_biased(&seen, 3), is_biased);
			CU_ASSERT_FALSE(mix_branch_is_biased(&seen, BLOCKS + 1000));
			CU_ASSERT_EQUAL(mix_why(estimate, MIX_EBS), MIX_NO_SAMPLES);
			CU_ASSERT_PTR_NULL(mix_counts(estimate, MIX_RULE));
			CU_ASSERT(isnan(mix_sum(estimate, MIX_EBS, taken_share).value));
			CU_ASSERT_PTR_NOT_NULL(mix_counts(estimate, MIX_JOINT));
			forget(&walk, &flow, &seen, estimate);
		}
		CU_ASSERT(is_biased ? flagged == 20 : flagged <= 1);
	}
}

static void test_copied_newest(void)
{
	for (int is_copied = 0; is_copied < 2; is_copied++) {
		struct walk walk = { .steps = 200000, .sample_period = 401, .stack_period = 127, .depth = 16,
				     .is_copied = is_copied };
		struct flow flow = { 0 };
		struct mix_observations seen = { 0 };
		struct mix_estimate *estimate = estimated(&walk, 5, 0, &flow, &seen);

		CU_ASSERT_EQUAL(mix_newest_is_copied(&seen), is_copied);
		/* Of a copy of what is no loop of one block no code runs along the stream */
		CU_ASSERT_EQUAL(mix_impossible(estimate) > 0, is_copied);
		CU_ASSERT(block_error(&walk, mix_counts(estimate, MIX_JOINT)) < 2.5);
		forget(&walk, &flow, &seen, estimate);
	}
}

#define COPIES 2100u

/* The program so often that it is estimated in parts; each goes on in the next one where it began anew */
static void make_copies(struct flow *flow)
{
	for (uint32_t n = 0; n < COPIES * BLOCKS; n++) {
		struct flow_block block = shapes[n % BLOCKS];

		block.next = block.next == FLOW_NONE ? FLOW_NONE : n - n % BLOCKS + block.next;
		flow_add_block(flow, &block);
	}
}

static void spread(const struct walk *walk, struct mix_observations *seen)
{
	for (uint32_t n = 0; n < walk->sample_count; n++)
		mix_add_sample(seen, n * 7 % COPIES * BLOCKS + walk->samples[n], walk->sample_period, n);
	for (uint32_t n = 0; n < walk->stack_count; n++) {
		struct mix_jump jumps[32];
		uint32_t copy = n * 11 % COPIES;

		for (uint32_t entry = walk->depth; entry-- > 0;) {
			jumps[entry].from = copy * BLOCKS + walk->stacks[n][entry].from;
			if (walk->stacks[n][entry].from == 6)
				copy = (copy + 1) % COPIES;
			jumps[entry].to = copy * BLOCKS + walk->stacks[n][entry].to;
		}
		mix_add_stack(seen, jumps, walk->depth, walk->stack_period, n);
	}
	seen->instructions = walk->instructions;
	seen->taken = walk->taken;
}

static void check_parts(struct flow *flow, const struct mix_observations *seen)
{
	struct gathered gathered;
	uint32_t *parts, *sizes = calloc(COPIES * BLOCKS, sizeof(*sizes)), count = 0;

	CU_ASSERT_EQUAL_FATAL(gather(&gathered, flow, seen), 0);
	parts = parts_of(&gathered, 1, 100);
	CU_ASSERT_FATAL(parts && sizes);
	for (uint32_t n = 0; n < COPIES * BLOCKS; n++) {
		count += parts[n] == n;
		CU_ASSERT(++sizes[parts[n]] <= 100);
		/* A loop is not cut: its edges were taken most often */
		if (n % BLOCKS == 3)
			CU_ASSERT_EQUAL(parts[n], parts[n - 2]);
	}
	CU_ASSERT(count >= COPIES * BLOCKS / 100 && count < COPIES * BLOCKS / 20);
	free(parts);
	free(sizes);
	parts = parts_of(&gathered, COPIES * BLOCKS + 1, 100);
	for (uint32_t n = 0; n < COPIES * BLOCKS; n++)
		CU_ASSERT_EQUAL(parts[n], 0);
	free(parts);
	gathered_free(&gathered);
}

static void test_parts(void)
{
	struct walk walk = { .steps = 2000000, .sample_period = 24, .stack_period = 12, .depth = 16 };
	const struct mix_options options = { .cutoff = MIX_CUTOFF };
	struct flow flow = { 0 };
	struct mix_observations first = { 0 }, seen = { 0 };
	struct mix_estimate *estimate;
	double counts[BLOCKS] = { 0 };

	walk_through(&walk, 3, &first);
	make_copies(&flow);
	spread(&walk, &seen);
	check_parts(&flow, &seen);
	CU_ASSERT(COPIES * BLOCKS > PARTS_FROM);
	estimate = mix_estimate_new(&flow, &seen, &options);
	CU_ASSERT_FATAL(estimate != NULL);
	for (uint32_t n = 0; n < COPIES * BLOCKS; n++)
		counts[n % BLOCKS] += mix_counts(estimate, MIX_JOINT)[n];
	/* Of each copy little was seen */
	CU_ASSERT(block_error(&walk, counts) < 2.5);
	mix_observations_free(&first);
	forget(&walk, &flow, &seen, estimate);
}

/* IBS: samples have levels, those that are branches tell shares; there are no stacks */
static void test_single_branches(void)
{
	double with = 0, without = 0;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct walk walk = {
			.steps = 400000, .sample_period = 1009, .branch_period = 97, .depth = 16
		};
		struct walk alone = { .steps = 400000, .sample_period = 1009, .depth = 16 };
		struct flow flow = { 0 }, other = { 0 };
		struct mix_observations seen = { 0 }, seen_alone = { 0 };
		struct mix_estimate *estimate = estimated(&walk, seed, 0, &flow, &seen), *estimate_alone;

		/* which branches told of, and who has none cannot know */
		CU_ASSERT_EQUAL(flow_add_edge(&other, 9, 5), 0);
		estimate_alone = estimated(&alone, seed, 0, &other, &seen_alone);
		CU_ASSERT_EQUAL(mix_why(estimate, MIX_LBR), MIX_NO_STACKS);
		with += block_error(&walk, mix_counts(estimate, MIX_JOINT));
		without += block_error(&alone, mix_counts(estimate_alone, MIX_JOINT));
		forget(&walk, &flow, &seen, estimate);
		forget(&alone, &other, &seen_alone, estimate_alone);
	}
	CU_ASSERT(with < 0.9 * without);
}

/* Nothing, streams that nothing runs along, blocks that are not there: no number comes of them */
static void test_nothing(void)
{
	const struct mix_options options = { .cutoff = MIX_CUTOFF };
	const struct mix_jump jumps[] = { { 3, 1 }, { 9, 5 }, { FLOW_NONE, 2 }, { 4000000, 4000001 } };
	struct mix_jump many[MIX_STACK_MOST + 1] = { { 0 } };
	struct flow flow = { 0 };
	struct mix_observations seen = { 0 };
	struct mix_estimate *estimate;

	make_flow(&flow);
	CU_ASSERT_EQUAL(mix_add_stack(&seen, jumps, 1, 1, 1), 0);
	CU_ASSERT_EQUAL(mix_add_stack(&seen, many, MIX_STACK_MOST + 1, 1, 1), 0);
	CU_ASSERT_EQUAL(seen.too_long, 1);
	CU_ASSERT_EQUAL(mix_add_sample(&seen, FLOW_NONE, 1000, 1), 0);
	CU_ASSERT_EQUAL(mix_add_sample(&seen, 4000000, 1000, 1), 0);
	CU_ASSERT_EQUAL(mix_add_branch(&seen, (struct mix_jump){ 4000000, 1 }, 1, 1), 0);
	CU_ASSERT_EQUAL(mix_add_stack(&seen, jumps, 4, 1, 1), 0);
	estimate = mix_estimate_new(&flow, &seen, &options);
	CU_ASSERT_FATAL(estimate != NULL);
	CU_ASSERT_EQUAL(mix_why(estimate, MIX_EBS), MIX_NO_SAMPLES);
	CU_ASSERT_EQUAL(mix_why(estimate, MIX_LBR), MIX_NO_STACKS);
	CU_ASSERT_EQUAL(mix_why(estimate, MIX_JOINT), MIX_NO_LEVEL);
	CU_ASSERT_PTR_NULL(mix_counts(estimate, MIX_JOINT));
	CU_ASSERT_EQUAL(mix_impossible(estimate), 2);
	CU_ASSERT(strlen(mix_why_text(MIX_NO_LEVEL)) > 10);
	mix_estimate_free(estimate);
	mix_observations_free(&seen);
	flow_free(&flow);
}

/*
 * Blocks that all came to from elsewhere, and went: flow says nothing of them, and least of all that they
 * never ran. So it is with code that is not known.
 */
static void test_elsewhere(void)
{
	const struct mix_options options = { .cutoff = MIX_CUTOFF };
	const struct flow_block alone = { 4, 0, FLOW_STOPS,
					  FLOW_ENTERED_ELSEWHERE | FLOW_LEFT_ELSEWHERE, FLOW_NONE };
	struct flow flow = { 0 };
	struct mix_observations seen = { 0 };
	struct mix_estimate *estimate;

	for (uint32_t n = 0; n < 3; n++)
		CU_ASSERT_EQUAL(flow_add_block(&flow, &alone), n);
	for (uint32_t n = 0; n < 6; n++)
		CU_ASSERT_EQUAL(mix_add_sample(&seen, n % 3, 1000, n), 0);
	estimate = mix_estimate_new(&flow, &seen, &options);
	CU_ASSERT_FATAL(estimate != NULL);
	for (uint32_t n = 0; n < 3; n++)
		CU_ASSERT_DOUBLE_EQUAL(mix_counts(estimate, MIX_JOINT)[n], 500, 10);
	mix_estimate_free(estimate);
	mix_observations_free(&seen);
	flow_free(&flow);
}

/* Blocks that fall into each other all round do not keep a stream busy for ever */
static void test_round(void)
{
	const struct flow_block round[] = { { 1, 0, FLOW_FALLS, 0, 1 }, { 1, 0, FLOW_FALLS, 0, 0 },
					    { 1, 0, FLOW_JUMPS, 0, FLOW_NONE } };
	struct flow flow = { 0 };

	for (size_t n = 0; n < 3; n++)
		CU_ASSERT_EQUAL(flow_add_block(&flow, &round[n]), n);
	CU_ASSERT_EQUAL(flow_stream(&flow, 0, 1), 2);
	CU_ASSERT_EQUAL(flow_stream(&flow, 0, 2), 0);
	CU_ASSERT_EQUAL(flow_find_edge(&flow, 2, 0), FLOW_NONE);
	CU_ASSERT_EQUAL(flow_add_edge(&flow, 2, 0), 0);
	CU_ASSERT_EQUAL(flow_add_edge(&flow, 2, 0), 0);
	CU_ASSERT_EQUAL(flow_find_edge(&flow, 2, 0), 0);
	flow_free(&flow);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "EBS, LBR and the rule are those of the paper", test_published },
		{ "errors without bias", test_errors_ideal },
		{ "errors of biased windows", test_errors_biased },
		{ "errors of shifted samples", test_errors_shifted },
		{ "intervals hold", test_intervals },
		{ "what was not seen has an interval", test_unseen },
		{ "intervals are half as wide with four times the samples", test_interval_widths },
		{ "bias is flagged", test_bias },
		{ "copies of the newest entry", test_copied_newest },
		{ "large programs in parts", test_parts },
		{ "single branches", test_single_branches },
		{ "nothing known", test_nothing },
		{ "code that is entered and left elsewhere", test_elsewhere },
		{ "code that goes round", test_round },
	};

	return tap_main("mix", cases, sizeof(cases) / sizeof(cases[0]));
}
