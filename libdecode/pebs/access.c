/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What data sources say, remembered: a recording has a few dozen of them. Taking
 * one apart costs several times what the rest of a sample does.
 */
#include "libdecode/sample/find_vendor.h"
#include "values.h"

/* Whose encoding a slot's key is of; the last ones are numbered by vendor */
enum { KEY_NONE, KEY_OF_CORE, KEY_OF_KERNEL, KEY_OF_KERNEL_FOR };

/* The kernel's word: its fields are far apart. */
static struct precis_pebs_access *word_slot(struct precis_pebs_context *context, uint64_t word)
{
	return &context->access[word * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}
_Static_assert(PRECIS_PEBS_ACCESSES == 1 << (64 - 56), "the hash's upper bits are a slot");

static void remember(struct precis_pebs_access *slot, uint64_t key, uint32_t key_of,
		     const struct precis_access *access)
{
	slot->key = key;
	slot->is_known = key_of;
	slot->sound = 0;
	slot->whys = 0;
	for (uint32_t n = 0; n < ACCESS_VALUES; n++) {
		uint32_t field = precis_pebs_values[FIRST_OF_ACCESS + n].access;

		slot->value[n] = (uint8_t)access->value[field];
		slot->sound |= (access->present >> field & 1) << (FIRST_OF_ACCESS + n);
	}
	for (uint32_t field = 0; field < PRECIS_ACCESS_FIELDS; field++)
		slot->whys |= (uint64_t)access->why[field] << (ACCESS_WHY_BITS * field);
}

const struct precis_pebs_access *precis_pebs_new_access(struct precis_pebs_context *context,
							uint64_t dse)
{
	struct precis_access access = { .size = sizeof(access) };
	struct precis_pebs_access *slot = precis_pebs_slot(context, dse);

	precis_dse_access(&context->encoding, context->facility, dse, &access);
	remember(slot, dse, KEY_OF_CORE, &access);
	return slot;
}

/* A context is of raw records or of the kernel's words, not of both: they share the slots. */
const struct precis_pebs_access *precis_pebs_word_access_of(struct precis_pebs_context *context,
							    uint64_t word)
{
	struct precis_access access = { .size = sizeof(access) };
	struct precis_pebs_access *slot = word_slot(context, word);

	if (slot->is_known == KEY_OF_KERNEL && slot->key == word)
		return slot;
	precis_data_source_access(word, &access);
	remember(slot, word, KEY_OF_KERNEL, &access);
	return slot;
}

const struct precis_pebs_access *precis_vendor_word_access_of(struct precis_pebs_context *context,
							      uint32_t vendor, uint64_t word)
{
	const struct words_origin origin = { context->cores, context->kernel };
	struct precis_access access = { .size = sizeof(access) };
	struct precis_pebs_access *slot = word_slot(context, word);

	if (slot->is_known == KEY_OF_KERNEL_FOR + vendor && slot->key == word)
		return slot;
	precis_vendors[vendor - 1]->words->access(&origin, word, &access);
	remember(slot, word, KEY_OF_KERNEL_FOR + vendor, &access);
	return slot;
}
