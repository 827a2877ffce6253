/* SPDX-License-Identifier: BSD-3-Clause */
/* See follow.h and blocks.h. */
#include "follow.h"

#include <stdlib.h>

#include <precis/error.h>

#include "blocks_state.h"

/* A sample is sought from its function's start, if that is no further away. */
#define SWEEP_BYTES_MOST 65536u

/* --- entries, each once --- */

static uint32_t *entry_slot(const struct code_blocks *blocks, const struct place_in_time *entry)
{
	uint64_t hash = (entry->offset ^ entry->time << 17 ^
			 (uint64_t)code_text_number(entry->text) << 48) *
			UINT64_C(0x9e3779b97f4a7c15);

	for (hash >>= 20;; hash++) {
		uint32_t *slot = &blocks->entry_slot[hash & (blocks->entry_slots - 1)];
		const struct place_in_time *there = *slot ? &blocks->entry[*slot - 1] : NULL;

		if (!there || (there->text == entry->text && there->offset == entry->offset &&
			       there->time == entry->time))
			return slot;
	}
}

static int grow_entries(struct code_blocks *blocks)
{
	struct place_in_time *more = code_blocks_grow(
		blocks->entry, blocks->entries, &blocks->entry_room, sizeof(*more), ENTRIES_MOST);

	if (!more)
		return PRECIS_E_NO_MEMORY;
	blocks->entry = more;
	if (blocks->entry_slots >= 2 * blocks->entry_room)
		return 0;
	free(blocks->entry_slot);
	blocks->entry_slots = 2 * blocks->entry_room;
	blocks->entry_slot = calloc(blocks->entry_slots, sizeof(*blocks->entry_slot));
	if (!blocks->entry_slot) {
		blocks->entry_slots = 0;
		return PRECIS_E_NO_MEMORY;
	}
	for (uint32_t n = 0; n < blocks->entries; n++)
		*entry_slot(blocks, &blocks->entry[n]) = n + 1;
	return 0;
}

static int is_left_out(const struct code_blocks *blocks, const struct code_text *text, uint64_t offset)
{
	return blocks->is_left_out && blocks->is_left_out(blocks->left_out_by, text, offset);
}

static int add_entry(struct code_blocks *blocks, struct code_text *text, uint64_t offset,
		     uint64_t time)
{
	struct place_in_time entry = { text, offset, 0 };
	struct kept_text *kept = code_blocks_kept(blocks, text);
	uint64_t until;
	uint32_t *slot;
	int error;

	if (is_left_out(blocks, text, offset))
		return 0;
	if (!kept || !kept_at(kept, offset, KEPT_ENTRY))
		return PRECIS_E_NO_MEMORY;
	/* What comes behind it may change: but times between two changes of the longest block are alike */
	if (offset < UINT64_MAX - RUN_BYTES_MOST)
		code_text_valid(text, offset, offset + RUN_BYTES_MOST, time, &entry.time, &until);
	error = grow_entries(blocks);
	if (error)
		return error;
	slot = entry_slot(blocks, &entry);
	if (*slot)
		return 0;
	blocks->entry[blocks->entries++] = entry;
	*slot = blocks->entries;
	return 0;
}

int code_blocks_add_target(struct code_blocks *blocks, struct code_text *text, uint64_t offset,
			   uint64_t time)
{
	return blocks->is_built ? PRECIS_E_ARGUMENT : add_entry(blocks, text, offset, time);
}

int code_blocks_add_range(struct code_blocks *blocks, struct code_text *text, uint64_t target,
			  uint64_t source, uint64_t time)
{
	struct kept_text *kept = code_blocks_kept(blocks, text);
	struct kept last, fused;
	int error;

	if (blocks->is_built)
		return PRECIS_E_ARGUMENT;
	if (!kept)
		return PRECIS_E_NO_MEMORY;
	error = add_entry(blocks, text, target, time);
	if (error || is_left_out(blocks, text, target))
		return error;
	error = kept_instruction(kept, &blocks->forms, source, time, &last);
	if (error || !last.length || blocks->forms.form[last.form].branch != CODE_BRANCH_NONE)
		return error;
	/* AMD may have the address of the comparison that is fused with the jump */
	error = kept_instruction(kept, &blocks->forms, source + last.length, time, &fused);
	if (error || blocks->forms.form[fused.form].branch == CODE_BRANCH_CONDITIONAL)
		return error;
	/* An interrupt came before that instruction: control goes on there */
	return add_entry(blocks, text, source, time);
}

int code_blocks_add_sample(struct code_blocks *blocks, struct code_text *text, uint64_t offset,
			   uint64_t time)
{
	struct place_in_time *more;

	if (blocks->is_built)
		return PRECIS_E_ARGUMENT;
	if (is_left_out(blocks, text, offset))
		return 0;
	more = code_blocks_grow(blocks->sample, blocks->samples, &blocks->sample_room,
				sizeof(*more), ENTRIES_MOST);
	if (!more)
		return PRECIS_E_NO_MEMORY;
	blocks->sample = more;
	blocks->sample[blocks->samples++] = (struct place_in_time){ text, offset, time };
	return 0;
}

/* --- following the code --- */

/* Behind an instruction: entries of what can come next. @return 1: it goes on; 0: it ends; or an error */
static int follow(struct code_blocks *blocks, const struct place_in_time *entry,
		  const struct kept *instruction)
{
	const uint32_t branch = blocks->forms.form[instruction->form].branch;
	const uint64_t behind = instruction->offset + instruction->length;
	int error = 0;

	if (branch == CODE_BRANCH_NONE)
		return 1;
	/* What a call goes to is followed if it was seen */
	if (instruction->has_target && branch != CODE_BRANCH_CALL)
		error = add_entry(blocks, entry->text, instruction->target, entry->time);
	if (!error && code_falls_through(branch))
		error = add_entry(blocks, entry->text, behind, entry->time);
	return error;
}

static int follow_entry(struct code_blocks *blocks, struct place_in_time entry)
{
	struct kept_text *kept = code_blocks_kept(blocks, entry.text);
	uint64_t offset = entry.offset;
	struct kept instruction;
	int more = 1, is_new = 0;

	while (more > 0) {
		int error =
			kept_instruction(kept, &blocks->forms, offset, entry.time, &instruction);

		if (error)
			return error;
		if (!kept_at(kept, offset, KEPT_REACHED))
			return PRECIS_E_NO_MEMORY;
		if (!instruction.length)
			return 0;
		/*
		 * Of two decodings that disagreed up to here, what is one again is a block by itself: a
		 * sample there would be of either.
		 */
		if (offset != entry.offset && ((instruction.marks & KEPT_ENTRY) ||
					       (is_new && (instruction.marks & KEPT_REACHED))))
			return add_entry(blocks, entry.text, offset, entry.time);
		is_new = !(instruction.marks & KEPT_REACHED);
		more = follow(blocks, &entry, &instruction);
		offset += instruction.length;
		if (more > 0 && offset - entry.offset > RUN_BYTES_MOST)
			return add_entry(blocks, entry.text, offset, entry.time);
	}
	return more;
}

static int follow_all(struct code_blocks *blocks)
{
	int error = 0;

	for (; !error && blocks->followed < blocks->entries; blocks->followed++)
		error = follow_entry(blocks, blocks->entry[blocks->followed]);
	return error;
}

static int is_reached(const struct code_blocks *blocks, const struct place_in_time *sample)
{
	struct kept_text *kept = blocks->kept[code_text_number(sample->text)];
	const struct kept *place = kept_find(kept, sample->offset);

	return place && (place->marks & KEPT_REACHED);
}

/* Is what lies there, or in front of it, another code at other times? Marks know no times. */
static int changes_near(const struct place_in_time *sample)
{
	const uint64_t before = sample->offset < RUN_BYTES_MOST ? sample->offset : RUN_BYTES_MOST;
	uint64_t since, until;

	if (sample->offset > UINT64_MAX - PRECIS_CODE_BYTES_MOST)
		return 0;
	code_text_valid(sample->text, sample->offset - before, sample->offset + PRECIS_CODE_BYTES_MOST,
			sample->time, &since, &until);
	return since != 0 || until != UINT64_MAX;
}

/* Once more, as it was at that time: its function, and what was met itself */
static int follow_at_its_time(struct code_blocks *blocks, const struct place_in_time *sample)
{
	uint64_t start, end;
	int error = code_text_function(sample->text, sample->offset, &start, &end);

	if (error > 0 && start <= sample->offset)
		error = add_entry(blocks, sample->text, start, sample->time);
	if (error >= 0)
		error = add_entry(blocks, sample->text, sample->offset, sample->time);
	return error ? error : follow_all(blocks);
}

/* From the function's start on, what nobody has reached; if that misses the sample, it begins a block. */
static int sweep(struct code_blocks *blocks, const struct place_in_time *sample)
{
	struct kept_text *kept = code_blocks_kept(blocks, sample->text);
	struct kept instruction;
	uint64_t start, end;
	int found, error = 0;

	if (!kept)
		return PRECIS_E_NO_MEMORY;
	if (is_reached(blocks, sample))
		return changes_near(sample) ? follow_at_its_time(blocks, sample) : 0;
	found = code_text_function(sample->text, sample->offset, &start, &end);
	if (found < 0)
		return found;
	if (!found || start > sample->offset || sample->offset - start > SWEEP_BYTES_MOST)
		start = sample->offset;
	while (!error && start < sample->offset && !is_reached(blocks, sample)) {
		error = kept_instruction(kept, &blocks->forms, start, sample->time, &instruction);
		if (!error && !(instruction.marks & KEPT_REACHED)) {
			error = add_entry(blocks, sample->text, start, sample->time);
			error = error ? error : follow_all(blocks);
		}
		if (!instruction.length)
			break;
		start += instruction.length;
	}
	if (error || is_reached(blocks, sample))
		return error;
	error = add_entry(blocks, sample->text, sample->offset, sample->time);
	return error ? error : follow_all(blocks);
}

int code_blocks_follow(struct code_blocks *blocks)
{
	int error = follow_all(blocks);

	for (uint32_t n = 0; !error && n < blocks->samples; n++)
		error = sweep(blocks, &blocks->sample[n]);
	return error;
}
