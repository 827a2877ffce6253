/* SPDX-License-Identifier: BSD-3-Clause */
/* IbsOpData2's DataSrc: what its values name, by capability word and core. */
#include <precis/ibs.h>

#include "cores.h"
#include "data_source.h"

/* DataSrc of CPUs without caps[11]. Source: Linux arch/x86/include/asm/amd/ibs.h. */
static const uint8_t default_levels[IBS_SOURCES] = {
	[2] = PRECIS_MEM_LEVEL_LOCAL_CACHE,
	[3] = PRECIS_MEM_LEVEL_DRAM,
	[4] = PRECIS_MEM_LEVEL_FAR_CACHE,
	[7] = PRECIS_MEM_LEVEL_IO,
};

/* With caps[11]: five bits. */
static const uint8_t extended_levels[IBS_SOURCES] = {
	[1] = PRECIS_MEM_LEVEL_L3,
	[2] = PRECIS_MEM_LEVEL_NEAR_CACHE,
	[3] = PRECIS_MEM_LEVEL_DRAM,
	[5] = PRECIS_MEM_LEVEL_FAR_CACHE,
	[6] = PRECIS_MEM_LEVEL_PMEM,
	[7] = PRECIS_MEM_LEVEL_IO,
	[8] = PRECIS_MEM_LEVEL_CXL,
	[12] = PRECIS_MEM_LEVEL_PEER_AGENT,
};

/* DataSrc values that name another cache: IbsOpData2[5] tells the state of its line */
#define DEFAULT_CACHE_SOURCES (1u << 2)
#define EXTENDED_CACHE_SOURCES (1u << 1 | 1u << 2 | 1u << 5)

/* Families 10h and 15h models 00-0Fh: DataSrc 1 is the local L3. Source: AMD's IBS toolkit. */
#define CORES_WITH_SOURCE_1 (CORE(GREYHOUND) | CORE(BULLDOZER))

uint32_t precis_level_of_source(uint32_t core, uint32_t caps, uint32_t source)
{
	if (caps & PRECIS_IBS_CAPS_ZEN4_EXT)
		return extended_levels[source];
	if (source == 1 && (CORES_WITH_SOURCE_1 >> core & 1))
		return PRECIS_MEM_LEVEL_L3;
	return default_levels[source];
}

uint32_t precis_cache_sources(uint32_t caps)
{
	return caps & PRECIS_IBS_CAPS_ZEN4_EXT ? EXTENDED_CACHE_SOURCES : DEFAULT_CACHE_SOURCES;
}
