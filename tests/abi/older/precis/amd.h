#ifndef PRECIS_AMD_H
#define PRECIS_AMD_H

#include <precis/cpu.h>
#include <precis/export.h>

PRECIS_BEGIN_DECLS

enum precis_amd_core {
	PRECIS_AMD_GREYHOUND = 0,
	PRECIS_AMD_LLANO = 1,
	PRECIS_AMD_BOBCAT = 2,
	PRECIS_AMD_BULLDOZER = 3,
	PRECIS_AMD_PILEDRIVER = 4,
	PRECIS_AMD_STEAMROLLER = 5,
	PRECIS_AMD_EXCAVATOR = 6,
	PRECIS_AMD_JAGUAR = 7,
	PRECIS_AMD_ZEN1 = 8,
	PRECIS_AMD_ZEN2 = 9,
	PRECIS_AMD_HYGON = 10,
	PRECIS_AMD_ZEN3_SERVER = 11,
	PRECIS_AMD_ZEN3_CLIENT = 12,
	PRECIS_AMD_ZEN4 = 13,
	PRECIS_AMD_ZEN5 = 14,
	PRECIS_AMD_ZEN6 = 15,
	PRECIS_AMD_CORE_COUNT = 16
};

PRECIS_API uint32_t precis_amd_cores_of(const struct precis_cpu *cpu, uint32_t caps);

PRECIS_API const char *precis_amd_core_name(uint32_t core);

PRECIS_API const char *precis_amd_core_models(uint32_t core);

PRECIS_END_DECLS

#endif
