/* SPDX-License-Identifier: BSD-3-Clause */
/* See blocks.h: the life of blocks, and what is asked of them. */
#include "blocks.h"

#include <stdlib.h>

#include <precis/error.h>

#include "blocks_state.h"

int code_blocks_new(struct code_blocks **blocks)
{
	if (!blocks)
		return PRECIS_E_ARGUMENT;
	*blocks = calloc(1, sizeof(**blocks));
	return *blocks ? 0 : PRECIS_E_NO_MEMORY;
}

void code_blocks_free(struct code_blocks *blocks)
{
	if (!blocks)
		return;
	for (uint32_t n = 0; n < blocks->kept_count; n++) {
		if (blocks->kept[n])
			free(blocks->kept[n]->slot);
		free(blocks->kept[n]);
	}
	free(blocks->kept);
	form_set_free(&blocks->forms);
	free(blocks->entry);
	free(blocks->entry_slot);
	free(blocks->sample);
	free(blocks->block);
	free(blocks->step);
	free(blocks);
}

void code_blocks_leave_out(struct code_blocks *blocks, code_left_out *is_left_out, const void *data)
{
	blocks->is_left_out = is_left_out;
	blocks->left_out_by = data;
}

int code_blocks_build(struct code_blocks *blocks)
{
	int error;

	if (blocks->is_built)
		return PRECIS_E_ARGUMENT;
	error = code_blocks_follow(blocks);
	error = error ? error : code_blocks_cut(blocks);
	blocks->is_built = !error;
	return error;
}

/* --- asking --- */

uint32_t code_blocks_count(const struct code_blocks *blocks)
{
	return blocks->count;
}

const struct code_block *code_blocks_get(const struct code_blocks *blocks, uint32_t n)
{
	return n < blocks->count ? &blocks->block[n] : NULL;
}

const uint32_t *code_blocks_steps(const struct code_blocks *blocks, const struct code_block *block)
{
	return blocks->step ? blocks->step + block->first_step : NULL;
}

uint32_t code_blocks_forms(const struct code_blocks *blocks)
{
	return blocks->forms.count;
}

const struct code_form *code_blocks_form(const struct code_blocks *blocks, uint32_t number)
{
	return number < blocks->forms.count ? &blocks->forms.form[number] : NULL;
}

/* Has the block an instruction there? */
static int begins_one(const struct code_blocks *blocks, const struct code_block *block,
		      uint64_t offset)
{
	const uint32_t *step = code_blocks_steps(blocks, block);
	uint64_t at = block->offset;

	for (uint32_t n = 0; n < block->count && at < offset; n++)
		at += CODE_STEP_LENGTH(step[n]);
	return at == offset;
}

uint32_t code_blocks_of(const struct code_blocks *blocks, const struct code_text *text,
			uint64_t offset, uint64_t time)
{
	for (uint32_t n = code_blocks_before(blocks, text, offset); n; n--) {
		const struct code_block *block = &blocks->block[n - 1];
		const uint64_t into = offset - block->offset;

		if (block->text != text || into > RUN_BYTES_MOST + PRECIS_CODE_BYTES_MOST)
			break;
		if (time < block->since || time >= block->until)
			continue;
		if (into < block->bytes ? begins_one(blocks, block, offset) : !into)
			return n - 1;
	}
	return CODE_NO_BLOCK;
}

/* Is the source the last instruction, or the one before the jump that is fused with it? */
static int ends_block(const struct code_blocks *blocks, const struct code_block *block,
		      uint64_t source)
{
	const uint64_t last = block->offset + block->bytes - block->last_bytes;
	const uint32_t *step = code_blocks_steps(blocks, block);

	return source == last ||
	       (block->branch == CODE_BRANCH_CONDITIONAL && block->count > 1 && source < last &&
		last - source == CODE_STEP_LENGTH(step[block->count - 2]));
}

/* Can a range go over its end without a branch that would be in the stack? */
static int is_crossed(const struct code_block *block)
{
	switch (block->branch) {
	case CODE_BRANCH_CALL:
		return block->calls_next;
	case CODE_BRANCH_INDIRECT_CALL:
		return 0;
	default:
		return code_falls_through(block->branch);
	}
}

static uint32_t fate_without_code(struct code_text *text, uint64_t offset, uint64_t source)
{
	uint64_t start, end;

	return code_text_function(text, offset, &start, &end) > 0 && source >= end
		       ? CODE_FATE_LEAVES_FUNCTION
		       : CODE_FATE_NO_CODE;
}

/* The last block of a range, which ends at 'source', is number n; 'list' has 'count' of those before it. */
static uint32_t end_range(const struct code_blocks *blocks, uint32_t n, uint64_t source,
			  uint32_t *list, uint32_t room, uint32_t *count)
{
	const struct code_block *block = &blocks->block[n];
	const struct code_block *next = code_blocks_get(blocks, block->next);

	if (block->branch == CODE_BRANCH_NONE) {
		/* A comparison that is fused with a jump, which is a block of its own; or an interrupt */
		if (!next || next->count != 1 || next->branch != CODE_BRANCH_CONDITIONAL ||
		    source != next->offset - block->last_bytes)
			return CODE_FATE_INTERRUPTED;
		if (*count < room)
			list[*count] = n;
		++*count;
		n = block->next;
	}
	if (*count < room)
		list[*count] = n;
	++*count;
	return CODE_FATE_KEPT;
}

uint32_t code_blocks_range(const struct code_blocks *blocks, struct code_text *text,
			   uint64_t target, uint64_t source, uint64_t time, uint32_t *list,
			   uint32_t room, uint32_t *count)
{
	uint64_t at = target;

	for (*count = 0;; ++*count) {
		const uint32_t n = code_blocks_at(blocks, text, at, time);
		const struct code_block *block = code_blocks_get(blocks, n);

		if (at > source)
			return CODE_FATE_MISALIGNED;
		if (!block || !block->count)
			return fate_without_code(text, at, source);
		if (source - at < block->bytes && !ends_block(blocks, block, source))
			return begins_one(blocks, block, source) ? CODE_FATE_INTERRUPTED
								 : CODE_FATE_MISALIGNED;
		if (source - at < block->bytes)
			return end_range(blocks, n, source, list, room, count);
		if (!is_crossed(block))
			return CODE_FATE_CROSSES;
		if (*count < room)
			list[*count] = n;
		at += block->bytes;
	}
}
