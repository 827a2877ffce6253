/* SPDX-License-Identifier: BSD-3-Clause */
/* See events.h. */
#include "events.h"

#include <string.h>

static const struct plan_event events[] = {
#define PLAN_EVENT(name_, perf_, record_, papi_, unit_, least_, most_, random_, parts_, raw_, pebs_, \
		   throttled_, published_, kind_, counts_)                                         \
	{                                                                                          \
		.name = (name_), .perf = (perf_), .record = (record_), .papi = (papi_),            \
		.unit = (unit_), .period_least = (least_), .period_most = (most_),                 \
		.random_start = (random_), .parts = (parts_), .raw_bytes = (raw_),                 \
		.pebs_bytes = (pebs_), .is_throttled = (throttled_), .published = (published_),    \
		.kind = (kind_), .kernel_counts = (counts_),                                       \
	},
#include "events.def"
#undef PLAN_EVENT
};

const struct plan_event *plan_event_at(uint32_t n)
{
	return n < sizeof(events) / sizeof(events[0]) ? &events[n] : NULL;
}

const struct plan_event *plan_event_find(const char *name)
{
	const struct plan_event *event;

	for (uint32_t n = 0; (event = plan_event_at(n)); n++) {
		if (strcmp(event->name, name) == 0)
			return event;
	}
	if (!strchr(name, ':'))
		return NULL;
	return plan_event_find(strncmp(name, "mem:", 4) == 0 ? "breakpoint" : "tracepoint");
}
