/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Are the windows of branch stacks where they would be by chance? Where they are, a branch is the oldest of
 * a stack of N in one Nth of the entries that it has at all places. A core that waits with freezing, or
 * whose windows begin at certain branches, has some of them there far more often ("Low-overhead dynamic
 * instruction mixes", Nowak et al., has seen one in half of all stacks).
 */
#ifndef ANALYSIS_MIX_BIAS_H
#define ANALYSIS_MIX_BIAS_H

#include "observations.h"

struct mix_bias {
	/* Part of the full stacks that is too much for the places of their oldest branches; NAN: no stacks */
	double excess;
	double baseline; /* the same of a place by chance in each stack: what counting alone makes of it */
	int is_flagged;  /* the excess is above the baseline, and by more than that is uncertain by */
};

struct mix_bias mix_bias_of(const struct mix_observations *observations);

/** In how many more of the full stacks than by chance a branch is the oldest. 'block' ends in it. */
double mix_branch_excess(const struct mix_observations *observations, uint32_t block);

/** Is a branch too often the oldest, by more than five standard errors and a fifth? 'block' ends in it. */
int mix_branch_is_biased(const struct mix_observations *observations, uint32_t block);

#endif
