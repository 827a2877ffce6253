/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the vendors it is. */
#include <string.h>

#include "find_vendor.h"

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

static int is_maker(const struct vendor *vendor, uint32_t number)
{
	const struct vendor_cpu *cpu = vendor->cpus;

	while (cpu->name && cpu->vendor != number)
		cpu++;
	return cpu->name != NULL;
}

const struct vendor *precis_vendor_of(uint32_t number)
{
	const struct vendor *const *vendor = precis_vendors;

	while (*vendor && !is_maker(*vendor, number))
		vendor++;
	return *vendor;
}

uint32_t precis_words_of_cpu(uint32_t number)
{
	for (uint32_t n = 0; precis_vendors[n]; n++) {
		if (precis_vendors[n]->words && is_maker(precis_vendors[n], number))
			return n + 1;
	}
	return 0;
}

uint32_t precis_words_of_event(uint32_t event_kind)
{
	for (uint32_t n = 0; precis_vendors[n]; n++) {
		if (precis_vendors[n]->words && precis_vendors[n]->words->event_kind == event_kind)
			return n + 1;
	}
	return 0;
}
