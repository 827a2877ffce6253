/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue's facts as tables, for the rooms that decode and explain. */
#ifndef PRECIS_SAMPLE_CATALOGUE_H
#define PRECIS_SAMPLE_CATALOGUE_H

#include <stdint.h>

#include <precis/access.h>
#include <precis/amd.h>
#include <precis/errata.h>
#include <precis/fields.h>
#include <precis/ibs.h>
#include <precis/pebs_record.h>
#include <precis/sample.h>

#include "abi.h"

/* Dynamic gates are bits 0 to 31 of a gate word, static ones from 32 on. */
enum {
#define PRECIS_DYNAMIC_GATE(id, ...) DYNAMIC_##id,
#include "ibs_gates.def"
#undef PRECIS_DYNAMIC_GATE
	DYNAMIC_COUNT
};
enum {
#define PRECIS_STATIC_GATE(id, ...) STATIC_##id,
#include "ibs_gates.def"
#undef PRECIS_STATIC_GATE
	STATIC_COUNT
};
#define STATIC_SHIFT 32
#define DYNAMIC_GATE(id) (UINT64_C(1) << DYNAMIC_##id)
#define STATIC_GATE(id) (UINT64_C(1) << (STATIC_SHIFT + STATIC_##id))
#define DYNAMIC_GATES UINT64_C(0xffffffff)
#define ERRATUM_GATES 2u /* ERRATUM_A and the one behind it */

_Static_assert(DYNAMIC_COUNT <= STATIC_SHIFT, "dynamic gates fill the low half of a gate word");
_Static_assert(STATIC_COUNT <= 32, "static gates fill the high half of a gate word");

enum ibs_transform {
#define PRECIS_TRANSFORM(id, ...) TRANSFORM_##id,
#include "ibs_transforms.def"
#undef PRECIS_TRANSFORM
	TRANSFORM_COUNT
};

/* Gates of PEBS fields are the low bits of a gate word. */
enum {
#define PRECIS_PEBS_GATE(id, ...) PEBS_GATE_##id,
#include "pebs_gates.def"
#undef PRECIS_PEBS_GATE
	PEBS_GATE_COUNT
};
enum {
#define PRECIS_PEBS_GATE(id, ...) PEBS_GATES_##id = 1 << PEBS_GATE_##id,
#include "pebs_gates.def"
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

/*
 * Above the gates of a raw record: its words that the core defines. Of the
 * kernel's words: those that the sample has, by enum perf_source.
 */
#define PEBS_WORDS_SHIFT 32u

enum pebs_value {
#define PRECIS_PEBS_VALUE(id, ...) PEBS_VALUE_##id,
#include "pebs_values.def"
#undef PRECIS_PEBS_VALUE
	PEBS_VALUE_COUNT,
	PEBS_VALUE_NONE = PEBS_VALUE_COUNT
};

#define NO_REGISTER UINT8_MAX
#define NO_WORD UINT8_MAX
#define NO_ACCESS UINT8_MAX

/* Bits of one register. */
struct register_bits {
	uint8_t reg; /* enum precis_ibs_register or NO_REGISTER */
	uint64_t bits;
};

/* Where a field stands in one kind of payload. */
struct ibs_source {
	uint8_t reg; /* NO_REGISTER: this kind of payload never has the field */
	uint8_t low, width;
	uint8_t transform;
	uint64_t gates;
};

/* What of a PEBS record a field is. */
struct pebs_source {
	uint8_t value; /* enum pebs_value; PEBS_VALUE_NONE: PEBS never has the field */
	uint32_t gates; /* PEBS_GATES_* */
};

/* Which generic sample field also gives a field. */
enum perf_source {
	PERF_SOURCE_NONE,
	PERF_SOURCE_EVENT,
	PERF_SOURCE_MISC,
	PERF_SOURCE_IP,
	PERF_SOURCE_TID,
	PERF_SOURCE_TIME,
	PERF_SOURCE_ADDR,
	PERF_SOURCE_CPU,
	PERF_SOURCE_PERIOD,
	PERF_SOURCE_WEIGHT,
	PERF_SOURCE_WEIGHT_STRUCT,
	PERF_SOURCE_DATA_SRC,
	PERF_SOURCE_TRANSACTION,
	PERF_SOURCE_PHYS_ADDR,
	PERF_SOURCE_DATA_PAGE_SIZE,
	PERF_SOURCE_CODE_PAGE_SIZE,
	PERF_SOURCE_CGROUP,
	PERF_SOURCE_COUNT
};

struct field_row {
	const char *name, *aliases, *meaning;
	uint8_t type, unit;
	uint8_t perf; /* enum perf_source */
	struct ibs_source ibs[2]; /* by enum precis_ibs_unit */
	struct pebs_source pebs;
};

struct pebs_gate {
	uint8_t reason; /* enum precis_reason */
	const char *rule, *detail;
};

struct pebs_value_row {
	uint8_t word; /* enum precis_pebs_word or NO_WORD */
	uint8_t perf; /* enum perf_source */
	uint8_t access; /* enum precis_access_field or NO_ACCESS */
	const char *source;
};

struct dynamic_gate {
	uint8_t reason; /* enum precis_reason */
	const char *rule, *detail;
	struct register_bits looks_at[2];
};

struct static_gate {
	uint32_t cores, caps;
	const char *rule, *detail;
};

struct transform_row {
	const char *source;
	struct register_bits extra[2];
};

enum erratum_condition { CONDITION_ALWAYS, CONDITION_ANY_SET, CONDITION_ALL_CLEAR };

struct erratum_row {
	const char *name, *models, *summary, *source;
	uint8_t effect; /* enum precis_erratum_effect */
	uint8_t core;   /* enum precis_amd_core */
	uint8_t unit;   /* enum precis_ibs_unit */
	uint8_t condition;
	struct register_bits when;
	struct register_bits lost[4];
};

extern const struct field_row precis_field_rows[PRECIS_FIELD_COUNT];
extern const struct dynamic_gate precis_dynamic_gates[DYNAMIC_COUNT];
extern const struct static_gate precis_static_gates[STATIC_COUNT];
extern const struct pebs_gate precis_pebs_gates[PEBS_GATE_COUNT];
extern const struct pebs_value_row precis_pebs_values[PEBS_VALUE_COUNT];
extern const struct transform_row precis_transforms[TRANSFORM_COUNT];
extern const struct erratum_row precis_errata[];
extern const uint32_t precis_errata_count;
extern const char *const precis_register_names[PRECIS_IBS_REGISTER_COUNT];

/* The static gates that hold on every one of these cores with these caps. */
uint64_t precis_static_gates_held(uint32_t cores, uint32_t caps);

/* The rows of the errata table that concern one of these cores. */
uint32_t precis_errata_of(uint32_t cores);

/* The bits of a register that make a field's value. */
uint64_t precis_value_bits(enum precis_ibs_unit unit, uint32_t field, uint32_t reg);

/* Does the erratum make this field's value untrustworthy? */
int precis_erratum_takes(const struct erratum_row *row, enum precis_ibs_unit unit, uint32_t field);

/*
 * Fields that weigh themselves which of their bits an erratum spares, so that
 * they are lost only when nothing trustworthy is left.
 */
static inline int precis_weighs_itself(const struct ibs_source *source)
{
	return source->transform == TRANSFORM_MEM_LEVEL;
}

#endif
