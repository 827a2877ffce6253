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

#endif
