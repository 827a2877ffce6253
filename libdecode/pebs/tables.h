/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of PEBS as tables: which values its records have, under which gates. */
#ifndef PRECIS_PEBS_TABLES_H
#define PRECIS_PEBS_TABLES_H

#include <precis/access.h>
#include <precis/pebs_record.h>

#include "../sample/catalogue.h"

/* Gates are the low bits of a gate word. */
enum {
#define PRECIS_PEBS_GATE(id, ...) PEBS_GATE_##id,
#include "gates.def"
#undef PRECIS_PEBS_GATE
	PEBS_GATE_COUNT
};
enum {
#define PRECIS_PEBS_GATE(id, ...) PEBS_GATES_##id = 1 << PEBS_GATE_##id,
#include "gates.def"
#undef PRECIS_PEBS_GATE
	/* and what many rows need together */
	PEBS_GATES_MEMORY = PEBS_GATES_CPU_KNOWN | PEBS_GATES_EVENT_KNOWN | PEBS_GATES_MEMORY_EVENT |
			    PEBS_GATES_DEFINED | PEBS_GATES_CAPTURED,
	PEBS_GATES_MEASURED = PEBS_GATES_MEMORY | PEBS_GATES_WEIGHT_KNOWN |
			      PEBS_GATES_LATENCY_EVENT,
	PEBS_GATES_RETIRE = PEBS_GATES_CPU_KNOWN | PEBS_GATES_RETIRE_LATENCY |
			    PEBS_GATES_RETIRE_CAPABILITY_KNOWN | PEBS_GATES_RETIRE_CAPABILITY |
			    PEBS_GATES_RETIRE_KERNEL | PEBS_GATES_CAPTURED | PEBS_GATES_RETIRE_VALID
};

_Static_assert(PEBS_GATE_COUNT < 31, "gates of PEBS fields fit an int");

/* No gate: the record came out of a trace, and what is absent is so for reasons of its own. */
#define PEBS_OF_TRACE (UINT64_C(1) << 31)

/* Above the gates of a raw record: its words that the core defines, by enum precis_pebs_word. */
#define PEBS_WORDS_SHIFT 32u

enum pebs_value {
#define PRECIS_PEBS_VALUE(id, ...) PEBS_VALUE_##id,
#include "values.def"
#undef PRECIS_PEBS_VALUE
	PEBS_VALUE_COUNT,
	PEBS_VALUE_NONE = PEBS_VALUE_COUNT
};

#define NO_WORD UINT8_MAX
#define NO_ACCESS UINT8_MAX

/* How a value is cut out of its word. */
struct value_cut {
	uint8_t low, bits; /* no bits: it takes more than a cut */
	uint8_t zero_is_absent;
};

struct pebs_value_row {
	uint8_t field; /* enum precis_field */
	uint8_t word; /* enum precis_pebs_word or NO_WORD */
	struct value_cut cut;
	uint8_t perf; /* enum perf_source */
	uint8_t access; /* enum precis_access_field or NO_ACCESS */
	uint32_t gates; /* PEBS_GATES_* */
	const char *source;
};

struct pebs_gate {
	uint8_t reason; /* enum precis_reason */
	const char *rule, *detail;
};

extern const struct pebs_value_row precis_pebs_values[PEBS_VALUE_COUNT];
extern const struct pebs_gate precis_pebs_gates[PEBS_GATE_COUNT];

/* The value that a field is; PEBS_VALUE_NONE: PEBS never has the field. */
enum pebs_value precis_pebs_value_of(uint32_t field);

#endif
