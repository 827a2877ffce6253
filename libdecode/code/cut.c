/* SPDX-License-Identifier: BSD-3-Clause */
/* See cut.h. */
#include "cut.h"

#include <stdlib.h>

#include <precis/error.h>

#include "blocks_state.h"

uint32_t code_blocks_before(const struct code_blocks *blocks, const struct code_text *text,
			      uint64_t offset)
{
	const uint32_t number = code_text_number(text);
	uint32_t low = 0, high = blocks->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const struct code_block *block = &blocks->block[middle];
		const uint32_t its = code_text_number(block->text);

		if (its < number || (its == number && block->offset <= offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t code_blocks_at(const struct code_blocks *blocks, const struct code_text *text,
			uint64_t offset, uint64_t time)
{
	for (uint32_t n = code_blocks_before(blocks, text, offset); n; n--) {
		const struct code_block *block = &blocks->block[n - 1];

		if (block->text != text || block->offset != offset)
			break;
		if (time >= block->since && time < block->until)
			return n - 1;
	}
	return CODE_NO_BLOCK;
}

/* --- cutting --- */

static int by_place(const void *a, const void *b)
{
	const struct place_in_time *left = a, *right = b;
	const uint32_t numbers[] = { code_text_number(left->text), code_text_number(right->text) };

	if (numbers[0] != numbers[1])
		return numbers[0] < numbers[1] ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return left->time < right->time ? -1 : left->time > right->time;
}

static int add_step(struct code_blocks *blocks, struct code_block *block,
		    const struct kept *instruction)
{
	uint32_t *more = code_blocks_grow(blocks->step, blocks->steps, &blocks->step_room,
					  sizeof(*more), STEPS_MOST);

	if (!more)
		return PRECIS_E_NO_MEMORY;
	blocks->step = more;
	blocks->step[blocks->steps++] = instruction->form << 4 | instruction->length;
	block->bytes += instruction->length;
	block->last_bytes = instruction->length;
	block->count++;
	block->branch = blocks->forms.form[instruction->form].branch;
	block->calls_next = block->branch == CODE_BRANCH_CALL && instruction->has_target &&
			    instruction->target == instruction->offset + instruction->length;
	return 0;
}

/* Up to a branch, to where control may arrive, or to where there is no code */
static int fill(struct code_blocks *blocks, const struct place_in_time *entry,
		struct code_block *block)
{
	struct kept_text *kept = code_blocks_kept(blocks, entry->text);
	struct kept instruction;
	int error;

	while (block->branch == CODE_BRANCH_NONE) {
		error = kept_instruction(kept, &blocks->forms, block->offset + block->bytes,
					 entry->time, &instruction);
		if (error)
			return error;
		if (block->count && (instruction.marks & KEPT_ENTRY))
			return 0;
		if (!instruction.length) {
			block->absent = instruction.absent;
			return 0;
		}
		error = add_step(blocks, block, &instruction);
		if (error)
			return error;
	}
	return 0;
}

/*
 * Where what a block falls into, at once and further on, ends. Of code that changes a block is another one
 * when that is another one: it has but one next block.
 */
static int find_end(struct code_blocks *blocks, const struct place_in_time *entry,
		    const struct code_block *block, uint64_t *end)
{
	struct kept_text *kept = code_blocks_kept(blocks, entry->text);
	uint32_t branch = block->branch;
	uint64_t since, until;
	int error = 0;

	*end = block->offset + (block->bytes ? block->bytes : 1);
	code_text_valid(block->text, block->offset, block->offset + RUN_BYTES_MOST, entry->time, &since,
			&until);
	if (!block->count || (since == 0 && until == UINT64_MAX))
		return 0;
	while (!error && code_falls_through(branch) && *end - block->offset < RUN_BYTES_MOST) {
		struct kept instruction;

		error = kept_instruction(kept, &blocks->forms, *end, entry->time, &instruction);
		if (error || !instruction.length)
			break;
		*end += instruction.length;
		branch = blocks->forms.form[instruction.form].branch;
	}
	return error;
}

static int cut_entry(struct code_blocks *blocks, const struct place_in_time *entry)
{
	const struct code_block *last = blocks->count ? &blocks->block[blocks->count - 1] : NULL;
	struct code_block *more, block = {
		.text = entry->text,
		.offset = entry->offset,
		.first_step = blocks->steps,
		.next = CODE_NO_BLOCK,
		.target = CODE_NO_BLOCK,
	};
	uint64_t end;
	int error;

	if (last && last->text == entry->text && last->offset == entry->offset &&
	    entry->time < last->until)
		return 0;
	error = fill(blocks, entry, &block);
	if (!error)
		error = find_end(blocks, entry, &block, &end);
	if (error)
		return error;
	code_text_valid(block.text, block.offset, end, entry->time, &block.since, &block.until);
	more = code_blocks_grow(blocks->block, blocks->count, &blocks->room, sizeof(*more),
				ENTRIES_MOST);
	if (!more)
		return PRECIS_E_NO_MEMORY;
	blocks->block = more;
	blocks->block[blocks->count++] = block;
	return 0;
}

static int link_block(struct code_blocks *blocks, struct code_block *block)
{
	struct kept_text *kept = code_blocks_kept(blocks, block->text);
	struct kept last;
	int error;

	if (!block->count)
		return 0;
	if (code_falls_through(block->branch))
		block->next = code_blocks_at(blocks, block->text, block->offset + block->bytes,
					     block->since);
	error = kept_instruction(kept, &blocks->forms,
				 block->offset + block->bytes - block->last_bytes, block->since,
				 &last);
	if (!error && last.has_target)
		block->target = code_blocks_at(blocks, block->text, last.target, block->since);
	return error;
}

int code_blocks_cut(struct code_blocks *blocks)
{
	int error = 0;

	if (blocks->entries)
		qsort(blocks->entry, blocks->entries, sizeof(*blocks->entry), by_place);
	for (uint32_t n = 0; !error && n < blocks->entries; n++)
		error = cut_entry(blocks, &blocks->entry[n]);
	for (uint32_t n = 0; !error && n < blocks->count; n++)
		error = link_block(blocks, &blocks->block[n]);
	return error;
}
