/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells samples apart, with registers of IBS and without. */
#include "groups.h"

int unit_has_field(enum precis_ibs_unit unit, uint32_t field)
{
	uint64_t bits = 0;

	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++)
		bits |= precis_ibs_field_bits(unit, field, (enum precis_ibs_register)reg, NULL);
	return bits != 0;
}

/* The bits that decide over these fields but for those that are the number itself. */
static uint64_t deciding_bits(enum precis_ibs_unit unit, enum precis_ibs_register reg,
			      const uint64_t *decided, const uint64_t *measured)
{
	uint64_t bits = 0, value_bits;

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		if (precis_fields_have(decided, field))
			bits |= precis_ibs_field_bits(unit, field, reg, NULL);
		else if (precis_fields_have(measured, field))
			bits |= precis_ibs_field_bits(unit, field, reg, &value_bits) & ~value_bits;
	}
	return bits;
}

struct group_bits group_bits_of(const uint64_t *decided, const uint64_t *measured)
{
	return (struct group_bits){
		.op = {
			.control = deciding_bits(PRECIS_IBS_OP, PRECIS_IBS_OP_CTL, decided, measured),
			.data = deciding_bits(PRECIS_IBS_OP, PRECIS_IBS_OP_DATA, decided, measured),
			.data2 = deciding_bits(PRECIS_IBS_OP, PRECIS_IBS_OP_DATA2, decided, measured),
			.data3 = deciding_bits(PRECIS_IBS_OP, PRECIS_IBS_OP_DATA3, decided, measured),
		},
		.fetch = {
			.control = deciding_bits(PRECIS_IBS_FETCH, PRECIS_IBS_FETCH_CTL, decided, measured),
			.data = 1,
		},
	};
}

/* Numbers of PEBS that each sample has or lacks for itself */
static const uint8_t measured_of_words[] = {
	PRECIS_FIELD_LOAD_LATENCY,
	PRECIS_FIELD_CACHE_LATENCY,
	PRECIS_FIELD_INSTRUCTION_LATENCY,
	PRECIS_FIELD_RETIRE_LATENCY,
};

struct group_key group_key_of_words(uint64_t measured, const struct precis_sample *sample,
				    uint32_t part, uint32_t weight)
{
	const struct precis_perf_words *words = &sample->registers.perf_words;
	const struct precis_pebs *pebs = &sample->registers.pebs;
	struct group_key key = {
		.form = group_form(weight, sample->event_kind, sample->source, 0,
				   (uint32_t)sample->payload_error),
		.measured = measured,
		.control = part,
	};

	if (sample->source == PRECIS_SOURCE_PERF_WORDS) {
		key.data = words->data_src;
		key.data2 = words->captured;
	} else if (sample->source == PRECIS_SOURCE_PEBS) {
		key.data = pebs->word[PRECIS_PEBS_DATA_SOURCE];
		key.data2 = pebs->captured;
	}
	for (size_t i = 0; i < sizeof(measured_of_words); i++)
		key.data3 |= (uint64_t)precis_fields_have(sample->present, measured_of_words[i])
			     << i;
	return key;
}
