/* SPDX-License-Identifier: BSD-3-Clause */
/* A payload's registers by number, as the tables name them. */
#ifndef PRECIS_IBS_REGISTERS_H
#define PRECIS_IBS_REGISTERS_H

#include <stddef.h>
#include <string.h>

#include <precis/ibs.h>

/* The structs have their registers in the order of enum precis_ibs_register. */
#define FETCH_REGISTERS_FIRST PRECIS_IBS_FETCH_CTL

_Static_assert(offsetof(struct precis_ibs_op, op_data4) ==
		       offsetof(struct precis_ibs_op, op_ctl) + 8 * PRECIS_IBS_OP_DATA4,
	       "registers of an op are in the enumeration's order");
_Static_assert(offsetof(struct precis_ibs_fetch, fetch_ctl_extd) ==
		       offsetof(struct precis_ibs_fetch, fetch_ctl) +
			       8 * (PRECIS_IBS_FETCH_CTL_EXTD - FETCH_REGISTERS_FIRST),
	       "registers of a fetch are in the enumeration's order");

/* 'reg' must be one of OP_CTL to OP_DATA4 */
static inline uint64_t op_register(const struct precis_ibs_op *op, uint32_t reg)
{
	uint64_t value;

	memcpy(&value, (const char *)op + offsetof(struct precis_ibs_op, op_ctl) + 8 * reg,
	       sizeof(value));
	return value;
}

/* Of such a register the 16 bits from 'low' on, a multiple of 16 */
static inline uint64_t op_half_word(const struct precis_ibs_op *op, uint32_t reg, uint32_t low)
{
	size_t at = offsetof(struct precis_ibs_op, op_ctl) + 8 * reg;
	uint16_t value;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	at += 6 - low / 8;
#else
	at += low / 8;
#endif
	memcpy(&value, (const char *)op + at, sizeof(value));
	return value;
}

/* 'reg' must be one of FETCH_CTL to FETCH_CTL_EXTD */
static inline uint64_t fetch_register(const struct precis_ibs_fetch *fetch, uint32_t reg)
{
	uint64_t value;

	memcpy(&value,
	       (const char *)fetch + offsetof(struct precis_ibs_fetch, fetch_ctl) +
		       8 * (reg - FETCH_REGISTERS_FIRST),
	       sizeof(value));
	return value;
}

#endif
