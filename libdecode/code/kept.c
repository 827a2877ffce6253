/* SPDX-License-Identifier: BSD-3-Clause */
/* See kept.h. */
#include "kept.h"

#include <stdlib.h>

#include <precis/error.h>

#include "instruction.h"

#define SLOTS_FIRST 16u /* functions that were made at run time are texts of their own */

static struct kept *slot_of(struct kept *slot, uint32_t slots, uint64_t offset)
{
	const uint64_t hash = (offset ^ offset >> 23) * UINT64_C(0x9e3779b97f4a7c15);

	for (uint64_t at = hash >> 20;; at++) {
		struct kept *found = &slot[at & (slots - 1)];

		if (!found->marks || found->offset == offset)
			return found;
	}
}

static int grow(struct kept_text *kept)
{
	const uint32_t slots = kept->slots ? 2 * kept->slots : SLOTS_FIRST;
	struct kept *slot = slots <= KEPT_MOST ? calloc(slots, sizeof(*slot)) : NULL;

	if (!slot)
		return 0;
	for (uint32_t n = 0; n < kept->slots; n++) {
		if (kept->slot[n].marks)
			*slot_of(slot, slots, kept->slot[n].offset) = kept->slot[n];
	}
	free(kept->slot);
	kept->slot = slot;
	kept->slots = slots;
	return 1;
}

struct kept *kept_find(const struct kept_text *kept, uint64_t offset)
{
	struct kept *found = kept->slots ? slot_of(kept->slot, kept->slots, offset) : NULL;

	return found && found->marks ? found : NULL;
}

struct kept *kept_at(struct kept_text *kept, uint64_t offset, uint32_t marks)
{
	struct kept *found;

	if (2 * kept->count >= kept->slots && !grow(kept))
		return NULL;
	found = slot_of(kept->slot, kept->slots, offset);
	if (!found->marks) {
		kept->count++;
		found->offset = offset;
	}
	found->marks |= (uint8_t)marks;
	return found;
}

static int decode(struct kept_text *kept, struct form_set *forms, uint64_t offset, uint64_t time,
		  struct kept *instruction)
{
	struct code_instruction decoded;
	uint8_t bytes[PRECIS_CODE_BYTES_MOST];
	uint32_t absent, bits;
	const int count = code_text_read(kept->text, offset, time, bytes, &absent);
	int length = 0;

	*instruction = (struct kept){ .offset = offset, .absent = (uint8_t)absent };
	code_form_unknown(&decoded.form);
	if (count < 0)
		return count;
	bits = code_text_bits(kept->text);
	if (count && !bits)
		instruction->absent = CODE_ABSENT_NOT_X86;
	if (count && bits) {
		length = code_instruction_decode(bytes, (size_t)count,
						 code_text_address(kept->text, offset), bits,
						 &decoded);
		if (length <= 0)
			instruction->absent = length == PRECIS_E_TRUNCATED ? CODE_ABSENT_CUT_OFF
					      : length == PRECIS_E_UNSUPPORTED
						      ? CODE_ABSENT_NO_DECODER
						      : CODE_ABSENT_NOT_AN_INSTRUCTION;
	}
	if (length > 0) {
		instruction->length = (uint8_t)length;
		instruction->has_target = (uint8_t)decoded.has_target;
		instruction->target =
			decoded.has_target
				? decoded.target - code_text_address(kept->text, offset) + offset
				: 0;
	}
	instruction->form = form_set_number(forms, &decoded.form);
	return instruction->form == NO_FORM ? PRECIS_E_NO_MEMORY : 0;
}

int kept_instruction(struct kept_text *kept, struct form_set *forms, uint64_t offset, uint64_t time,
		     struct kept *instruction)
{
	struct kept *place = kept_find(kept, offset);
	uint64_t since, until;
	int error;

	if (place && (place->marks & KEPT_DECODED)) {
		*instruction = *place;
		return 0;
	}
	error = decode(kept, forms, offset, time, instruction);
	if (error)
		return error;
	instruction->marks = place ? place->marks : 0;
	code_text_valid(kept->text, offset, offset + PRECIS_CODE_BYTES_MOST, time, &since, &until);
	if (since || until != UINT64_MAX)
		return 0;
	instruction->marks |= KEPT_DECODED;
	place = kept_at(kept, offset, KEPT_DECODED);
	if (!place)
		return PRECIS_E_NO_MEMORY;
	*place = *instruction;
	return 0;
}
