/* SPDX-License-Identifier: BSD-3-Clause */
/* errata.def as a table. */
#include <precis/error.h>

#include "errata.h"

/* clang-format off */
#define BITS_OF(reg, bits) { PRECIS_IBS_##reg, bits }
#define CONDITION(condition_, reg, bits) .condition = CONDITION_##condition_, .when = BITS_OF(reg, bits)
#define ALWAYS .condition = CONDITION_ALWAYS
#define ANY_SET(reg, bits) CONDITION(ANY_SET, reg, bits)
#define ALL_CLEAR(reg, bits) CONDITION(ALL_CLEAR, reg, bits)
#define LOST(...) .lost = { __VA_ARGS__ }
#define PAGE_SIZES(...) .page_shifts = { __VA_ARGS__ }
#define NO_HARM .lost = { { 0, 0 } }

const struct erratum_row precis_errata[PRECIS_IBS_ERRATA] = {
#define PRECIS_ERRATUM(number_, effect_, core_, unit_, condition, harm, models_, summary_, source_)   \
	{ .name = "AMD-" #number_, .models = models_, .summary = summary_, .source = source_,        \
	  .number = number_, .effect = PRECIS_ERRATUM_##effect_, .core = PRECIS_AMD_##core_,         \
	  .unit = PRECIS_IBS_##unit_, condition, harm },
#include "errata.def"
#undef PRECIS_ERRATUM
};
/* clang-format on */
#undef ALWAYS
#undef ANY_SET
#undef ALL_CLEAR

/*
 * How many rows of each core have a condition, four bits for each core: none may need more gates
 * than there are.
 */
#define ALWAYS 0
#define ANY_SET(...) 1
#define ALL_CLEAR(...) 1
#define LOSES(unit) unit
#define REENCODES(unit) 0
#define NOTE(unit) 0
#define EACH_CORE(count) (UINT64_C(0x1111111111111111) * (count))
#define PRECIS_ERRATUM(number, effect, core, unit, condition, ...)                                  \
	+(effect(unit) && (condition) ? UINT64_C(1) << 4 * PRECIS_AMD_##core : 0)
_Static_assert(PRECIS_AMD_CORE_COUNT <= 16, "a core has four bits of the counts");
#define OP 1
#define FETCH 0
_Static_assert((((0
#include "errata.def"
	) + EACH_CORE(7 - ERRATUM_GATES)) & EACH_CORE(8)) == 0,
	       "each core has a gate for each of its conditional errata of ibs_op");
#undef OP
#undef FETCH
#define OP 0
#define FETCH 1
_Static_assert((((0
#include "errata.def"
	) + EACH_CORE(7 - ERRATUM_GATES)) & EACH_CORE(8)) == 0,
	       "each core has a gate for each of its conditional errata of ibs_fetch");
#undef PRECIS_ERRATUM

uint32_t precis_errata_of(uint32_t cores)
{
	uint32_t rows = 0;

	for (uint32_t i = 0; i < PRECIS_IBS_ERRATA; i++) {
		if (cores & (1u << precis_errata[i].core))
			rows |= 1u << i;
	}
	return rows;
}

int precis_ibs_erratum(uint32_t n, struct precis_erratum *erratum)
{
	const struct erratum_row *row = &precis_errata[n];

	if (n >= PRECIS_IBS_ERRATA)
		return PRECIS_E_ARGUMENT;
	erratum->effect = row->effect;
	erratum->cores = 1u << row->core;
	erratum->unit = row->unit;
	erratum->name = row->name;
	erratum->models = row->models;
	erratum->summary = row->summary;
	erratum->source = row->source;
	return 0;
}

int precis_erratum_takes(const struct erratum_row *row, enum precis_ibs_unit unit, uint32_t field)
{
	if (row->unit != unit || row->effect != PRECIS_ERRATUM_LOSES)
		return 0;
	for (unsigned int i = 0; i < 4; i++) {
		const struct register_bits *lost = &row->lost[i];

		if (lost->bits & precis_value_bits(unit, field, lost->reg))
			return 1;
	}
	return 0;
}
