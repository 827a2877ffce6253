/* SPDX-License-Identifier: BSD-3-Clause */
/* See callchains.h. */
#include "callchains.h"

#include <stddef.h>

#include <precis/precis.h>

uint32_t callchain_mode(uint64_t marker)
{
	static const struct {
		int64_t marker; /* PERF_CONTEXT_* */
		uint32_t mode;
	} contexts[] = {
		{ -32, PRECIS_CPUMODE_HYPERVISOR },     { -128, PRECIS_CPUMODE_KERNEL },
		{ -512, PRECIS_CPUMODE_USER },          { -640, PRECIS_CPUMODE_USER },
		{ -2048, PRECIS_CPUMODE_GUEST_KERNEL }, { -2176, PRECIS_CPUMODE_GUEST_KERNEL },
		{ -2560, PRECIS_CPUMODE_GUEST_USER },
	};

	for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++) {
		if (contexts[i].marker == (int64_t)marker)
			return contexts[i].mode;
	}
	return PRECIS_CPUMODE_UNKNOWN;
}
