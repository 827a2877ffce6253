/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each bit of each word of a PEBS record changes the fields that the catalogue says, and no others:
 * its text names word and bits, and of data sources the layouts do.
 */
#include <stdio.h>
#include <string.h>

#include "libdecode/pebs/data_source.h"
#include "libdecode/pebs/tables.h"
#include "tests/property/pebs_samples.h"
#include "tests/support/tap.h"

#define ALL UINT64_MAX
/* Of events without a latency: see precis/pebs_data_source.h */
#define STORE_HIT 0x01u
#define STORE_STLB_MISS 0x10u
#define STORE_LOCKED 0x20u

static uint64_t changes, wrong;
/* Which bits of its word have ever changed a field */
static uint64_t ever[PRECIS_FIELD_COUNT];

#define BIT(n) (1u << (n))
static const struct dse_layout dse_layouts[PRECIS_DSE_LAYOUT_COUNT] = {
#define PRECIS_DSE_LAYOUT(id, ...) [PRECIS_DSE_LAYOUT_##id] = { __VA_ARGS__ },
#include "libdecode/pebs/data_source_layouts.def"
#undef PRECIS_DSE_LAYOUT
};

/* "latency[47:32]": what the catalogue's text says; no bits are all */
static uint64_t bits_of_text(uint32_t field)
{
	char text[512];
	const char *pebs, *at;
	unsigned int high, low;

	precis_field_source(field, text, sizeof(text));
	pebs = strstr(text, "pebs: ");
	at = pebs ? strchr(pebs, '[') : NULL;
	if (!at || sscanf(at, "[%u:%u]", &high, &low) != 2)
		return ALL;
	return ALL >> (63 - high + low) << low;
}

/* The parts of a data source, by the bits of its layout */
static uint64_t bits_of_part(uint32_t part, const struct dse_layout *layout)
{
	switch (part) {
	case PRECIS_ACCESS_LOCKED:
		return layout->locked;
	case PRECIS_ACCESS_TLB_LEVEL:
		return layout->stlb_miss | layout->stlb_hits;
	case PRECIS_ACCESS_DATA_BLOCKED:
		return layout->data_blocked;
	case PRECIS_ACCESS_ADDRESS_BLOCKED:
		return layout->address_blocked;
	case PRECIS_ACCESS_FILL_BUFFER_FULL:
		return layout->fill_buffer_full;
	default:
		return layout->source | layout->l2_miss;
	}
}

static uint64_t bits_of_store(uint32_t event, uint32_t part)
{
	int is_precise = event == PRECIS_PEBS_FACILITY_PRECISE_STORE;

	switch (part) {
	case PRECIS_ACCESS_MEM_LEVEL:
	case PRECIS_ACCESS_DCACHE_MISS:
		return STORE_HIT;
	case PRECIS_ACCESS_TLB_LEVEL:
		return is_precise ? STORE_STLB_MISS : 0;
	case PRECIS_ACCESS_LOCKED:
		return is_precise ? STORE_LOCKED : 0;
	default:
		return 0;
	}
}

static uint64_t bits_of_source(const struct precis_pebs_context *context, uint32_t part)
{
	switch (context->facility) {
	case PRECIS_PEBS_FACILITY_LOAD_LATENCY:
		return bits_of_part(part, &dse_layouts[context->encoding.load_layout]);
	case PRECIS_PEBS_FACILITY_STORE_LATENCY:
		return bits_of_part(part, &dse_layouts[context->encoding.store_layout]);
	case PRECIS_PEBS_FACILITY_PRECISE_STORE:
	case PRECIS_PEBS_FACILITY_DATA_LA_STORE:
		return bits_of_store(context->facility, part);
	default:
		return 0;
	}
}

/* The bits of a word that the field may depend on */
static uint64_t may_change(const struct precis_pebs_context *context, uint32_t field, uint32_t word)
{
	uint32_t value = (uint32_t)precis_pebs_value_of(field);

	if (value == PEBS_VALUE_NONE)
		return 0;
	/* formats 1 and 2 have the status in place of the counters */
	if (precis_pebs_values[value].word != word &&
	    !(value == PEBS_VALUE_COUNTERS && word == PRECIS_PEBS_STATUS))
		return 0;
	if (precis_pebs_values[value].access != NO_ACCESS)
		return bits_of_source(context, precis_pebs_values[value].access);
	return bits_of_text(field);
}

static int differs(const struct precis_sample *a, const struct precis_sample *b, uint32_t field)
{
	return a->value[field] != b->value[field] || precis_why(a, field) != precis_why(b, field);
}

/* Flip all bits of a word; 'bits' that records have in it */
static void flip_word(struct precis_pebs_context *context, const struct precis_pebs *pebs,
		      uint32_t word, uint32_t bits)
{
	uint64_t changed[PRECIS_FIELD_COUNT] = { 0 };
	struct precis_sample before, after;

	precis_sample_init(&before);
	precis_sample_init(&after);
	precis_pebs_decode(context, pebs, NULL, &before);
	for (uint32_t bit = 0; bit < bits; bit++) {
		struct precis_pebs flipped = *pebs;

		flipped.word[word] ^= UINT64_C(1) << bit;
		precis_pebs_decode(context, &flipped, NULL, &after);
		for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
			changed[field] |= (uint64_t)differs(&before, &after, field) << bit;
	}
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		uint64_t may = may_change(context, field, word);
		int is_there = precis_fields_have(before.present, field);

		changes += changed[field] != 0;
		ever[field] |= changed[field];
		/* a single bit that a value is made of changes it, whatever the others are */
		if (!(changed[field] & ~may) &&
		    (!is_there || !may || (may & (may - 1)) || changed[field] == may))
			continue;
		if (wrong++ < 5)
			printf("# %s, core %u, event %u, %s: bits %#llx, expected %#llx\n",
			       precis_field_name(field), context->core, context->facility,
			       precis_pebs_word_name(word), (unsigned long long)changed[field],
			       (unsigned long long)may);
	}
}

static void flip_record(const struct precis_pebs_machine *machine, uint32_t layout)
{
	struct precis_pebs pebs = any_record(layout);
	struct precis_pebs_context context;

	CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&context, machine), 0);
	for (uint32_t word = 0; word < PRECIS_PEBS_WORD_COUNT; word++)
		flip_word(&context, &pebs, word, word == PRECIS_PEBS_RETIRE_LATENCY ? 16 : 64);
}

static void each_bit(void)
{
	for_all(flip_record);
	printf("# %llu fields changed\n", (unsigned long long)changes);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(changes > 10000);
}

/* All that the catalogue names has been seen, and nothing that it does not name */
static void all_bits(void)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		uint32_t value = (uint32_t)precis_pebs_value_of(field);
		uint64_t named;

		if (value == PEBS_VALUE_NONE || value == PEBS_VALUE_IP_EXACT ||
		    precis_pebs_values[value].word == NO_WORD) {
			CU_ASSERT_EQUAL(ever[field], 0);
			continue;
		}
		if (precis_pebs_values[value].access != NO_ACCESS) {
			CU_ASSERT_NOT_EQUAL(ever[field], 0);
			continue;
		}
		named = bits_of_text(field);
		if (ever[field] != named)
			printf("# %s: bits %#llx, named %#llx\n", precis_field_name(field),
			       (unsigned long long)ever[field], (unsigned long long)named);
		CU_ASSERT_EQUAL(ever[field], named);
	}
}

static const struct tap_case cases[] = {
	{ "each bit changes the fields that it is named for", each_bit },
	{ "each bit that is named has changed its field", all_bits },
};

int main(void)
{
	return tap_main("PEBS samples, bit by bit", cases, sizeof(cases) / sizeof(cases[0]));
}
