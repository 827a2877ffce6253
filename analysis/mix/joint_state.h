/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is of a joint estimate (joint.h), for its equations (equations.h) and for who solves them. */
#ifndef ANALYSIS_MIX_JOINT_STATE_H
#define ANALYSIS_MIX_JOINT_STATE_H

#include "gathered.h"
#include "statistics/sparse.h"

#define NO_LEVEL 10 /* relative error of levels that decide nothing */

struct joint {
	const struct gathered *gathered;
	const double *lengths;
	double skid, level_error, share_error; /* relative */
	int is_blind_to_totals, is_settled;
	double contradiction; /* of totals, relative, beyond what they are uncertain by */
	double tension; /* how much farther samples are from the fit than chance has them, 1 or more */
	uint32_t blocks, edges; /* 'edges' as in struct gathered; some are none, never used */
	uint32_t first_skid, unknowns, size; /* 'size': with the residuals */
	double stream_unit, sample_unit; /* what one stands for; 0: there is none */
	double stream_scale, sample_scale; /* of levels: periods to counts */
	double *values, *scale; /* of unknowns */
	double *group_variance; /* by block, of the LBR's level: what groups tell of chance */
	/* By edge, of its share of stacks and of single branches: the variance by chance */
	double *stack_chance, *branch_chance;
	uint32_t first_sample; /* the first row of samples with skid */
	uint8_t *is_walled;
	uint32_t *continuation; /* by block: the row of what a call goes on with, or FLOW_NONE */
	uint32_t *parts; /* by block: parts.h */
	uint8_t *is_bridged; /* by block: an edge leads there from another part */
	/* The system, in the order in which it is put together */
	struct sparse *sparse;
	struct sparse_place *places;
	double *entries, *right, *work;
	double *solving; /* of solutions: SPARSE_SIDES x size */
	double *changes; /* SPARSE_SIDES x size: right sides without one of the groups each */
	size_t count, room;
	int failed;
	uint32_t row; /* next residual */
	float *without; /* blocks x MIX_GROUPS */
};

static inline uint32_t edge_from(const struct joint *joint, uint32_t edge)
{
	return edge < joint->blocks ? edge
				    : joint->gathered->flow->edges[edge - joint->blocks].from;
}

static inline uint32_t edge_to(const struct joint *joint, uint32_t edge)
{
	return edge < joint->blocks ? joint->gathered->flow->blocks[edge].next
				    : joint->gathered->flow->edges[edge - joint->blocks].to;
}

static inline int is_edge(const struct joint *joint, uint32_t edge)
{
	return edge >= joint->blocks || flow_falls(&joint->gathered->flow->blocks[edge]);
}

static inline uint32_t edge_unknown(const struct joint *joint, uint32_t edge)
{
	return joint->blocks + edge;
}

static inline uint32_t skid_unknown(const struct joint *joint, uint32_t edge)
{
	return joint->first_skid + edge;
}

/* Between parts a branch is left by its share, and where it comes is entered from elsewhere. */
static inline int is_in_part(const struct joint *joint, uint32_t from, uint32_t to)
{
	return joint->parts[from] == joint->parts[to];
}

static inline int has_skid(const struct joint *joint)
{
	return joint->skid > 0 && joint->sample_unit > 0;
}

static inline double square(double value)
{
	return value * value;
}

#endif
