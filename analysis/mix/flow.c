/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks and edges, and finding an edge by its ends. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64u

static void *grown(void *array, uint32_t *room, uint32_t count, size_t size)
{
	const uint32_t wanted = *room ? 2 * *room : ROOM_FIRST;
	void *more = array;

	if (count == *room) {
		more = wanted > *room ? realloc(array, wanted * size) : NULL;
		if (more)
			*room = wanted;
	}
	return more;
}

uint32_t flow_add_block(struct flow *flow, const struct flow_block *block)
{
	struct flow_block *blocks =
		grown(flow->blocks, &flow->block_room, flow->block_count, sizeof(*blocks));

	if (!blocks)
		return FLOW_NONE;
	flow->blocks = blocks;
	blocks[flow->block_count] = *block;
	return flow->block_count++;
}

static uint32_t slot_of(const struct flow *flow, uint32_t from, uint32_t to)
{
	const uint64_t both = (uint64_t)from << 32 | to;
	uint32_t slot = (uint32_t)(both * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (;; slot++) {
		const uint32_t edge = flow->index[slot & (flow->index_room - 1)];

		if (edge == FLOW_NONE || (flow->edges[edge].from == from && flow->edges[edge].to == to))
			return slot & (flow->index_room - 1);
	}
}

/* At most half full */
static int make_room(struct flow *flow)
{
	const uint32_t room = flow->index_room ? 2 * flow->index_room : 4 * ROOM_FIRST;
	uint32_t *index;

	if (flow->edge_count < flow->index_room / 2)
		return 0;
	index = room > flow->index_room ? malloc(room * sizeof(*index)) : NULL;
	if (!index)
		return -1;
	memset(index, 0xff, room * sizeof(*index));
	free(flow->index);
	flow->index = index;
	flow->index_room = room;
	for (uint32_t edge = 0; edge < flow->edge_count; edge++)
		index[slot_of(flow, flow->edges[edge].from, flow->edges[edge].to)] = edge;
	return 0;
}

uint32_t flow_find_edge(const struct flow *flow, uint32_t from, uint32_t to)
{
	return flow->index_room ? flow->index[slot_of(flow, from, to)] : FLOW_NONE;
}

uint32_t flow_add_edge(struct flow *flow, uint32_t from, uint32_t to)
{
	struct flow_edge *edges;
	uint32_t slot;

	if (make_room(flow) < 0)
		return FLOW_NONE;
	slot = slot_of(flow, from, to);
	if (flow->index[slot] != FLOW_NONE)
		return flow->index[slot];
	edges = grown(flow->edges, &flow->edge_room, flow->edge_count, sizeof(*edges));
	if (!edges)
		return FLOW_NONE;
	flow->edges = edges;
	edges[flow->edge_count] = (struct flow_edge){ from, to };
	flow->index[slot] = flow->edge_count;
	return flow->edge_count++;
}

uint32_t flow_stream(const struct flow *flow, uint32_t first, uint32_t last)
{
	uint32_t count = 1;

	while (first != last) {
		/* More than there are: 'next' of a caller's goes round */
		if (count > flow->block_count || !flow_falls(&flow->blocks[first]))
			return 0;
		first = flow->blocks[first].next;
		count++;
	}
	return count;
}

void flow_free(struct flow *flow)
{
	free(flow->blocks);
	free(flow->edges);
	free(flow->index);
	memset(flow, 0, sizeof(*flow));
}
