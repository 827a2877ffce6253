/* SPDX-License-Identifier: BSD-3-Clause */
/* See pebs_event.h. */
#include "pebs_event.h"

#include <precis/pebs_sample.h>

/* PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE: 'config' is not the PMU's */
#define TYPE_HARDWARE 0u
#define TYPE_HW_CACHE 3u

#define EVENT_BITS UINT64_C(0xffff) /* of config: unit mask and event select */

int pebs_event_core(const struct precis_cpu *cpu, const struct precis_event *event,
		    struct precis_intel_core_info *core)
{
	enum precis_core_type type = (enum precis_core_type)event->core_type;

	core->size = sizeof(*core);
	if (event->kind != PRECIS_EVENT_PEBS)
		return -1;
	return precis_intel_core_info(precis_intel_core_of(cpu, type), core) ? -1 : 0;
}

int pebs_is_auxiliary_of(const struct precis_cpu *cpu, const struct precis_event *event,
			 const struct precis_event *other)
{
	struct precis_intel_core_info core;

	return !pebs_event_core(cpu, event, &core) &&
	       precis_intel_is_auxiliary(core.core, other->config);
}

int pebs_event_is_auxiliary(const struct precis_cpu *cpu, const struct precis_event *event)
{
	return pebs_is_auxiliary_of(cpu, event, event);
}

/* Of whatever core: no core has another event in that place. */
static int is_load_latency(uint64_t config)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };

	for (uint32_t core = 1; core < PRECIS_INTEL_CORE_COUNT; core++) {
		if (!precis_intel_core_info(core, &info) && info.load_latency_event &&
		    info.load_latency_event == (config & EVENT_BITS))
			return 1;
	}
	return 0;
}

uint32_t pebs_event_threshold(const struct precis_event *event)
{
	if (event->kind != PRECIS_EVENT_PEBS || event->type == TYPE_HARDWARE ||
	    event->type == TYPE_HW_CACHE || !is_load_latency(event->config))
		return 0;
	return (uint32_t)(event->config1 & PEBS_THRESHOLD_BITS);
}

uint32_t pebs_event_op(const struct precis_event *event)
{
	switch (event->kind == PRECIS_EVENT_PEBS ? event->pebs_facility : -1) {
	case PRECIS_PEBS_FACILITY_LOAD_LATENCY:
	case PRECIS_PEBS_FACILITY_DATA_LA_LOAD:
		return PRECIS_OP_LOAD;
	case PRECIS_PEBS_FACILITY_STORE_LATENCY:
	case PRECIS_PEBS_FACILITY_PRECISE_STORE:
	case PRECIS_PEBS_FACILITY_DATA_LA_STORE:
		return PRECIS_OP_STORE;
	default:
		return 0;
	}
}
