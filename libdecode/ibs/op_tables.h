/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of a context that answer for an op by a few of its bits. */
#ifndef PRECIS_IBS_OP_TABLES_H
#define PRECIS_IBS_OP_TABLES_H

#include <precis/ibs.h>

#include "data_source.h"
#include "masks.h"

/* The bytes of IbsOpData3 that 'low_gates' and 'high_gates' are looked up by */
#define HIGH_SHIFT IBS_LOW_DC_UC_MEM_ACC
#define BYTE_BITS UINT64_C(255)
_Static_assert(!((DATA3_LOAD | DATA3_STORE | DATA3_TLB_MISSES | IBS_MASK(DC_PAGE_SIZE) |
		  DATA3_DC_MISS) & ~BYTE_BITS),
	       "the low byte has the kind of access, TLBs, cache miss");
_Static_assert(!((DATA3_UNCACHEABLE | DATA3_LIN_VALID | DATA3_PHYS_VALID | DATA3_L2_MISS |
		  DATA3_PREFETCH) & ~(BYTE_BITS << HIGH_SHIFT)),
	       "the other byte has addresses, L2 miss, prefetch");

/* The bits of IbsOpData3 that decide over the level (DATA3_LEVEL), moved together */
#define LEVEL_STATES 128u
_Static_assert(IBS_SPAN(DC_WC_MEM_ACC, DC_UC_MEM_ACC) ==
			       (DATA3_WRITE_COMBINING | DATA3_UNCACHEABLE) &&
		       IBS_SPAN(L2_MISS, SW_PF) == (DATA3_L2_MISS | DATA3_PREFETCH),
	       "neighbours are moved together");
static inline uint32_t level_state(uint64_t data3)
{
	return (uint32_t)(IBS_MOVED(LD_OP, LD_OP, data3, 0) |
			  IBS_MOVED(DC_MISS, DC_MISS, data3, 1) |
			  IBS_MOVED(DC_WC_MEM_ACC, DC_UC_MEM_ACC, data3, 2) |
			  IBS_MOVED(DC_MISS_NO_MAB_ALLOC, DC_MISS_NO_MAB_ALLOC, data3, 4) |
			  IBS_MOVED(L2_MISS, SW_PF, data3, 5));
}

/* Where data came from, for the context's cores and caps. */
void precis_op_make_levels(struct precis_ibs_context *context);

/* Which gates hold, for the context's flags, caps and waived gates. */
void precis_op_make_gates(struct precis_ibs_context *context);

#endif
