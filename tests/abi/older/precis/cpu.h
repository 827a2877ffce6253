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

PRECIS_API int precis_cpu_parse(const char *text, struct precis_cpu *cpu);

PRECIS_API uint32_t precis_kernel_number(const char *os_release);

PRECIS_END_DECLS

#endif
