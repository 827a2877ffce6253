/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the code that was followed, by place and time: a part of blocks.h. */
#ifndef LIBDECODE_CODE_CUT_H
#define LIBDECODE_CODE_CUT_H

#include "block.h"

/** Make blocks of all entries. @return 0, PRECIS_E_NO_MEMORY */
int code_blocks_cut(struct code_blocks *blocks);

/** How many blocks begin at or before a place, whenever they are what they are. */
uint32_t code_blocks_before(const struct code_blocks *blocks, const struct code_text *text, uint64_t offset);

/** The block that begins at a place; CODE_NO_BLOCK if none does. */
uint32_t code_blocks_at(const struct code_blocks *blocks, const struct code_text *text, uint64_t offset,
			uint64_t time);

#endif
