/* SPDX-License-Identifier: BSD-3-Clause */
/* Where control was seen, and following the code from there: a part of blocks.h. */
#ifndef LIBDECODE_CODE_FOLLOW_H
#define LIBDECODE_CODE_FOLLOW_H

#include "block.h"

/*
 * Before code_blocks_build(). All return 0, PRECIS_E_NO_MEMORY, or PRECIS_E_ARGUMENT: after it.
 */

/** Control arrived there: the target of a branch. */
int code_blocks_add_target(struct code_blocks *blocks, struct code_text *text, uint64_t offset,
			   uint64_t time);

/** A range of a branch stack, whose fate is KEPT by its addresses; both of its ends in the same text. */
int code_blocks_add_range(struct code_blocks *blocks, struct code_text *text, uint64_t target,
			  uint64_t source, uint64_t time);

/** An instruction was executed there. */
int code_blocks_add_sample(struct code_blocks *blocks, struct code_text *text, uint64_t offset,
			   uint64_t time);

/** Follow the code from all that was added. @return 0, PRECIS_E_NO_MEMORY */
int code_blocks_follow(struct code_blocks *blocks);

#endif
