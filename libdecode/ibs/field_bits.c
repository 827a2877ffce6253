/* SPDX-License-Identifier: BSD-3-Clause */
/* Which bits of a payload decide over a field, by the tables. */
#include "errata.h"

/* Gates name the registers of both units. */
static int is_of(enum precis_ibs_unit unit, uint32_t reg)
{
	return unit == (reg >= PRECIS_IBS_FETCH_CTL ? PRECIS_IBS_FETCH : PRECIS_IBS_OP);
}

static uint64_t gate_bits(const struct dynamic_gate *gate, uint32_t reg)
{
	uint64_t bits = 0;

	for (unsigned int i = 0; i < 2; i++) {
		if (gate->looks_at[i].reg == reg)
			bits |= gate->looks_at[i].bits;
	}
	return bits;
}

/* Do the static gates let a core have the field at all? */
static int core_can_have(uint32_t core, const struct ibs_source *source)
{
	for (unsigned int i = 0; i < STATIC_COUNT; i++) {
		if ((source->gates >> (STATIC_SHIFT + i) & 1) &&
		    !(precis_static_gates[i].cores >> core & 1))
			return 0;
	}
	return 1;
}

static int erratum_matters(const struct erratum_row *row, enum precis_ibs_unit unit,
			   uint32_t field)
{
	const struct ibs_source *source = &precis_ibs_sources[unit][field];

	return row->unit == unit && core_can_have(row->core, source) &&
	       precis_erratum_takes(row, unit, field);
}

uint64_t precis_ibs_field_bits(enum precis_ibs_unit unit, uint32_t field,
			       enum precis_ibs_register reg, uint64_t *value_bits)
{
	const struct ibs_source *source;
	uint64_t bits;

	if (value_bits)
		*value_bits = 0;
	if (field >= PRECIS_FIELD_COUNT || (uint32_t)reg >= PRECIS_IBS_REGISTER_COUNT ||
	    !is_of(unit, (uint32_t)reg))
		return 0;
	source = &precis_ibs_sources[unit][field];
	if (!ibs_has(unit, field))
		return 0;
	bits = precis_value_bits(unit, field, (uint32_t)reg);
	if (value_bits)
		*value_bits = bits;
	for (unsigned int i = 0; i < DYNAMIC_COUNT; i++) {
		if (source->gates & (UINT64_C(1) << i))
			bits |= gate_bits(&precis_dynamic_gates[i], (uint32_t)reg);
	}
	for (uint32_t i = 0; i < PRECIS_IBS_ERRATA; i++) {
		const struct erratum_row *row = &precis_errata[i];

		if (row->when.reg == reg && erratum_matters(row, unit, field))
			bits |= row->when.bits;
	}
	return bits;
}
