/* SPDX-License-Identifier: BSD-3-Clause */
/* Linux's PMUs of the cores, and whose an event is. */
#include <string.h>

#include <precis/intel.h>

/* PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE, PERF_TYPE_RAW */
#define TYPE_HARDWARE 0u
#define TYPE_HW_CACHE 3u
#define TYPE_RAW 4u

static const char *const names[] = {
	[PRECIS_CORE_TYPE_UNKNOWN] = "cpu",
	[PRECIS_CORE_TYPE_P] = "cpu_core",
	[PRECIS_CORE_TYPE_E] = "cpu_atom",
	[PRECIS_CORE_TYPE_LP_E] = "cpu_lowpower",
};
#define NAMES (sizeof(names) / sizeof(names[0]))

const char *precis_core_type_pmu(uint32_t type)
{
	return type < NAMES ? names[type] : NULL;
}

int precis_core_type_of_event(const char *pmu, size_t length, uint32_t type, uint32_t *core_type)
{
	*core_type = PRECIS_CORE_TYPE_UNKNOWN;
	if (!pmu)
		return type == TYPE_HARDWARE || type == TYPE_HW_CACHE || type == TYPE_RAW;
	for (uint32_t n = 0; n < NAMES; n++) {
		if (strlen(names[n]) != length || memcmp(names[n], pmu, length))
			continue;
		*core_type = n;
		return 1;
	}
	return 0;
}
