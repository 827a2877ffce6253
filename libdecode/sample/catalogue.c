/* SPDX-License-Identifier: BSD-3-Clause */
/* The .def files as tables, and the few questions that the tables alone answer. */
#include "catalogue.h"

enum {
#define PRECIS_REGISTER(id, unit, name, msr) REGISTER_##id = PRECIS_IBS_##id,
#include "ibs_registers.def"
#undef PRECIS_REGISTER
	REGISTER_NONE = NO_REGISTER
};

enum {
	WORD_NONE = NO_WORD,
	WORD_EVENTING_IP = PRECIS_PEBS_EVENTING_IP,
	WORD_DATA_ADDRESS = PRECIS_PEBS_DATA_ADDRESS,
	WORD_DATA_SOURCE = PRECIS_PEBS_DATA_SOURCE,
	WORD_LATENCY = PRECIS_PEBS_LATENCY,
	WORD_RETIRE_LATENCY = PRECIS_PEBS_RETIRE_LATENCY,
	WORD_TSX = PRECIS_PEBS_TSX,
	WORD_TSC = PRECIS_PEBS_TSC,
	WORD_APPLICABLE_COUNTERS = PRECIS_PEBS_APPLICABLE_COUNTERS,
	ACCESS_NONE = NO_ACCESS,
	ACCESS_MEM_LEVEL = PRECIS_ACCESS_MEM_LEVEL,
	ACCESS_MEM_REMOTE = PRECIS_ACCESS_MEM_REMOTE,
	ACCESS_MEM_SNOOP = PRECIS_ACCESS_MEM_SNOOP,
	ACCESS_DCACHE_MISS = PRECIS_ACCESS_DCACHE_MISS,
	ACCESS_L2_MISS = PRECIS_ACCESS_L2_MISS,
	ACCESS_TLB_LEVEL = PRECIS_ACCESS_TLB_LEVEL,
	ACCESS_LOCKED = PRECIS_ACCESS_LOCKED,
	ACCESS_LINE_FORWARDED = PRECIS_ACCESS_LINE_FORWARDED,
	ACCESS_DATA_BLOCKED = PRECIS_ACCESS_DATA_BLOCKED,
	ACCESS_ADDRESS_BLOCKED = PRECIS_ACCESS_ADDRESS_BLOCKED,
	ACCESS_FILL_BUFFER_FULL = PRECIS_ACCESS_FILL_BUFFER_FULL,
};

/* clang-format off */
const char *const precis_register_names[PRECIS_IBS_REGISTER_COUNT] = {
#define PRECIS_REGISTER(id, unit, name, msr) [PRECIS_IBS_##id] = name,
#include "ibs_registers.def"
#undef PRECIS_REGISTER
};

const struct field_row precis_field_rows[PRECIS_FIELD_COUNT] = {
#define D(id) DYNAMIC_GATE(id)
#define S(id) STATIC_GATE(id)
#define OP(reg, low, width, transform, gates) { REGISTER_##reg, low, width, TRANSFORM_##transform, gates }
#define FETCH(reg, low, width, transform, gates) OP(reg, low, width, transform, gates)
#define NO_OP { NO_REGISTER, 0, 0, 0, 0 }
#define NO_FETCH NO_OP
#define P(id) PEBS_GATES_##id
#define PEBS(value, gates) { PEBS_VALUE_##value, gates }
#define NO_PEBS { PEBS_VALUE_NONE, 0 }
#define PERF(source) PERF_SOURCE_##source
#define NO_PERF PERF_SOURCE_NONE
#define PRECIS_FIELD(id, name, aliases, type, unit, op, fetch, pebs, perf, meaning)                      \
	[PRECIS_FIELD_##id] = { #name, aliases, meaning, PRECIS_TYPE_##type, PRECIS_UNIT_##unit,   \
				perf, { op, fetch }, pebs },
#include <precis/fields.def>
#undef PRECIS_FIELD
#undef D
#undef S
#undef P
#undef OP
#undef FETCH
};

const struct pebs_gate precis_pebs_gates[PEBS_GATE_COUNT] = {
#define PRECIS_PEBS_GATE(id, reason, rule, detail)                                                 \
	[PEBS_GATE_##id] = { PRECIS_##reason, rule, detail },
#include "pebs_gates.def"
#undef PRECIS_PEBS_GATE
};

const struct pebs_value_row precis_pebs_values[PEBS_VALUE_COUNT] = {
#define PRECIS_PEBS_VALUE(id, word, perf, access, source)                                             \
	[PEBS_VALUE_##id] = { WORD_##word, PERF_SOURCE_##perf, ACCESS_##access, source },
#include "pebs_values.def"
#undef PRECIS_PEBS_VALUE
};

const struct dynamic_gate precis_dynamic_gates[DYNAMIC_COUNT] = {
#define PRECIS_DYNAMIC_GATE(id, reason, rule, detail, reg1, bits1, reg2, bits2)                     \
	[DYNAMIC_##id] = { PRECIS_##reason, rule, detail,                                          \
			   { { REGISTER_##reg1, bits1 }, { REGISTER_##reg2, bits2 } } },
#include "ibs_gates.def"
#undef PRECIS_DYNAMIC_GATE
};

const struct static_gate precis_static_gates[STATIC_COUNT] = {
#define PRECIS_STATIC_GATE(id, cores, caps, rule, detail)                                          \
	[STATIC_##id] = { cores, caps, rule, detail },
#include "ibs_gates.def"
#undef PRECIS_STATIC_GATE
};

const struct transform_row precis_transforms[TRANSFORM_COUNT] = {
#define PRECIS_TRANSFORM(id, source, reg1, bits1, reg2, bits2)                                     \
	[TRANSFORM_##id] = { source, { { REGISTER_##reg1, bits1 }, { REGISTER_##reg2, bits2 } } },
#include "ibs_transforms.def"
#undef PRECIS_TRANSFORM
};

const struct erratum_row precis_errata[] = {
#define PRECIS_ERRATUM_ROW(name, effect, core, unit, condition, reg, bits, reg1, bits1, reg2,      \
			   bits2, reg3, bits3, reg4, bits4, models, summary, source)               \
	{ name, models, summary, source, PRECIS_ERRATUM_##effect, PRECIS_AMD_##core,              \
	  PRECIS_IBS_##unit, CONDITION_##condition, { REGISTER_##reg, bits },                      \
	  { { REGISTER_##reg1, bits1 }, { REGISTER_##reg2, bits2 },                                \
	    { REGISTER_##reg3, bits3 }, { REGISTER_##reg4, bits4 } } },
#include "errata.def"
#undef PRECIS_ERRATUM_ROW
};
/* clang-format on */

const uint32_t precis_errata_count = sizeof(precis_errata) / sizeof(precis_errata[0]);

_Static_assert(sizeof(precis_errata) / sizeof(precis_errata[0]) <= 32,
	       "a sample notes the errata that concern it in 32 bits");

uint64_t precis_static_gates_held(uint32_t cores, uint32_t caps)
{
	uint64_t held = 0;

	for (unsigned int i = 0; i < STATIC_COUNT; i++) {
		const struct static_gate *gate = &precis_static_gates[i];

		if (cores && !(cores & ~gate->cores) && (caps & gate->caps) == gate->caps)
			held |= UINT64_C(1) << (STATIC_SHIFT + i);
	}
	return held;
}

uint32_t precis_errata_of(uint32_t cores)
{
	uint32_t rows = 0;

	for (uint32_t i = 0; i < precis_errata_count; i++) {
		if (cores & (1u << precis_errata[i].core))
			rows |= 1u << i;
	}
	return rows;
}

uint64_t precis_value_bits(enum precis_ibs_unit unit, uint32_t field, uint32_t reg)
{
	const struct ibs_source *source = &precis_field_rows[field].ibs[unit];
	const struct transform_row *transform = &precis_transforms[source->transform];
	uint64_t bits = 0;

	if (source->reg == NO_REGISTER)
		return 0;
	if (source->reg == reg && source->width)
		bits = (source->width < 64 ? (UINT64_C(1) << source->width) - 1 : ~UINT64_C(0))
		       << source->low;
	for (unsigned int i = 0; i < 2; i++) {
		if (transform->extra[i].reg == reg)
			bits |= transform->extra[i].bits;
	}
	return bits;
}

int precis_erratum_takes(const struct erratum_row *row, enum precis_ibs_unit unit, uint32_t field)
{
	if (row->unit != unit || row->effect != PRECIS_ERRATUM_LOSES)
		return 0;
	for (unsigned int i = 0; i < 4; i++) {
		const struct register_bits *lost = &row->lost[i];

		if (lost->reg != NO_REGISTER && (lost->bits & precis_value_bits(unit, field, lost->reg)))
			return 1;
	}
	return 0;
}
