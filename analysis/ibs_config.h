/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of an IBS event's configuration says which ops or fetches it takes, and how: as Linux names it in the
 * PMU's format directory (arch/x86/events/amd/ibs.c of 6.15 and later). Bits of config, and of config1.
 */
#ifndef ANALYSIS_IBS_CONFIG_H
#define ANALYSIS_IBS_CONFIG_H

#include <stdint.h>

#define IBS_OP_L3_MISS_ONLY (UINT64_C(1) << 16)
#define IBS_OP_COUNTS_OPS (UINT64_C(1) << 19) /* cnt_ctl; else cycles */
#define IBS_FETCH_RANDOM (UINT64_C(1) << 57)  /* rand_en: the low bits of the period vary */
#define IBS_FETCH_L3_MISS_ONLY (UINT64_C(1) << 59)

#define IBS_OP_LDLAT1 UINT64_C(0xfff)
#define IBS_OP_STRMST1 (UINT64_C(1) << 12)
#define IBS_FETCH_FETCHLAT1 UINT64_C(0x7ff)

#endif
