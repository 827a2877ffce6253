/* SPDX-License-Identifier: BSD-3-Clause */
/* Errata of IBS: which strike, what they take. */
#ifndef PRECIS_IBS_ERRATA_H
#define PRECIS_IBS_ERRATA_H

#include "tables.h"

enum erratum_condition { CONDITION_ALWAYS, CONDITION_ANY_SET, CONDITION_ALL_CLEAR };

struct erratum_row {
	const char *name, *models, *summary, *source;
	uint32_t number;
	uint8_t effect; /* enum precis_erratum_effect */
	uint8_t core;   /* enum precis_amd_core */
	uint8_t unit;   /* enum precis_ibs_unit */
	uint8_t condition;
	struct register_bits when;
	struct register_bits lost[4];
	uint8_t page_shifts[4]; /* of IbsL1TlbPgSz, where the erratum encodes it anew */
};

enum {
	PRECIS_IBS_ERRATA = 0
#define PRECIS_ERRATUM(...) +1
#include "errata.def"
#undef PRECIS_ERRATUM
};
_Static_assert(PRECIS_IBS_ERRATA <= 32, "a sample notes the errata that concern it in 32 bits");

#define ALL_ERRATA (UINT32_MAX >> (32 - PRECIS_IBS_ERRATA))

extern const struct erratum_row precis_errata[PRECIS_IBS_ERRATA];

/* The rows that concern one of these cores, as bits. */
uint32_t precis_errata_of(uint32_t cores);

/* Row n for users: see precis_erratum(). */
int precis_ibs_erratum(uint32_t n, struct precis_erratum *erratum);

/* Does the erratum make this field's value untrustworthy? */
int precis_erratum_takes(const struct erratum_row *row, enum precis_ibs_unit unit, uint32_t field);

/* Of the rows that concern a CPU, is it one that takes fields of this unit away? */
static inline int erratum_loses(uint32_t errata, uint32_t n, enum precis_ibs_unit unit)
{
	return (errata >> n & 1) && precis_errata[n].unit == unit &&
	       precis_errata[n].effect == PRECIS_ERRATUM_LOSES;
}

/*
 * Rows with a condition have a gate each (ERRATUM_A, ERRATUM_B), in their order. No core has more
 * of them than there are gates (errata.c asserts it). What a CPU can be that is not known can have
 * more; those without a gate count as if their condition always held.
 */
#define ERRATUM_GATES 2u
#define ERRATUM_UNGATED ERRATUM_GATES

/* The gate of a row of erratum_loses(), asked for one after the other; 'used' begins as 0. */
static inline unsigned int erratum_gate(const struct erratum_row *row, unsigned int *used)
{
	return row->condition == CONDITION_ALWAYS || *used == ERRATUM_GATES ? ERRATUM_UNGATED :
									      (*used)++;
}

/* Does the condition of an erratum hold, its register having this value? */
static inline int erratum_holds(const struct erratum_row *row, uint64_t value)
{
	switch ((enum erratum_condition)row->condition) {
	case CONDITION_ANY_SET:
		return (value & row->when.bits) != 0;
	case CONDITION_ALL_CLEAR:
		return (value & row->when.bits) == 0;
	default:
		return 1;
	}
}

/* The bits of a register that an erratum forbids to believe. */
static inline uint64_t erratum_lost(const struct erratum_row *row, uint32_t reg)
{
	for (unsigned int i = 0; i < 4; i++) {
		if (row->lost[i].bits && row->lost[i].reg == reg)
			return row->lost[i].bits;
	}
	return 0;
}

#endif
