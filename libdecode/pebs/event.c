/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an event's records say of memory accesses.
 *
 * Source: Linux 7.3 arch/x86/events/intel/ds.c, the tables of PEBS event constraints.
 */
#include <precis/error.h>
#include <precis/pebs_sample.h>

#include "event_bits.h"

/* Events of retired memory instructions: the unit mask says loads, stores or both */
#define MEM_INST_RETIRED 0xd0u
#define MEM_INST_LOADS 1u
#define MEM_INST_STORES 2u
/* Events of retired loads by where they hit: all of them loads */
#define MEM_LOAD_RETIRED_FIRST 0xd1u
#define MEM_LOAD_RETIRED_LAST 0xd4u

static int is_memory_event(uint32_t config)
{
	return EVENT_SELECT(config) >= MEM_INST_RETIRED &&
	       EVENT_SELECT(config) <= MEM_LOAD_RETIRED_LAST;
}

/* An event that records the address, and of stores whether they hit the L1 */
static int data_la_event(uint32_t config)
{
	uint32_t kind = EVENT_UNIT_MASK(config) & (MEM_INST_LOADS | MEM_INST_STORES);

	if (EVENT_SELECT(config) >= MEM_LOAD_RETIRED_FIRST)
		return PRECIS_PEBS_FACILITY_DATA_LA_LOAD;
	if (kind == MEM_INST_LOADS)
		return PRECIS_PEBS_FACILITY_DATA_LA_LOAD;
	if (kind == MEM_INST_STORES)
		return PRECIS_PEBS_FACILITY_DATA_LA_STORE;
	return PRECIS_PEBS_FACILITY_DATA_LA_OTHER;
}

int precis_pebs_facility_of(uint32_t core, uint64_t config)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };
	uint32_t event = (uint32_t)config & EVENT_BITS;

	if (precis_intel_core_info(core, &info) || core == PRECIS_INTEL_UNKNOWN)
		return PRECIS_E_UNSUPPORTED;
	if (event && event == info.load_latency_event)
		return PRECIS_PEBS_FACILITY_LOAD_LATENCY;
	if (event && event == info.store_latency_event)
		return PRECIS_PEBS_FACILITY_STORE_LATENCY;
	if (event && event == info.precise_store_event)
		return PRECIS_PEBS_FACILITY_PRECISE_STORE;
	if (!is_memory_event(event))
		return PRECIS_PEBS_FACILITY_OTHER;
	/* elsewhere no source says what their records hold */
	return info.has_data_la ? data_la_event(event) : PRECIS_E_UNSUPPORTED;
}
