/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code as a graph: blocks, which are straight code that one enters at its first instruction alone and
 * leaves behind its last, and the edges along which one gets from block to block. It knows no
 * instruction and no address: who builds it does.
 */
#ifndef ANALYSIS_MIX_FLOW_H
#define ANALYSIS_MIX_FLOW_H

#include <stddef.h>
#include <stdint.h>

#define FLOW_NONE UINT32_MAX

/* How a block ends. The branch, if there is one, is its last instruction. */
enum flow_end {
	FLOW_FALLS,       /* no branch: the next block begins because somebody jumps there */
	FLOW_CONDITIONAL, /* taken or not */
	FLOW_JUMPS,
	FLOW_CALLS,
	FLOW_RETURNS,
	FLOW_STOPS /* hlt, ud2, or nothing is known of what comes */
};

/* Flags of a block */
#define FLOW_ENTERED_ELSEWHERE (1u << 0) /* from places that no edge has: callbacks, signals, a start */
#define FLOW_LEFT_ELSEWHERE (1u << 1)    /* to places that no edge has */

struct flow_block {
	double instructions; /* above 0 */
	double ops;          /* of the CPU; that of which IBS samples one. 0: as many as instructions */
	enum flow_end ends;
	uint32_t flags;
	uint32_t next; /* the block behind it in memory: where it falls, or a call comes back; or FLOW_NONE */
};

/* A taken branch that is known. Falling into the next block needs none. */
struct flow_edge {
	uint32_t from, to;
};

struct flow {
	struct flow_block *blocks;
	struct flow_edge *edges;
	uint32_t block_count, edge_count;
	uint32_t block_room, edge_room;
	uint32_t *index; /* of edges, by a hash of both ends */
	uint32_t index_room; /* a power of two, or 0 */
};

/* Zeroed memory is an empty graph. */

/** @return the new block's number, from 0; FLOW_NONE: memory is short */
uint32_t flow_add_block(struct flow *flow, const struct flow_block *block);

/** A taken branch; once more is no other. @return its number; FLOW_NONE: memory is short */
uint32_t flow_add_edge(struct flow *flow, uint32_t from, uint32_t to);

/** @return FLOW_NONE: there is none */
uint32_t flow_find_edge(const struct flow *flow, uint32_t from, uint32_t to);

/** Does code run from that block into the next one without a taken branch? */
static inline int flow_falls(const struct flow_block *block)
{
	return (block->ends == FLOW_FALLS || block->ends == FLOW_CONDITIONAL) && block->next != FLOW_NONE;
}

/**
 * The blocks of a stream, which runs from one block to another one without a taken branch.
 * @return how many, or 0: nothing runs from the one into the other so
 */
uint32_t flow_stream(const struct flow *flow, uint32_t first, uint32_t last);

void flow_free(struct flow *flow);

#endif
