/* SPDX-License-Identifier: BSD-3-Clause */
/* Observations by block and by edge, in all and by group: what estimates are made of. */
#ifndef ANALYSIS_MIX_GATHERED_H
#define ANALYSIS_MIX_GATHERED_H

#include "observations.h"

/* One figure of each block or edge. The sums of groups are the whole. */
struct by_group {
	double *count; /* how many were seen */
	double *sum;
	float *groups; /* MIX_GROUPS of each */
};

/* How blocks are left, by edge: that by which block b falls has number b, taken branch e blocks + e. */
struct outcomes {
	struct by_group of;
	struct by_group all; /* by block, those that no edge has with them */
};

struct gathered {
	const struct flow *flow;
	const struct mix_observations *from;
	uint32_t blocks, edges; /* 'edges': blocks + taken branches */
	int is_newest_left_out;
	struct by_group samples;   /* by block: sum of periods */
	struct by_group streams;   /* by block: sum of periods, without those left out */
	struct by_group published; /* by block: of all streams, period / (streams of the stack) */
	struct outcomes stacks, branches; /* of branch stacks, of single branches */
	double stream_weight;      /* sum of period x streams, without those left out */
	double sample_total, stack_total;
	uint64_t impossible; /* streams that no code runs along */
};

/** Branches that the graph has not are added to it. @return 0, or -1: memory is short */
int gather(struct gathered *gathered, struct flow *flow, const struct mix_observations *observations);

void gathered_free(struct gathered *gathered);

/* What remains without a group, as much as with it: by how much it is to be multiplied */
static inline double group_rest(double total, double of_group)
{
	return total > of_group ? total / (total - of_group) : 1;
}

#endif
