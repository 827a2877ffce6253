/* SPDX-License-Identifier: BSD-3-Clause */
/* From tallies of streams to figures of the blocks and edges along which these run. */
#include "gathered.h"

#include <stdlib.h>
#include <string.h>

static int is_made(struct by_group *of, size_t n)
{
	of->count = calloc(n + 1, sizeof(*of->count));
	of->sum = calloc(n + 1, sizeof(*of->sum));
	of->groups = calloc((n + 1) * MIX_GROUPS, sizeof(*of->groups));
	return of->count && of->sum && of->groups;
}

static int are_made(struct outcomes *outcomes, size_t blocks, size_t edges)
{
	return is_made(&outcomes->all, blocks) && is_made(&outcomes->of, edges);
}

static void add_to(struct by_group *of, uint32_t n, uint32_t group, double count, double sum)
{
	of->count[n] += count;
	of->sum[n] += sum;
	of->groups[(size_t)n * MIX_GROUPS + group] += (float)sum;
}

/* 'edge' FLOW_NONE: block 'from' was left, nobody knows where to */
static void add_outcome(struct outcomes *outcomes, uint32_t from, uint32_t edge,
			const struct mix_tally *tally)
{
	const double weight = (double)tally->weight;

	add_to(&outcomes->all, from, tally->group, tally->count, weight);
	if (edge != FLOW_NONE)
		add_to(&outcomes->of, edge, tally->group, tally->count, weight);
}

static int is_falling(const struct flow *flow, const struct mix_tally *tally, uint32_t from)
{
	return tally->kind == MIX_BRANCH && flow->blocks[from].ends == FLOW_CONDITIONAL &&
	       flow->blocks[from].next == tally->to;
}

/* Taken branches that nobody has told the graph of: those of pointers, of which samples alone know */
static int learn_edges(struct flow *flow, const struct mix_observations *observations)
{
	for (size_t n = 0; n < observations->tallies.count; n++) {
		const struct mix_tally *tally = &observations->tallies.tally[n];
		const uint32_t from = tally->kind == MIX_STREAM ? tally->last : tally->first;

		if (tally->kind == MIX_SAMPLE || tally->to == FLOW_NONE ||
		    from >= flow->block_count || tally->to >= flow->block_count ||
		    is_falling(flow, tally, from))
			continue;
		/* What runs into the next block has no branch: that is no edge, but damage */
		if (flow->blocks[from].ends != FLOW_FALLS &&
		    flow_add_edge(flow, from, tally->to) == FLOW_NONE)
			return -1;
	}
	return 0;
}

static uint32_t taken_edge(const struct gathered *gathered, uint32_t from, uint32_t to)
{
	const uint32_t edge = to == FLOW_NONE ? FLOW_NONE : flow_find_edge(gathered->flow, from, to);

	return edge == FLOW_NONE ? FLOW_NONE : gathered->blocks + edge;
}

static void gather_stream(struct gathered *gathered, const struct mix_tally *tally)
{
	const int is_left_out = tally->newest && gathered->is_newest_left_out;
	uint32_t block = tally->first;

	if (tally->last >= gathered->blocks || tally->first >= gathered->blocks ||
	    !flow_stream(gathered->flow, tally->first, tally->last)) {
		gathered->impossible += tally->count;
		return;
	}
	for (;; block = gathered->flow->blocks[block].next) {
		add_to(&gathered->published, block, tally->group, tally->count, tally->published);
		if (!is_left_out)
			add_to(&gathered->streams, block, tally->group, tally->count,
			       (double)tally->weight);
		if (block == tally->last)
			break;
		if (!is_left_out)
			add_outcome(&gathered->stacks, block, block, tally);
	}
	if (!is_left_out)
		add_outcome(&gathered->stacks, block, taken_edge(gathered, block, tally->to), tally);
}

static void gather_one(struct gathered *gathered, const struct mix_tally *tally)
{
	const uint32_t first = tally->first;

	if (tally->kind == MIX_STREAM)
		gather_stream(gathered, tally);
	else if (first >= gathered->blocks)
		return;
	else if (tally->kind == MIX_SAMPLE)
		add_to(&gathered->samples, first, tally->group, tally->count, (double)tally->weight);
	else if (is_falling(gathered->flow, tally, first))
		add_outcome(&gathered->branches, first, first, tally);
	else
		add_outcome(&gathered->branches, first, taken_edge(gathered, first, tally->to), tally);
}

int gather(struct gathered *gathered, struct flow *flow, const struct mix_observations *observations)
{
	const size_t blocks = flow->block_count;

	memset(gathered, 0, sizeof(*gathered));
	if (learn_edges(flow, observations) < 0)
		return -1;
	gathered->flow = flow;
	gathered->from = observations;
	gathered->blocks = flow->block_count;
	gathered->edges = flow->block_count + flow->edge_count;
	gathered->is_newest_left_out = mix_newest_is_copied(observations);
	if (!is_made(&gathered->samples, blocks) || !is_made(&gathered->streams, blocks) ||
	    !is_made(&gathered->published, blocks) ||
	    !are_made(&gathered->stacks, blocks, gathered->edges) ||
	    !are_made(&gathered->branches, blocks, gathered->edges))
		return -1;
	for (uint32_t group = 0; group < MIX_GROUPS; group++) {
		gathered->sample_total += (double)observations->sample_weight[group];
		gathered->stack_total += (double)observations->stack_weight[group];
	}
	gathered->stream_weight = observations->stream_weight -
				  (gathered->is_newest_left_out ? gathered->stack_total : 0);
	for (size_t n = 0; n < observations->tallies.count; n++)
		gather_one(gathered, &observations->tallies.tally[n]);
	return 0;
}

static void free_by_group(struct by_group *of)
{
	free(of->count);
	free(of->sum);
	free(of->groups);
}

static void free_outcomes(struct outcomes *outcomes)
{
	free_by_group(&outcomes->of);
	free_by_group(&outcomes->all);
}

void gathered_free(struct gathered *gathered)
{
	free_by_group(&gathered->samples);
	free_by_group(&gathered->streams);
	free_by_group(&gathered->published);
	free_outcomes(&gathered->stacks);
	free_outcomes(&gathered->branches);
	memset(gathered, 0, sizeof(*gathered));
}
