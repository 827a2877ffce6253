/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of cores, as bits of enum precis_amd_core, that the tables of this room speak of. */
#ifndef PRECIS_IBS_CORES_H
#define PRECIS_IBS_CORES_H

#include <precis/amd.h>

#define CORE(name) (1u << PRECIS_AMD_##name)
#define CORES_ALL ((1u << PRECIS_AMD_CORE_COUNT) - 1)

#define CORES_FAMILY_17H (CORE(ZEN1) | CORE(ZEN2))
#define CORES_ZEN3 (CORE(ZEN3_SERVER) | CORE(ZEN3_CLIENT))
#define CORES_ZEN_BEFORE_4 (CORES_FAMILY_17H | CORE(HYGON) | CORES_ZEN3)
#define CORES_ZEN (CORES_ZEN_BEFORE_4 | CORE(ZEN4) | CORE(ZEN5) | CORE(ZEN6))

/* What they have: IbsOpData3 from bit 20 on; a node and a cache hit state in IbsOpData2; … */
#define CORES_OP_DATA3_EXT (CORE(STEAMROLLER) | CORE(EXCAVATOR) | CORE(JAGUAR) | CORES_ZEN)
#define CORES_NODE (CORES_ALL & ~(CORE(BOBCAT) | CORE(JAGUAR)))
#define CORES_CACHE_HIT_ST (CORES_NODE & ~CORES_ZEN3)
#define CORES_MICROCODE (CORE(EXCAVATOR) | CORES_ZEN)
/* … and what only old ones have */
#define CORES_STORE_BANK (CORE(GREYHOUND) | CORE(LLANO))
#define CORES_LOAD_BANK (CORES_STORE_BANK | CORE(BULLDOZER))
#define CORES_RESYNC (CORES_LOAD_BANK | CORE(BOBCAT))
#define CORES_STORE_FORWARD (CORES_RESYNC | CORE(JAGUAR))
#define CORES_MAB_HIT (CORES_LOAD_BANK | CORE(PILEDRIVER))

#endif
