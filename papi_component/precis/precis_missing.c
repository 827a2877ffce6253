/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_missing.c
 * @see precis_missing.h
 */
#include "precis_missing.h"

#include <stddef.h>

#include "precis_domain.h"
#include "precis_machine.h"
#include "precis_pmu.h"

/* PMUs of Intel's cores that MEM_LOADS and MEM_STORES are looked for in */
static const char *const intel_pmus[] = { "cpu", "cpu_core" };

static const char *intel_event_name(uint32_t id)
{
	return id == PRECIS_PAPI_EVENT_MEM_LOADS ? "mem-loads" : "mem-stores";
}

const char *precis_intel_pmu(uint32_t id, struct perf_event_attr *attr)
{
	for (size_t i = 0; i < sizeof(intel_pmus) / sizeof(intel_pmus[0]); i++) {
		if (precis_pmu_type(intel_pmus[i]) >= 0 &&
		    !precis_pmu_event(intel_pmus[i], intel_event_name(id), attr))
			return intel_pmus[i];
	}
	return NULL;
}

const char *precis_event_missing(const struct precis_named_event *event)
{
	const struct precis_event_row *row = precis_event_row(event->id);
	struct perf_event_attr attr = { .size = sizeof(attr) };

	if (precis_machine()->refused)
		return precis_machine()->refused;
	switch (row->family) {
	case PRECIS_FAMILY_IBS_OP:
	case PRECIS_FAMILY_IBS_FETCH:
		if (precis_pmu_type(row->pmu) >= 0)
			return NULL;
		return precis_machine()->cpu.vendor == PRECIS_VENDOR_AMD
			       ? "the kernel offers no IBS: virtual machine, or switched off"
			       : "IBS is AMD's";
	case PRECIS_FAMILY_INTEL_MEMORY:
		if (precis_intel_pmu(event->id, &attr))
			return NULL;
		return precis_machine()->cpu.vendor == PRECIS_VENDOR_INTEL
			       ? "the kernel's PMU has no such event: virtual machine, or a CPU "
				 "without load latency"
			       : "PEBS is Intel's";
	default:
		return event->missing;
	}
}

const char *precis_event_needs(const struct precis_named_event *event)
{
	const struct precis_event_row *row = precis_event_row(event->id);

	if (row->family != PRECIS_FAMILY_IBS_OP && row->family != PRECIS_FAMILY_IBS_FETCH)
		return NULL;
	return precis_pmu_has(row->pmu, "swfilt")
		       ? NULL
		       : "this kernel has it of user and kernel mode together only: " PRECIS_DOMAIN_ADVICE;
}
