/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What data sources say, remembered: a recording has a few dozen of them. Taking
 * one apart costs several times what the rest of a sample does.
 */
#include "values.h"

#define DSE_BITS 0xffffu /* no core looks at others */

static struct precis_pebs_access *slot_of(struct precis_pebs_context *context, uint64_t key)
{
	uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);

	return &context->access[hash >> 58];
}
_Static_assert(PRECIS_PEBS_ACCESSES == 1 << (64 - 58), "the hash's upper bits are a slot");

static void remember(struct precis_pebs_access *slot, uint64_t key,
		     const struct precis_access *access)
{
	slot->key = key;
	slot->is_known = 1;
	slot->present = access->present;
	slot->whys = 0;
	for (uint32_t part = 0; part < PRECIS_ACCESS_PARTS; part++) {
		slot->value[part] = (uint8_t)access->value[part];
		slot->whys |= (uint64_t)access->why[part] << (ACCESS_WHY_BITS * part);
	}
}

const struct precis_pebs_access *precis_pebs_access_of(struct precis_pebs_context *context,
						       uint64_t dse)
{
	struct precis_access access = { .size = sizeof(access) };
	struct precis_pebs_access *slot = slot_of(context, dse & DSE_BITS);

	if (slot->is_known && slot->key == (dse & DSE_BITS))
		return slot;
	precis_dse_access(&context->encoding, context->event, dse & DSE_BITS, &access);
	remember(slot, dse & DSE_BITS, &access);
	return slot;
}

/* A context is of raw records or of the kernel's words, not of both: they share the slots. */
const struct precis_pebs_access *precis_pebs_word_access_of(struct precis_pebs_context *context,
							    uint64_t word)
{
	struct precis_access access = { .size = sizeof(access) };
	struct precis_pebs_access *slot = slot_of(context, word);

	if (slot->is_known && slot->key == word)
		return slot;
	precis_data_source_access(word, &access);
	remember(slot, word, &access);
	return slot;
}
