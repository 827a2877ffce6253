// SPDX-License-Identifier: BSD-3-Clause
/*
 * What counting and solving cost: a million stacks of 32 and a million samples of a random walk through
 * made-up code. Prints seconds of CPU time and the most memory that was used.
 *
 *	mix_cost [BLOCKS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "analysis/mix/mix.h"
#include "statistics/random.h"

#define STACKS 1000000u
#define DEPTH 32u
#define TOGETHER 2000u /* stacks between two looks at the clock */

/*
 * Functions of 25 blocks: half of these end in a conditional branch some blocks back or ahead, the last one
 * jumps into one of a few other functions.
 */
static void make_flow(struct flow *flow, uint32_t blocks, struct random *random)
{
	for (uint32_t n = 0; n < blocks; n++) {
		const int is_last = n % 25 == 24 || n == blocks - 1;
		const struct flow_block block = {
			.instructions = 1 + (double)random_below(random, 12),
			.ends = is_last			? FLOW_JUMPS
				: random_below(random, 2) ? FLOW_CONDITIONAL
							  : FLOW_FALLS,
			.next = is_last ? FLOW_NONE : n + 1,
		};

		flow_add_block(flow, &block);
		if (block.ends == FLOW_CONDITIONAL)
			flow_add_edge(flow, n, (n / 25 * 25 + (uint32_t)random_below(random, 25)) % blocks);
		for (uint32_t target = 0; is_last && target < 4; target++)
			flow_add_edge(flow, n, (uint32_t)random_below(random, blocks) / 25 * 25);
	}
}

/* Where the walk goes from a block: edges of one block stand behind each other */
static uint32_t step(const struct flow *flow, const uint32_t *first, uint32_t block, struct random *random,
		     int *is_taken)
{
	const uint32_t edges = first[block + 1] - first[block];

	*is_taken = edges && (flow->blocks[block].ends == FLOW_JUMPS || random_below(random, 3) == 0);
	if (!*is_taken)
		return flow->blocks[block].next;
	return flow->edges[first[block] + random_below(random, edges)].to;
}

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint32_t *first_edges(const struct flow *flow)
{
	uint32_t *first = calloc(flow->block_count + 2, sizeof(*first));

	if (!first)
		abort();
	for (uint32_t edge = 0; edge < flow->edge_count; edge++)
		first[flow->edges[edge].from + 1]++;
	for (uint32_t block = 0; block < flow->block_count; block++)
		first[block + 1] += first[block];
	return first;
}

static void walk(const struct flow *flow, const uint32_t *first, struct random *random, uint32_t *block,
		 struct mix_jump jumps[DEPTH])
{
	for (uint32_t filled = 0; filled < DEPTH;) {
		int is_taken;
		const uint32_t next = step(flow, first, *block, random, &is_taken);

		if (is_taken)
			jumps[DEPTH - 1 - filled++] = (struct mix_jump){ *block, next };
		*block = next;
	}
}

/* Time of the walk is not counted. */
static double count_all(const struct flow *flow, struct mix_observations *seen, struct random *random)
{
	static struct mix_jump jumps[TOGETHER][DEPTH];
	uint32_t *first = first_edges(flow), block = 0;
	double spent = 0;

	for (uint32_t stack = 0; stack < STACKS; stack += TOGETHER) {
		double begun;

		for (uint32_t n = 0; n < TOGETHER; n++)
			walk(flow, first, random, &block, jumps[n]);
		begun = seconds();
		for (uint32_t n = 0; n < TOGETHER; n++) {
			if (mix_add_stack(seen, jumps[n], DEPTH, 1000, stack + n) < 0 ||
			    mix_add_sample(seen, jumps[n][0].from, 10000, stack + n) < 0)
				abort();
		}
		spent += seconds() - begun;
	}
	free(first);
	return spent;
}

int main(int count, char **texts)
{
	const uint32_t blocks = count > 1 ? (uint32_t)strtoul(texts[1], NULL, 10) : 12500;
	const struct mix_options options = { .cutoff = MIX_CUTOFF, .skid = MIX_SKID };
	struct flow flow = { 0 };
	struct mix_observations seen = { 0 };
	struct mix_estimate *estimate;
	struct random random = random_of(1);
	struct rusage usage;
	double counted, begun;

	make_flow(&flow, blocks, &random);
	if (mix_observations_defer(&seen) < 0)
		return 1;
	counted = count_all(&flow, &seen, &random);
	begun = seconds();
	if (mix_observations_settle(&seen) < 0)
		return 1;
	counted += seconds() - begun;
	begun = seconds();
	estimate = mix_estimate_new(&flow, &seen, &options);
	if (!estimate)
		return 1;
	getrusage(RUSAGE_SELF, &usage);
	printf("%u blocks, %u branches, %zu tallies: counted in %.2f s, estimated in %.2f s, %ld MiB\n",
	       flow.block_count, flow.edge_count, seen.tallies.count, counted, seconds() - begun,
	       usage.ru_maxrss / 1024);
	mix_estimate_free(estimate);
	mix_observations_free(&seen);
	flow_free(&flow);
	return 0;
}
