/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of core of a machine, and words about them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine_core.h"

uint32_t machine_core_of(const struct machine *machine, const struct machine_core_pmu *pmu)
{
	return precis_intel_core_of(&machine->cpu, (enum precis_core_type)pmu->core_type);
}

const struct machine_core_pmu *machine_core_pmu(const struct machine *machine, uint32_t n)
{
	return n < MACHINE_CORE_PMUS && machine->core_pmus[n].name ? &machine->core_pmus[n] : NULL;
}

void machine_add(char *text, size_t room, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, room - length, format, arguments);
	va_end(arguments);
}
