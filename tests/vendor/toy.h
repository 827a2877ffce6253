/* SPDX-License-Identifier: BSD-3-Clause */
/* A vendor of three fields: two registers, two cores, one erratum. */
#ifndef TESTS_VENDOR_TOY_H
#define TESTS_VENDOR_TOY_H

#include <precis/sample.h>

/* What would stand at the end of enums of the public headers */
#define TOY_VENDOR 1000u /* enum precis_vendor */
#define TOY_SOURCE 1000u /* enum precis_source */
#define TOY_EVENT 1000u  /* enum precis_event_kind */

enum toy_core { TOY_SMALL, TOY_BIG };
#define TOY_CORES (1u << TOY_SMALL | 1u << TOY_BIG)

enum toy_register { TOY_CONTROL, TOY_DATA, TOY_REGISTERS };

enum toy_place {
#define PRECIS_TOY_FIELD(id, reg, low, width, gates)                                               \
	TOY_REGISTER_##id = TOY_##reg, TOY_LOW_##id = (low), TOY_WIDTH_##id = (width),
#include "fields.def"
#undef PRECIS_TOY_FIELD
};
#define TOY_MASK(id) (~UINT64_C(0) >> (64 - TOY_WIDTH_##id) << TOY_LOW_##id)

/* In the control register */
#define TOY_MEMORY UINT64_C(1)
#define TOY_BRANCH UINT64_C(2)

/* The bits of a register that make a field's value. */
uint64_t toy_value_bits(uint32_t field, uint32_t reg);

/* One sample of a core. */
void toy_decode(enum toy_core core, const uint64_t registers[TOY_REGISTERS],
		struct precis_sample *sample);

#endif
