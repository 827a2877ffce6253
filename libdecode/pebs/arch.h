/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Architectural PEBS: a record is one fragment or several, each with a header
 * of 16 bytes (the second word is reserved), then groups in the order below.
 */
#ifndef PRECIS_PEBS_ARCH_H
#define PRECIS_PEBS_ARCH_H

#include <precis/pebs_record.h>

#define ARCH_HEADER_BYTES 16u
#define ARCH_BASIC_BYTES 48u
#define ARCH_MEMORY_BYTES 64u
#define ARCH_GPR_BYTES 160u
#define ARCH_SSP_OFFSET 0x90u
#define ARCH_VECTORS_HEADER 16u
#define ARCH_LBR_HEADER 48u
#define ARCH_LBR_DEPTH_OFFSET 0x10u
/* IA32_PEBS_INDEX counts in units of 16 bytes: a fragment may be padded to that */
#define ARCH_UNIT 16u

/* Each group is in a record once and a fragment has less than 64 KiB: no record comes near this */
#define ARCH_RECORD_MAX (1u << 20)

#define ARCH_BIT(n) (UINT64_C(1) << (n))
#define ARCH_SIZE UINT64_C(0xffff)
#define ARCH_MODE_64 ARCH_BIT(30)
#define ARCH_CONTINUED ARCH_BIT(31)
#define ARCH_COUNTERS_ALLOWED ARCH_BIT(35)
#define ARCH_COUNTERS_GP ARCH_BIT(36)
#define ARCH_COUNTERS_FIXED ARCH_BIT(37)
#define ARCH_COUNTERS_METRICS ARCH_BIT(38)
#define ARCH_COUNTERS (UINT64_C(0x1f) << 35) /* any of these: there is a group of counters */
#define ARCH_LBR_SHIFT 40
#define ARCH_LBR (UINT64_C(3) << ARCH_LBR_SHIFT)
#define ARCH_LBR_STEP 8u       /* entries: 8 or 16 … */
#define ARCH_LBR_VARIABLE 3u   /* … or as many as the group's header says */
#define ARCH_VECTORS                                                                               \
	(ARCH_BIT(49) | ARCH_BIT(50) | ARCH_BIT(53) | ARCH_BIT(54) | ARCH_BIT(55))
#define ARCH_GPR ARCH_BIT(61)
#define ARCH_MEMORY ARCH_BIT(62)
#define ARCH_BASIC ARCH_BIT(63)
#define ARCH_GROUPS                                                                                \
	(ARCH_COUNTERS | ARCH_LBR | ARCH_VECTORS | ARCH_GPR | ARCH_MEMORY | ARCH_BASIC)
#define ARCH_KNOWN (ARCH_SIZE | ARCH_MODE_64 | ARCH_CONTINUED | ARCH_GROUPS)

/* Basic's fourth word */
enum {
#define PRECIS_ARCH_WORD(group, offset, shift, bits, word) ARCH_IN_GROUP_##word = offset,
#include "words.def"
};
#define ARCH_RETIRE_OFFSET ARCH_IN_GROUP_RETIRE_LATENCY
#define ARCH_RETIRE_VALID ARCH_BIT(16)

/* Bits 63:16 of a null record are 0: nothing in it, and a fragment follows. */
static inline int arch_is_null(uint64_t header)
{
	return !(header & ~ARCH_SIZE);
}

static inline int arch_continues(uint64_t header)
{
	return (header & ARCH_CONTINUED) || arch_is_null(header);
}

#endif
