#ifndef PRECIS_CPU_H
#define PRECIS_CPU_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

enum precis_vendor {
	PRECIS_VENDOR_UNKNOWN = 0,
	PRECIS_VENDOR_AMD = 1,
	PRECIS_VENDOR_HYGON = 2,
	PRECIS_VENDOR_INTEL = 3,
	PRECIS_VENDOR_OTHER = 4
};

struct precis_cpu {
	uint32_t size;
	uint32_t vendor;
	uint32_t family, model, stepping;
};

enum precis_core {
	PRECIS_CORE_GREYHOUND = 0,
	PRECIS_CORE_LLANO = 1,
	PRECIS_CORE_BOBCAT = 2,
	PRECIS_CORE_BULLDOZER = 3,
	PRECIS_CORE_PILEDRIVER = 4,
	PRECIS_CORE_STEAMROLLER = 5,
	PRECIS_CORE_EXCAVATOR = 6,
	PRECIS_CORE_JAGUAR = 7,
	PRECIS_CORE_ZEN1 = 8,
	PRECIS_CORE_ZEN2 = 9,
	PRECIS_CORE_HYGON = 10,
	PRECIS_CORE_ZEN3_SERVER = 11,
	PRECIS_CORE_ZEN3_CLIENT = 12,
	PRECIS_CORE_ZEN4 = 13,
	PRECIS_CORE_ZEN5 = 14,
	PRECIS_CORE_ZEN6 = 15,
	PRECIS_CORE_COUNT = 16
};

PRECIS_API int precis_cpu_parse(const char *text, struct precis_cpu *cpu);

PRECIS_API uint32_t precis_cpu_cores(const struct precis_cpu *cpu, uint32_t caps);

PRECIS_API uint32_t precis_kernel_number(const char *os_release);

PRECIS_API const char *precis_core_name(uint32_t core);

PRECIS_API const char *precis_core_models(uint32_t core);

PRECIS_END_DECLS

#endif
