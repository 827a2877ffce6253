/* SPDX-License-Identifier: BSD-3-Clause */
/* Which bits of a payload decide over a field, by the tables. */
#include "context.h"

static uint64_t gate_bits(const struct dynamic_gate *gate, uint32_t reg)
{
	uint64_t bits = 0;

	for (unsigned int i = 0; i < 3; i++) {
		if (gate->looks_at[i].reg == reg)
			bits |= gate->looks_at[i].bits;
	}
	return bits;
}

uint64_t precis_ibs_field_bits(enum precis_ibs_unit unit, uint32_t field,
			       enum precis_ibs_register reg, uint64_t *value_bits)
{
	const struct ibs_source *source;
	uint64_t bits;

	if (value_bits)
		*value_bits = 0;
	if (field >= PRECIS_FIELD_COUNT || (uint32_t)unit > PRECIS_IBS_FETCH)
		return 0;
	source = &precis_field_rows[field].ibs[unit];
	if (source->reg == NO_REGISTER)
		return 0;
	bits = precis_value_bits(unit, field, (uint32_t)reg);
	if (value_bits)
		*value_bits = bits;
	for (unsigned int i = 0; i < DYNAMIC_COUNT; i++) {
		if (source->gates & (UINT64_C(1) << i))
			bits |= gate_bits(&precis_dynamic_gates[i], (uint32_t)reg);
	}
	for (uint32_t i = 0; i < precis_errata_count; i++) {
		const struct erratum_row *row = &precis_errata[i];

		if (precis_erratum_takes(row, unit, field) && row->when.reg == reg)
			bits |= row->when.bits;
	}
	return bits;
}
