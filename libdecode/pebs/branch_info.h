/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bits of a branch's INFO word: Intel SDM vol. 3, "Last Branch Records", IA32_LBR_x_INFO. As in
 * intel-pt.c of Linux 6.1, who makes a branch stack of a trace takes cycles and flags from here, too.
 */
#ifndef PRECIS_PEBS_BRANCH_INFO_H
#define PRECIS_PEBS_BRANCH_INFO_H

#include <stdint.h>

/* First bit, bits */
#define LBR_INFO_CYCLES 0, 16
#define LBR_INFO_COUNTERS 32, 8 /* of architectural LBR alone, as the two next ones */
#define LBR_INFO_TYPE 56, 4
#define LBR_INFO_CYCLES_VALID 60, 1
#define LBR_INFO_ABORT 61, 1
#define LBR_INFO_IN_TRANSACTION 62, 1
#define LBR_INFO_MISPREDICTED 63, 1

static inline uint32_t lbr_info(uint64_t info, uint32_t first, uint32_t bits)
{
	return (uint32_t)(info >> first & ((UINT64_C(1) << bits) - 1));
}

#endif
