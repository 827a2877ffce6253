/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of bit fields as constants, and all masks of this room: made of bits.def. */
#ifndef PRECIS_IBS_MASKS_H
#define PRECIS_IBS_MASKS_H

#include <stdint.h>

#include <precis/ibs.h>

enum {
#define PRECIS_BITS(id, reg, low, width, ...)                                                      \
	IBS_REG_##id = PRECIS_IBS_##reg, IBS_LOW_##id = (low), IBS_WIDTH_##id = (width),
#include "bits.def"
#undef PRECIS_BITS
};

/* From one bit field to another one of the same register, both included */
#define IBS_SPAN_WIDTH(first, last) (IBS_LOW_##last + IBS_WIDTH_##last - IBS_LOW_##first)
#define IBS_SPAN(first, last) (~UINT64_C(0) >> (64 - IBS_SPAN_WIDTH(first, last)) << IBS_LOW_##first)
#define IBS_MASK(id) IBS_SPAN(id, id)

/* A register's bits, moved down to bit 0 … */
#define IBS_SPAN_OF(first, last, reg) ((reg) >> IBS_LOW_##first & IBS_SPAN(first, last) >> IBS_LOW_##first)
#define IBS_BITS_OF(id, reg) IBS_SPAN_OF(id, id, reg)
/* … or to another bit that is not above them */
#define IBS_MOVED(first, last, reg, to)                                                            \
	((reg) >> (IBS_LOW_##first - (to)) & IBS_SPAN(first, last) >> (IBS_LOW_##first - (to)))

#define ALL_BITS (~UINT64_C(0))

/* IbsOpData3 */
#define DATA3_LOAD IBS_MASK(LD_OP)
#define DATA3_STORE IBS_MASK(ST_OP)
#define DATA3_L1_TLB_MISS IBS_MASK(DC_L1_TLB_MISS)
#define DATA3_TLB_MISSES IBS_SPAN(DC_L1_TLB_MISS, DC_L2_TLB_MISS)
#define DATA3_DC_MISS IBS_MASK(DC_MISS)
#define DATA3_WRITE_COMBINING IBS_MASK(DC_WC_MEM_ACC)
#define DATA3_UNCACHEABLE IBS_MASK(DC_UC_MEM_ACC)
#define DATA3_NO_MAB IBS_MASK(DC_MISS_NO_MAB_ALLOC)
#define DATA3_LIN_VALID IBS_MASK(DC_LIN_ADDR_VALID)
#define DATA3_PHYS_VALID IBS_MASK(DC_PHY_ADDR_VALID)
#define DATA3_L2_MISS IBS_MASK(L2_MISS)
#define DATA3_PREFETCH IBS_MASK(SW_PF)
/* What the L2 data TLB says */
#define DATA3_L2_TLB                                                                               \
	(IBS_MASK(DC_L2_TLB_MISS) | IBS_MASK(DC_L2_TLB_HIT_2M) | IBS_MASK(DC_L2_TLB_HIT_1G))
/* What decides over the level that data came from, errata included */
#define DATA3_LEVEL                                                                                \
	(DATA3_LOAD | DATA3_DC_MISS | DATA3_WRITE_COMBINING | DATA3_UNCACHEABLE | DATA3_NO_MAB |   \
	 DATA3_L2_MISS | DATA3_PREFETCH)

/* IbsOpData2 */
#define DATA2_SOURCE (IBS_MASK(DATA_SRC_LO) | IBS_MASK(DATA_SRC_HI))

/* IbsFetchCtl */
#define FETCH_COMPLETED IBS_MASK(FETCH_COMP)
#define FETCH_PHYS_VALID IBS_MASK(FETCH_PHY_ADDR_VALID)
#define FETCH_L1_TLB_MISS IBS_MASK(L1_TLB_MISS)
/* All 0 in a killed fetch */
#define FETCH_KILLED                                                                               \
	(FETCH_COMPLETED | IBS_MASK(IC_MISS) | FETCH_PHYS_VALID |                                  \
	 IBS_SPAN(L1_TLB_MISS, L2_TLB_MISS))

/* What has two names stands at one place. */
_Static_assert(IBS_MASK(DATA_SRC_LO) == IBS_MASK(NB_REQ_SRC) &&
		       IBS_MASK(RMT_NODE) == IBS_MASK(NB_REQ_DST_NODE) &&
		       IBS_MASK(CACHE_HIT_ST) == IBS_MASK(NB_REQ_CACHE_HIT_ST) &&
		       IBS_MASK(DC_MISS_NO_MAB_ALLOC) == IBS_MASK(DC_MAB_HIT) &&
		       IBS_MASK(DC_PAGE_SIZE) == IBS_SPAN(DC_L1_TLB_HIT_2M, DC_L1_TLB_HIT_1G),
	       "newer names of older bits");

#endif
