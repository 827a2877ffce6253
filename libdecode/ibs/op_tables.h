/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of a context that answer for an op by a few of its bits. */
#ifndef PRECIS_IBS_OP_TABLES_H
#define PRECIS_IBS_OP_TABLES_H

#include <precis/ibs.h>

#include "data_source.h"

/* The byte of IbsOpData3 that 'high_gates' is looked up by starts here */
#define HIGH_SHIFT 14

/* The bits of IbsOpData3 that decide over the level (DATA3_LEVEL), moved together */
#define LEVEL_STATES 128u
static inline uint32_t level_state(uint64_t data3)
{
	return (uint32_t)((data3 & 1) | (data3 >> 6 & 2) | (data3 >> 11 & 0xc) | (data3 >> 12 & 16) |
			  (data3 >> 15 & 0x60));
}

/* Where data came from, for the context's cores and caps. */
void precis_op_make_levels(struct precis_ibs_context *context);

/* Which gates hold, for the context's flags, caps and waived gates. */
void precis_op_make_gates(struct precis_ibs_context *context);

#endif
