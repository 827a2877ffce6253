/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that grow along edges, those that were taken most often first, up to a number of blocks. */
#include "parts.h"

#include <stdlib.h>

struct bridge {
	double weight;
	uint32_t from, to, number;
};

static int by_weight(const void *a, const void *b)
{
	const struct bridge *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

/* The head of a part; paths to it are halved on the way */
static uint32_t head_of(uint32_t *parts, uint32_t block)
{
	while (parts[block] != block) {
		parts[block] = parts[parts[block]];
		block = parts[block];
	}
	return block;
}

static void join(uint32_t *parts, uint32_t *sizes, const struct bridge *bridge, uint32_t most)
{
	const uint32_t from = head_of(parts, bridge->from), to = head_of(parts, bridge->to);

	if (from == to || sizes[from] + sizes[to] > most)
		return;
	parts[to] = from;
	sizes[from] += sizes[to];
}

static double seen_of(const struct gathered *gathered, uint32_t edge)
{
	return gathered->stacks.of.sum[edge] + gathered->branches.of.sum[edge];
}

/* Taken branches, and from each block to the next one: falling, or coming back from a call */
static uint32_t list_bridges(const struct gathered *gathered, struct bridge *bridges)
{
	const struct flow *flow = gathered->flow;
	uint32_t count = 0;

	for (uint32_t block = 0; block < gathered->blocks; block++) {
		const double weight = flow->blocks[block].ends == FLOW_CALLS
					      ? gathered->stacks.all.sum[block]
					      : seen_of(gathered, block);

		if (flow->blocks[block].next != FLOW_NONE)
			bridges[count++] = (struct bridge){ weight, block, flow->blocks[block].next, block };
	}
	for (uint32_t edge = 0; edge < flow->edge_count; edge++)
		bridges[count++] = (struct bridge){ seen_of(gathered, gathered->blocks + edge),
						    flow->edges[edge].from, flow->edges[edge].to,
						    gathered->blocks + edge };
	return count;
}

uint32_t *parts_of(const struct gathered *gathered, uint32_t from, uint32_t most)
{
	const uint32_t blocks = gathered->blocks;
	uint32_t *parts = calloc((size_t)blocks + 1, sizeof(*parts));
	uint32_t *sizes = malloc(((size_t)blocks + 1) * sizeof(*sizes));
	struct bridge *bridges = malloc(((size_t)gathered->edges + 1) * sizeof(*bridges));
	uint32_t count = 0;

	if (parts && sizes && bridges && blocks >= from) {
		for (uint32_t block = 0; block < blocks; block++) {
			parts[block] = block;
			sizes[block] = 1;
		}
		count = list_bridges(gathered, bridges);
		qsort(bridges, count, sizeof(*bridges), by_weight);
		for (uint32_t n = 0; n < count; n++)
			join(parts, sizes, &bridges[n], most);
		for (uint32_t block = 0; block < blocks; block++)
			parts[block] = head_of(parts, block);
	} else if (!sizes || !bridges) {
		free(parts);
		parts = NULL;
	}
	free(sizes);
	free(bridges);
	return parts;
}
