/* SPDX-License-Identifier: BSD-3-Clause */
/* See form_set.h. */
#include "form_set.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const struct code_form *form)
{
	uint64_t hash = 0, word;

	for (size_t at = 0; at < sizeof(*form); at += sizeof(word)) {
		memcpy(&word, (const char *)form + at, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

/* The slot that has it, or that is free for it */
static uint32_t *slot_of(const struct form_set *set, const struct code_form *form)
{
	for (uint64_t at = hash_of(form);; at++) {
		uint32_t *slot = &set->slot[at & (set->slots - 1)];

		if (!*slot || memcmp(&set->form[*slot - 1], form, sizeof(*form)) == 0)
			return slot;
	}
}

static int grow(struct form_set *set)
{
	const uint32_t room = set->room ? 2 * set->room : 512;
	struct code_form *form = realloc(set->form, room * sizeof(*form));
	uint32_t *slot = calloc(2 * (size_t)room, sizeof(*slot));

	if (form)
		set->form = form;
	if (!form || !slot) {
		free(slot);
		return 0;
	}
	free(set->slot);
	set->slot = slot;
	set->slots = 2 * room;
	set->room = room;
	for (uint32_t n = 0; n < set->count; n++)
		*slot_of(set, &set->form[n]) = n + 1;
	return 1;
}

uint32_t form_set_number(struct form_set *set, const struct code_form *form)
{
	uint32_t *slot;

	if (set->count == set->room && !grow(set))
		return NO_FORM;
	slot = slot_of(set, form);
	if (!*slot) {
		set->form[set->count] = *form;
		*slot = ++set->count;
	}
	return *slot - 1;
}

void form_set_free(struct form_set *set)
{
	free(set->form);
	free(set->slot);
	memset(set, 0, sizeof(*set));
}
