/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adaptive records, formats 4 to 6. The first word: groups in the low half
 * (the bits of MSR_PEBS_DATA_CFG), retire latency, the record's size.
 */
#ifndef PRECIS_PEBS_ADAPTIVE_H
#define PRECIS_PEBS_ADAPTIVE_H

#include <precis/pebs_record.h>

#define ADAPTIVE_BASIC_BYTES 32u
#define ADAPTIVE_SIZE_SHIFT 48

#define ADAPTIVE_MEMORY (UINT64_C(1) << 0)
#define ADAPTIVE_GPR (UINT64_C(1) << 1)
#define ADAPTIVE_XMM (UINT64_C(1) << 2)
#define ADAPTIVE_LBR (UINT64_C(1) << 3)
#define ADAPTIVE_COUNTERS (UINT64_C(1) << 4) /* from format 6 on */
#define ADAPTIVE_METRICS (UINT64_C(1) << 5)
#define ADAPTIVE_LBR_COUNT_SHIFT 24 /* entries - 1, 8 bits; without LBR they mean nothing */
#define ADAPTIVE_LBR_COUNT_MAX 256u

/* Bits of the low half that have no known group. */
static inline uint64_t adaptive_unknown(uint32_t format, uint64_t word)
{
	uint64_t known = ADAPTIVE_MEMORY | ADAPTIVE_GPR | ADAPTIVE_XMM | ADAPTIVE_LBR |
			 (uint64_t)(ADAPTIVE_LBR_COUNT_MAX - 1) << ADAPTIVE_LBR_COUNT_SHIFT;

	if (format >= PRECIS_PEBS_FORMAT_6)
		known |= ADAPTIVE_COUNTERS | ADAPTIVE_METRICS;
	return (uint32_t)word & ~known;
}

#endif
