/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the vendors a CPU is of. */
#include <string.h>

#include "vendor.h"

const struct vendor_cpu *precis_vendor_cpu(const char *name, size_t length)
{
	for (const struct vendor *const *vendor = precis_vendors; *vendor; vendor++) {
		for (const struct vendor_cpu *cpu = (*vendor)->cpus; cpu->name; cpu++) {
			if (strlen(cpu->name) == length && !memcmp(cpu->name, name, length))
				return cpu;
		}
	}
	return NULL;
}

const struct vendor *precis_vendor_of(uint32_t number)
{
	for (const struct vendor *const *vendor = precis_vendors; *vendor; vendor++) {
		for (const struct vendor_cpu *cpu = (*vendor)->cpus; cpu->name; cpu++) {
			if (cpu->vendor == number)
				return *vendor;
		}
	}
	return NULL;
}
