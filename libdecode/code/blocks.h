/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of code: straight, entered at their start alone, left at their end alone.
 *
 * First the caller says where control was seen: targets of branches, ranges of branch stacks, samples. Then
 * code_blocks_build() follows the code from there by all jumps that it names and by what falls through, and
 * cuts it into blocks: one begins wherever control can arrive, and ends with any branch or before the next
 * begin. Code that is reached only by a jump that names no target is decoded one instruction after the
 * other from the start of its function, up to the sample. Where decodings disagree (a jump over a prefix)
 * both are blocks, which overlap up to where they agree again. Then blocks can be asked for.
 *
 * Of code that the kernel changes a block is what it was at a time: 'since' and 'until'; it is another one,
 * too, when what it falls into changes. Wherever a time is
 * asked for, that of a sample will do, and so will the 'since' that code_text_valid() has for it; 0 for the
 * code before all changes.
 */
#ifndef LIBDECODE_CODE_BLOCKS_H
#define LIBDECODE_CODE_BLOCKS_H

#include "block.h"
#include "cut.h"
#include "follow.h"
#include "streams.h"

/** @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY */
int code_blocks_new(struct code_blocks **blocks);
void code_blocks_free(struct code_blocks *blocks);

/**
 * No block is to begin in some code, whoever goes there. Before anything is added; 'data' is to be valid
 * until blocks are built.
 */
void code_blocks_leave_out(struct code_blocks *blocks, code_left_out *is_left_out, const void *data);

/** @return 0, PRECIS_E_ARGUMENT: it has been done, PRECIS_E_NO_MEMORY */
int code_blocks_build(struct code_blocks *blocks);

/* --- after that --- */

/** By text, offset and time. */
uint32_t code_blocks_count(const struct code_blocks *blocks);
const struct code_block *code_blocks_get(const struct code_blocks *blocks, uint32_t n);

/** Its instructions: 'count' steps. */
const uint32_t *code_blocks_steps(const struct code_blocks *blocks, const struct code_block *block);

/** Forms have numbers below that. */
uint32_t code_blocks_forms(const struct code_blocks *blocks);
const struct code_form *code_blocks_form(const struct code_blocks *blocks, uint32_t number);

/** The block that has an instruction at a place; CODE_NO_BLOCK if none has, or the place is inside of one. */
uint32_t code_blocks_of(const struct code_blocks *blocks, const struct code_text *text, uint64_t offset,
			uint64_t time);

/**
 * The blocks that a range executed. The last one's last instruction is the source, or a jump that is fused
 * with it.
 *
 * @param list   room for 'room' numbers
 * @param count  set to how many there are: more than 'room' if there was not enough
 * @return enum code_fate: KEPT; INTERRUPTED: up to the source, not included; NO_CODE: up to where code is
 *         known; CROSSES, MISALIGNED: the code is not what ran, the list means nothing; LEAVES_FUNCTION: no
 *         code, and the symbols say that it cannot be
 */
uint32_t code_blocks_range(const struct code_blocks *blocks, struct code_text *text, uint64_t target,
			   uint64_t source, uint64_t time, uint32_t *list, uint32_t room, uint32_t *count);

#endif
