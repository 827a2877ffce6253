/* SPDX-License-Identifier: BSD-3-Clause */
/* values.def and gates.def as tables. */
#include "tables.h"

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
const struct pebs_value_row precis_pebs_values[PEBS_VALUE_COUNT] = {
#define P(id) PEBS_GATES_##id
#define CUT(low, bits, zero) { low, bits, zero }
#define NO_CUT { 0, 0, 0 }
#define ZERO_IS_NONE 1
#define ZERO_COUNTS 0
#define PRECIS_PEBS_VALUE(id, field, word, cut, perf, access, gates, source)                        \
	[PEBS_VALUE_##id] = { PRECIS_FIELD_##field, WORD_##word, cut, PERF_SOURCE_##perf,           \
			      ACCESS_##access, gates, source },
#include "values.def"
#undef PRECIS_PEBS_VALUE
#undef P
};

const struct pebs_gate precis_pebs_gates[PEBS_GATE_COUNT] = {
#define PRECIS_PEBS_GATE(id, reason, rule, detail)                                                 \
	[PEBS_GATE_##id] = { PRECIS_##reason, rule, detail },
#include "gates.def"
#undef PRECIS_PEBS_GATE
};
/* clang-format on */

/* Values by field, counted from 1 */
static const uint8_t values_of[PRECIS_FIELD_COUNT] = {
#define PRECIS_PEBS_VALUE(id, field, ...) [PRECIS_FIELD_##field] = PEBS_VALUE_##id + 1,
#include "values.def"
#undef PRECIS_PEBS_VALUE
};

enum pebs_value precis_pebs_value_of(uint32_t field)
{
	return field < PRECIS_FIELD_COUNT && values_of[field] ?
		       (enum pebs_value)(values_of[field] - 1) :
		       PEBS_VALUE_NONE;
}
