/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See exactness.h. Sources: AMD64 APM vol. 2, 13.3.4 (IbsOpRip, IbsFetchLinAd); Intel SDM vol. 3B,
 * "Precise Event-Based Sampling" (IP, EventingIP) and 18.3 (data breakpoints are traps);
 * setup_pebs_fixed_sample_data() and perf_event_attr.precise_ip of Linux.
 */
#include "exactness.h"

#include <stddef.h>
#include <string.h>

#include <precis/precis.h>

enum case_of {
	CASE_OP, CASE_FETCH, CASE_NEXT, CASE_EVENTING, CASE_TRAP, CASE_FAULT, CASE_SKID, CASE_UNKNOWN
};

static const struct exactness cases[] = {
	[CASE_OP] = { "exact", "exact addresses: each sample of IBS has that of its own op" },
	[CASE_FETCH] = { "fetch", "addresses are those of fetches: what was fetched begins there, and may "
				  "be several instructions" },
	[CASE_NEXT] = { "next", "precise_ip 1: addresses are of the instruction behind the one that was "
				"measured, or of where that jumps; record with :pp or :P" },
	[CASE_EVENTING] = { "exact", "exact addresses where the kernel says so: precise_ip 2 or 3" },
	[CASE_TRAP] = { "next", "a data breakpoint traps behind the access: addresses are of the "
				"instruction behind it" },
	[CASE_FAULT] = { "exact", "exact addresses: the breakpoint stops before the instruction" },
	[CASE_SKID] = { "skid", "no precise event: addresses are where the interrupt came, some to many "
				"instructions behind what was counted" },
	[CASE_UNKNOWN] = { "unknown", "of no known event: whose addresses these are is not known" },
};

#define TYPE_BREAKPOINT 5u /* PERF_TYPE_BREAKPOINT */
#define BP_TYPE_AT 52u     /* of bp_type in struct perf_event_attr */
#define BP_EXECUTE 4u      /* HW_BREAKPOINT_X */

static int stops_execution(const struct precis_event *event)
{
	uint32_t type;

	if (event->attr_bytes < BP_TYPE_AT + sizeof(type))
		return 0;
	memcpy(&type, event->attr + BP_TYPE_AT, sizeof(type));
	return type == BP_EXECUTE;
}

static enum case_of case_of(uint32_t kind, const struct precis_event *event)
{
	if (kind == PRECIS_EVENT_IBS_OP)
		return CASE_OP;
	if (kind == PRECIS_EVENT_IBS_FETCH)
		return CASE_FETCH;
	if (!event)
		return CASE_UNKNOWN;
	if (event->type == TYPE_BREAKPOINT)
		return stops_execution(event) ? CASE_FAULT : CASE_TRAP;
	switch (event->precise_ip) {
	case 0:
		return CASE_SKID;
	case 1:
		return CASE_NEXT;
	default:
		return CASE_EVENTING;
	}
}

const struct exactness *exactness_of(uint32_t kind, const struct precis_event *event)
{
	return &cases[case_of(kind, event)];
}
