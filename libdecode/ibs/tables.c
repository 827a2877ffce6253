/* SPDX-License-Identifier: BSD-3-Clause */
/* The .def files of IBS as tables, and the few questions that the tables alone answer. */
#include <precis/error.h>
#include <precis/sample.h>

#include "tables.h"

/* No bits of no register: rows say NONE for it. */
enum { PRECIS_IBS_NONE = 0 };

/* clang-format off */
const char *const precis_register_names[PRECIS_IBS_REGISTER_COUNT] = {
#define PRECIS_REGISTER(id, unit, name, msr) [PRECIS_IBS_##id] = name,
#include "registers.def"
#undef PRECIS_REGISTER
};

const struct ibs_source precis_ibs_sources[IBS_UNITS][PRECIS_FIELD_COUNT] = {
#define D(id) DYNAMIC_GATE(id)
#define S(id) STATIC_GATE(id)
#define SPAN(first, last) IBS_REG_##first, IBS_LOW_##first, IBS_SPAN_WIDTH(first, last)
#define BITS(id) SPAN(id, id)
#define NO_BITS(reg) PRECIS_IBS_##reg, 0, 0
#define ROW(id, bits, transform, gates) [PRECIS_FIELD_##id] = { bits, TRANSFORM_##transform, gates },
	[PRECIS_IBS_OP] = {
#define PRECIS_IBS_OP_FIELD ROW
#include "fields.def"
#undef PRECIS_IBS_OP_FIELD
	},
	[PRECIS_IBS_FETCH] = {
#define PRECIS_IBS_FETCH_FIELD ROW
#include "fields.def"
#undef PRECIS_IBS_FETCH_FIELD
	},
#undef D
#undef S
#undef SPAN
#undef BITS
#undef NO_BITS
#undef ROW
};

const struct dynamic_gate precis_dynamic_gates[DYNAMIC_COUNT] = {
#define PRECIS_DYNAMIC_GATE(id, reason, rule, detail, reg1, bits1, reg2, bits2)                     \
	[DYNAMIC_##id] = { PRECIS_##reason, rule, detail,                                          \
			   { { PRECIS_IBS_##reg1, bits1 }, { PRECIS_IBS_##reg2, bits2 } } },
#include "gates.def"
#undef PRECIS_DYNAMIC_GATE
};

const struct static_gate precis_static_gates[STATIC_COUNT] = {
#define PRECIS_STATIC_GATE(id, cores, caps, rule, detail)                                          \
	[STATIC_##id] = { cores, caps, rule, detail },
#include "gates.def"
#undef PRECIS_STATIC_GATE
};

const struct transform_row precis_transforms[TRANSFORM_COUNT] = {
#define PRECIS_TRANSFORM(id, source, reg1, bits1, reg2, bits2)                                     \
	[TRANSFORM_##id] = { source,                                                               \
			     { { PRECIS_IBS_##reg1, bits1 }, { PRECIS_IBS_##reg2, bits2 } } },
#include "transforms.def"
#undef PRECIS_TRANSFORM
};
/* clang-format on */

int precis_ibs_check_columns(enum precis_ibs_unit unit, const uint32_t *fields, size_t count,
			     uint64_t *const *present)
{
	for (size_t i = 0; i < count; i++) {
		if (!ibs_has(unit, fields[i]))
			return PRECIS_E_NO_FIELD;
		if (!present[PRECIS_FIELD_WORD(fields[i])])
			return PRECIS_E_ARGUMENT;
	}
	return 0;
}

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

uint64_t precis_value_bits(enum precis_ibs_unit unit, uint32_t field, uint32_t reg)
{
	const struct ibs_source *source = &precis_ibs_sources[unit][field];
	const struct transform_row *transform = &precis_transforms[source->transform];
	uint64_t bits = 0;

	if (source->reg == reg && source->width)
		bits = ALL_BITS >> (64 - source->width) << source->low;
	for (unsigned int i = 0; i < 2; i++) {
		if (transform->extra[i].reg == reg)
			bits |= transform->extra[i].bits;
	}
	return bits;
}
