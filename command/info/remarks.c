/* SPDX-License-Identifier: BSD-3-Clause */
/* What of an event can be decoded and what not, and why, in words. */
#include <string.h>

#include "info.h"

/* Worth a line only where another recording would have it */
static const char *retire_lacks(const struct info_event *event)
{
	if (!event->has_sample || precis_fields_have(event->present, PRECIS_FIELD_RETIRE_LATENCY) ||
	    precis_why(&event->first, PRECIS_FIELD_RETIRE_LATENCY) != PRECIS_NOT_CAPTURED)
		return NULL;
	return precis_why_detail(&event->first, PRECIS_FIELD_RETIRE_LATENCY);
}

const char *info_remark(const struct info *info, const struct info_event *event, uint32_t n,
			char *room, size_t bytes)
{
	const struct validity_event samples = {
		.event = event->event,
		.undecodable = event->counts.undecodable,
		.cores = event->cores,
		.is_l3_miss_only = event->is_l3_miss_only,
		.retire_lacks = retire_lacks(event),
	};
	uint32_t topics;

	return validity_line(&info->validity, &samples, n, &topics, room, bytes);
}

static int is_ibs(const struct info_event *event)
{
	return event->event->kind == PRECIS_EVENT_IBS_OP ||
	       event->event->kind == PRECIS_EVENT_IBS_FETCH;
}

int info_erratum_applies(const struct info_event *event, const struct precis_erratum *erratum)
{
	uint32_t unit = event->event->kind == PRECIS_EVENT_IBS_FETCH ? PRECIS_IBS_FETCH :
								       PRECIS_IBS_OP;

	return is_ibs(event) && erratum->unit == unit && (erratum->cores & event->cores);
}

const char *info_sample_type_name(unsigned int bit)
{
	static const char *const names[] = {
		"IP",	       "TID",	     "TIME",	      "ADDR",	     "READ",
		"CALLCHAIN",   "ID",	     "CPU",	      "PERIOD",	     "STREAM_ID",
		"RAW",	       "BRANCH_STACK", "REGS_USER",   "STACK_USER",  "WEIGHT",
		"DATA_SRC",    "IDENTIFIER", "TRANSACTION",   "REGS_INTR",   "PHYS_ADDR",
		"AUX",	       "CGROUP",     "DATA_PAGE_SIZE", "CODE_PAGE_SIZE", "WEIGHT_STRUCT",
	};

	return bit < sizeof(names) / sizeof(names[0]) ? names[bit] : NULL;
}

const char *info_kind_name(uint32_t kind)
{
	static const char *const names[] = {
		[PRECIS_EVENT_OTHER] = "other",
		[PRECIS_EVENT_IBS_OP] = "ibs_op",
		[PRECIS_EVENT_IBS_FETCH] = "ibs_fetch",
		[PRECIS_EVENT_PEBS] = "pebs",
	};

	return names[kind < sizeof(names) / sizeof(names[0]) ? kind : 0];
}

const char *info_kind_source_name(uint32_t source)
{
	static const char *const names[] = {
		[PRECIS_KIND_UNKNOWN] = "nothing says",
		[PRECIS_KIND_PMU_MAPPINGS] = "the recording's PMU mappings",
		[PRECIS_KIND_SYSFS] = "this machine's sysfs",
		[PRECIS_KIND_PAYLOAD] = "size and control bits of its first payload",
		[PRECIS_KIND_CPU] = "a precise event of an Intel CPU",
	};

	return names[source < sizeof(names) / sizeof(names[0]) ? source : 0];
}
