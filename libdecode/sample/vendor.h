/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library asks of a vendor: all their rooms have this one shape. */
#ifndef PRECIS_SAMPLE_VENDOR_H
#define PRECIS_SAMPLE_VENDOR_H

#include <precis/cpu.h>

/* A maker of its CPUs, as CPUID has it. */
struct vendor_cpu {
	const char *name;
	uint32_t vendor; /* enum precis_vendor */
};

struct vendor {
	const struct vendor_cpu *cpus; /* ends with a name that is NULL */
	/* The cores that a CPU of its can be, as bits of its own numbers; 0: none of them */
	uint32_t (*cores_of)(const struct precis_cpu *cpu);
};

/* The list of vendors: libdecode/vendors.c. It ends with NULL. */
extern const struct vendor *const precis_vendors[];

/* The maker by its name in CPUID; NULL if no vendor knows it. */
const struct vendor_cpu *precis_vendor_cpu(const char *name, size_t length);

/* Whose a CPU is by its 'vendor'; NULL: nobody's. */
const struct vendor *precis_vendor_of(uint32_t vendor);

#endif
