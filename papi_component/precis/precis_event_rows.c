/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_event_rows.c
 * @see precis_event_rows.h
 */
#include "precis_event_rows.h"

#include <stddef.h>
#include <string.h>

static const struct precis_event_row rows[] = {
#define PRECIS_PAPI_EVENT(id, name, family, pmu, meaning)                                          \
	[PRECIS_PAPI_EVENT_##id] = { name, PRECIS_FAMILY_##family, pmu, meaning },
#include "precis_events.def"
#undef PRECIS_PAPI_EVENT
	[PRECIS_PAPI_EVENT_PFM] = { "", PRECIS_FAMILY_PFM, NULL,
				    "an event by its name in libpfm4" },
};

const struct precis_event_row *precis_event_row(uint32_t id)
{
	return &rows[id];
}

static const struct precis_qualifier ibs_op_qualifiers[] = {
	{ "l3missonly", "l3missonly", "1: only ops that miss the L3" },
	{ "ldlat", "ldlat", "only loads with an L1 data cache miss of more cycles, 128 to 2048" },
	{ "swfilt", "swfilt", "1: the kernel drops samples outside the domain" },
	{ NULL, NULL, NULL },
};
static const struct precis_qualifier ibs_fetch_qualifiers[] = {
	{ "l3missonly", "l3missonly", "1: only fetches that miss the L3" },
	{ "rand_en", "rand_en", "1: the period's lowest bits are random" },
	{ "fetchlat", "fetchlat", "only fetches of at least so many cycles" },
	{ "swfilt", "swfilt", "1: the kernel drops samples outside the domain" },
	{ NULL, NULL, NULL },
};
static const struct precis_qualifier intel_qualifiers[] = {
	{ "ldlat", "ldlat", "only loads of more cycles, 1 to 65535" },
	{ "precise", NULL, "attr.precise_ip: 1 to 3" },
	{ NULL, NULL, NULL },
};
static const struct precis_qualifier breakpoint_qualifiers[] = {
	{ "addr", NULL, "the address, as in C: 0x7f0012345678" },
	{ "len", NULL, "how many bytes: 1, 2, 4, 8 (for x: not given)" },
	{ "access", NULL, "r: reads and writes, w: writes, x: execution" },
	{ NULL, NULL, NULL },
};
static const struct precis_qualifier none[] = { { NULL, NULL, NULL } };

static const struct precis_qualifier *const qualifiers[] = {
	[PRECIS_FAMILY_SOFTWARE] = none,
	[PRECIS_FAMILY_BREAKPOINT] = breakpoint_qualifiers,
	[PRECIS_FAMILY_IBS_OP] = ibs_op_qualifiers,
	[PRECIS_FAMILY_IBS_FETCH] = ibs_fetch_qualifiers,
	[PRECIS_FAMILY_INTEL_MEMORY] = intel_qualifiers,
	[PRECIS_FAMILY_PFM] = none,
};

const struct precis_qualifier *precis_qualifier(enum precis_family family, uint32_t n)
{
	const struct precis_qualifier *list = qualifiers[family];

	for (uint32_t i = 0; list[i].name; i++) {
		if (i == n)
			return &list[i];
	}
	return NULL;
}

uint64_t precis_qualifier_value(const struct precis_named_event *event, const char *name,
				uint64_t otherwise)
{
	enum precis_family family = rows[event->id].family;
	const struct precis_qualifier *row;

	for (uint32_t n = 0; (row = precis_qualifier(family, n)); n++) {
		if (!strcmp(row->name, name))
			return event->has >> n & 1 ? event->value[n] : otherwise;
	}
	return otherwise;
}
