/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pebs [MEBIBYTES]: what decoding PEBS records costs, by format and groups: a few words of each
 * record into columns, and whole samples, next to a plain sum over the same buffer, which is
 * larger than the caches. The records are made up.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <precis/precis.h>

#define RUNS 5
#define ROOM 256u
#define RECORD_MOST 8192u
#define BRANCHES 32u
#define COUNTERS 4u

#define ALL_ADAPTIVE                                                                               \
	(PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY | PRECIS_PEBS_GROUP_GPR |              \
	 PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_LBR | PRECIS_PEBS_GROUP_COUNTERS |              \
	 PRECIS_PEBS_GROUP_METRICS)

static const struct kind {
	const char *name;
	uint32_t format, groups;
	uint32_t family, model; /* a CPU that writes them */
	uint32_t core_type;
} kinds[] = {
	{ "1, fixed", PRECIS_PEBS_FORMAT_1, 0, 6, 0x2a, PRECIS_CORE_TYPE_UNKNOWN },
	{ "2, fixed", PRECIS_PEBS_FORMAT_2, 0, 6, 0x3c, PRECIS_CORE_TYPE_UNKNOWN },
	{ "3, fixed", PRECIS_PEBS_FORMAT_3, 0, 6, 0x5e, PRECIS_CORE_TYPE_UNKNOWN },
	{ "4, basic, memory", PRECIS_PEBS_FORMAT_4, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY, 6,
	  0x8f, PRECIS_CORE_TYPE_UNKNOWN },
	{ "6, all groups", PRECIS_PEBS_FORMAT_6, ALL_ADAPTIVE, 6, 0xc6, PRECIS_CORE_TYPE_P },
	{ "arch, basic, memory", PRECIS_PEBS_FORMAT_ARCH,
	  PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY, 6, 0xcc, PRECIS_CORE_TYPE_P },
};
