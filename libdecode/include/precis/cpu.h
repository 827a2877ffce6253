/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which CPU took a sample. Decoding depends on the machine that recorded, never
 * on the one that reads.
 */
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

/** A CPU by CPUID. */
struct precis_cpu {
	uint32_t size;   /* sizeof(struct precis_cpu), set by the caller */
	uint32_t vendor; /* enum precis_vendor; UNKNOWN: nothing below is known */
	uint32_t family, model, stepping; /* as CPUID displays them: 0x19 = 25 for Zen 3 and 4 */
};

/**
 * Read perf's cpuid string.
 *
 * @param text  HEADER_CPUID, "AuthenticAMD,25,17,1" (decimal family, model, stepping), or
 *              the same with hexadecimal numbers written 0x19
 * @param cpu   'size' must be set; vendor UNKNOWN on failure
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_SYNTAX
 */
PRECIS_API int precis_cpu_parse(const char *text, struct precis_cpu *cpu);

/**
 * A kernel's release as a number: "6.1.0-37-amd64" is 0x060100. What lies above 255 counts as 255.
 *
 * @param os_release  uname -r, or NULL
 * @return 0 if it cannot be read
 */
PRECIS_API uint32_t precis_kernel_number(const char *os_release);

PRECIS_END_DECLS

#endif
