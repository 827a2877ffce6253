/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many micro-ops instructions have, learnt from samples that come by ops: inside of a block all
 * instructions run equally often, so they are sampled as often as they have ops. What all blocks tell of
 * instructions of one form is pooled, and taken to be a whole number, one before all others, where samples
 * do not contradict that. Only ratios are seen: simple integer instructions are taken to have one op each.
 *
 * A comparison and the jump behind it are looked at as one: macro fusion makes one op of them, whose address
 * is that of either; of a pair that is of two blocks the one that is sampled has it.
 */
#ifndef ANALYSIS_MIX_OPS_H
#define ANALYSIS_MIX_OPS_H

#include <stddef.h>

#include "libdecode/code/blocks.h"

/* Samples of one instruction: of which block, and which of its steps */
struct op_samples {
	uint32_t code, step;
	uint64_t count;
};

/**
 * @param ops  room for code_blocks_count(): of one execution of each block; 0: it has no instruction
 * @return 0, or -1: memory is short
 */
int ops_learn(const struct code_blocks *blocks, const struct op_samples *samples, size_t count,
	      double *ops);

#endif
