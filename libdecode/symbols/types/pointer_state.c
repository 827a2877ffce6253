/* SPDX-License-Identifier: BSD-3-Clause */
/* See pointer_state.h. */
#include "pointer_state.h"

#include <stddef.h>

#include "instruction.h"

/* System V ABI for x86-64, section 3.2.3: rdi, rsi, rdx, rcx, r8, r9 */
static const uint8_t arguments[] = { 7, 6, 2, 1, 8, 9 };

unsigned int precis_pointers_argument(unsigned int number)
{
	return number < sizeof(arguments) ? arguments[number] : POINTER_REGISTERS;
}

void precis_pointers_begin(struct pointer_state *state)
{
	*state = (struct pointer_state){ .next_slot = 0 };
	for (uint32_t n = 0; n < POINTER_SLOTS; n++)
		state->slot[n].base = SLOT_FREE;
	for (uint32_t n = 0; n < sizeof(arguments); n++)
		state->reg[arguments[n]] =
			(struct pointer_value){ .kind = POINTER_ARGUMENT, .by = n };
	state->reg[REGISTER_RSP] = (struct pointer_value){ .kind = POINTER_FRAME };
}

static void free_slots(struct pointer_state *state, unsigned int base)
{
	for (uint32_t n = 0; n < POINTER_SLOTS; n++) {
		if (state->slot[n].base == base)
			state->slot[n].base = SLOT_FREE;
	}
}

void precis_pointers_set(struct pointer_state *state, unsigned int number,
			 struct pointer_value value)
{
	if (number >= POINTER_REGISTERS)
		return;
	free_slots(state, number);
	state->reg[number] = value;
}

void precis_pointers_forget(struct pointer_state *state, uint32_t kept)
{
	for (unsigned int n = 0; n < POINTER_REGISTERS; n++) {
		if (!(kept & 1u << n))
			state->reg[n] = (struct pointer_value){ .kind = POINTER_UNKNOWN };
	}
	for (uint32_t n = 0; n < POINTER_SLOTS; n++) {
		struct pointer_slot *slot = &state->slot[n];

		if (slot->base != SLOT_FRAME || (!kept && slot->value.kind != POINTER_ARGUMENT))
			slot->base = SLOT_FREE;
	}
}

/* Where a slot is: of the frame, wherever a register in it points */
static void place_of(const struct pointer_state *state, unsigned int *base, int64_t *at)
{
	const struct pointer_value *value = &state->reg[*base];

	if (value->kind != POINTER_FRAME)
		return;
	*base = SLOT_FRAME;
	*at = (int64_t)((uint64_t)*at + (uint64_t)value->by);
}

static struct pointer_slot *find_slot(const struct pointer_state *state, unsigned int base,
				      int64_t at)
{
	for (uint32_t n = 0; n < POINTER_SLOTS; n++) {
		if (state->slot[n].base == base && state->slot[n].at == at)
			return (struct pointer_slot *)(uintptr_t)&state->slot[n];
	}
	return NULL;
}

const struct pointer_value *precis_pointers_load(const struct pointer_state *state,
						 unsigned int base, int64_t offset)
{
	const struct pointer_slot *slot;

	if (base >= POINTER_REGISTERS)
		return NULL;
	place_of(state, &base, &offset);
	slot = find_slot(state, base, offset);
	return slot ? &slot->value : NULL;
}

void precis_pointers_store(struct pointer_state *state, unsigned int base, int64_t offset,
			   struct pointer_value value)
{
	struct pointer_slot *slot;

	if (base >= POINTER_REGISTERS)
		return;
	place_of(state, &base, &offset);
	slot = find_slot(state, base, offset);
	if (slot)
		slot->base = SLOT_FREE;
	/* Elsewhere than in the frame somebody else may write */
	if (value.kind == POINTER_UNKNOWN || (base != SLOT_FRAME && !pointer_is_of_block(&value)))
		return;
	for (uint32_t n = 0; !slot && n < POINTER_SLOTS; n++)
		slot = state->slot[n].base == SLOT_FREE ? &state->slot[n] : NULL;
	if (!slot)
		slot = &state->slot[state->next_slot++ % POINTER_SLOTS];
	*slot = (struct pointer_slot){ (uint8_t)base, offset, value };
}

int precis_pointers_have_block(const struct pointer_state *state)
{
	for (unsigned int n = 0; n < POINTER_REGISTERS; n++) {
		if (pointer_is_of_block(&state->reg[n]))
			return 1;
	}
	for (unsigned int n = 0; n < POINTER_SLOTS; n++) {
		if (state->slot[n].base != SLOT_FREE && pointer_is_of_block(&state->slot[n].value))
			return 1;
	}
	return 0;
}
