/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of IBS as tables: where fields stand, their gates and transforms, errata. */
#ifndef PRECIS_IBS_TABLES_H
#define PRECIS_IBS_TABLES_H

#include <precis/amd.h>
#include <precis/errata.h>
#include <precis/fields.h>
#include <precis/ibs.h>

#include "cores.h"
#include "masks.h"

/* Dynamic gates are bits 0 to 31 of a gate word, static ones from 32 on. */
enum {
#define PRECIS_DYNAMIC_GATE(id, ...) DYNAMIC_##id,
#include "gates.def"
#undef PRECIS_DYNAMIC_GATE
	DYNAMIC_COUNT
};
enum {
#define PRECIS_STATIC_GATE(id, ...) STATIC_##id,
#include "gates.def"
#undef PRECIS_STATIC_GATE
	STATIC_COUNT
};
#define STATIC_SHIFT 32
#define DYNAMIC_GATE(id) (UINT64_C(1) << DYNAMIC_##id)
#define STATIC_GATE(id) (UINT64_C(1) << (STATIC_SHIFT + STATIC_##id))
#define DYNAMIC_GATES UINT64_C(0xffffffff)

_Static_assert(DYNAMIC_COUNT <= STATIC_SHIFT, "dynamic gates fill the low half of a gate word");
_Static_assert(STATIC_COUNT <= 32, "static gates fill the high half of a gate word");

enum ibs_transform {
	TRANSFORM_NONE, /* this kind of payload never has the field */
#define PRECIS_TRANSFORM(id, ...) TRANSFORM_##id,
#include "transforms.def"
#undef PRECIS_TRANSFORM
	TRANSFORM_COUNT
};

/* Bits of one register; none are of no register. */
struct register_bits {
	uint8_t reg; /* enum precis_ibs_register */
	uint64_t bits;
};

/* Where a field stands in one kind of payload. */
struct ibs_source {
	uint8_t reg; /* enum precis_ibs_register */
	uint8_t low, width;
	uint8_t transform; /* enum ibs_transform */
	uint64_t gates;
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

#define IBS_UNITS 2u /* enum precis_ibs_unit */

/* As large as the number of the catalogue's last field that IBS has */
union ibs_fields {
#define ROW(id, bits, transform, gates) char field_##id[PRECIS_FIELD_##id + 1];
#define PRECIS_IBS_OP_FIELD ROW
#include "fields.def"
#undef PRECIS_IBS_OP_FIELD
#undef ROW
	union {
#define ROW(id, bits, transform, gates) char field_##id[PRECIS_FIELD_##id + 1];
#define PRECIS_IBS_FETCH_FIELD ROW
#include "fields.def"
#undef PRECIS_IBS_FETCH_FIELD
#undef ROW
	} fetch;
};

/* A constant: has IBS any field beyond the first word of a set? Where not, nothing is done for them. */
#define IBS_HAS_LATER_FIELDS (sizeof(union ibs_fields) > 64)

extern const struct ibs_source precis_ibs_sources[IBS_UNITS][PRECIS_FIELD_COUNT];
extern const struct dynamic_gate precis_dynamic_gates[DYNAMIC_COUNT];
extern const struct static_gate precis_static_gates[STATIC_COUNT];
extern const struct transform_row precis_transforms[TRANSFORM_COUNT];
extern const char *const precis_register_names[PRECIS_IBS_REGISTER_COUNT];

/* Does this kind of payload have the field, on some CPU? */
static inline int ibs_has(enum precis_ibs_unit unit, uint32_t field)
{
	return field < PRECIS_FIELD_COUNT &&
	       precis_ibs_sources[unit][field].transform != TRANSFORM_NONE;
}

/* Can these be columns, and is there room for the words of sets that they are in? @return 0 or an error */
int precis_ibs_check_columns(enum precis_ibs_unit unit, const uint32_t *fields, size_t count,
			     uint64_t *const *present);

/* The static gates that hold on every one of these cores with these caps. */
uint64_t precis_static_gates_held(uint32_t cores, uint32_t caps);

/* The bits of a register that make a field's value. */
uint64_t precis_value_bits(enum precis_ibs_unit unit, uint32_t field, uint32_t reg);

/*
 * Fields that weigh themselves which of their bits an erratum spares, so that
 * they are lost only when nothing trustworthy is left.
 */
static inline int precis_weighs_itself(const struct ibs_source *source)
{
	return source->transform == TRANSFORM_MEM_LEVEL;
}

#endif
