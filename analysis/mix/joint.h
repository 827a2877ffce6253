/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One estimate from everything: the counts x of blocks and f of edges that fit best, by weighted least
 * squares, to
 *
 *	flow         in = x = out; a block that calls runs as often as its continuation is returned to
 *	shares       f = p x, where p is the part of a block's exits in branch stacks (or single branches)
 *	LBR levels   x, whose error is chance and, in proportion, the bias that was measured
 *	EBS          x times length + skid out - skid in = samples; skid runs along edges
 *	totals       counted instructions and taken branches
 *
 * Shares are conditional on where one is: a place that windows prefer has more of all its exits, in the
 * same proportion. Levels are not. Where levels are biased the flow and EBS decide.
 */
#ifndef ANALYSIS_MIX_JOINT_H
#define ANALYSIS_MIX_JOINT_H

#include "gathered.h"

struct joint;

/**
 * @param skid  instructions; 0: samples are exact
 * @param lengths  by block: instructions, or ops
 * @param bias  part of the stacks that are where they are not by chance (bias.h)
 * @return NULL: memory is short
 */
struct joint *joint_new(const struct gathered *gathered, const double *lengths, double skid, double bias);

/** By block. None is negative. */
const double *joint_counts(const struct joint *joint);

/** By edge, as struct outcomes has them. None is negative */
const double *joint_edges(const struct joint *joint);

/** Of a block without each of the groups: to be compared with the like, not with joint_counts() */
const float *joint_without(const struct joint *joint, uint32_t block);

/** The variance of a sum over blocks that follows from the weights of equations, if these are right */
double joint_variance(struct joint *joint, const double *weights);

/**
 * How far a sum may be above what the fit has of it, with 95 of 100, where no block of it was seen. One of
 * them may have run that often, or another: not all of them.
 */
double joint_unseen(const struct joint *joint, const double *weights);

void joint_free(struct joint *joint);

#endif
