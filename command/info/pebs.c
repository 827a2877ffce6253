/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel's precise events in precis info: core, record format, what the event records. */
#include <stdio.h>
#include <string.h>

#include <precis/pebs_sample.h>

#include "pebs.h"
#include "analysis/pebs_event.h"

struct event_text {
	const char *name, *text;
};

static const struct event_text event_texts[PRECIS_PEBS_FACILITY_COUNT] = {
	[PRECIS_PEBS_FACILITY_OTHER] = { "other", "no event of memory accesses" },
	[PRECIS_PEBS_FACILITY_LOAD_LATENCY] = { "load_latency",
		"load latency: loads with address, data source and latency" },
	[PRECIS_PEBS_FACILITY_STORE_LATENCY] = { "store_latency",
		"store latency: stores with address, data source and latency" },
	[PRECIS_PEBS_FACILITY_PRECISE_STORE] = { "precise_store",
		"precise store: stores with address and whether L1 and STLB had it" },
	[PRECIS_PEBS_FACILITY_DATA_LA_LOAD] = { "data_la_load",
		"DataLA: loads with their address; neither source nor latency" },
	[PRECIS_PEBS_FACILITY_DATA_LA_STORE] = { "data_la_store",
		"DataLA: stores with their address and whether the L1 had it; no latency" },
	[PRECIS_PEBS_FACILITY_DATA_LA_OTHER] = { "data_la_other",
		"DataLA: accesses with their address; neither kind, source nor latency" },
};

static const struct event_text auxiliary_text = {
	"auxiliary",
	"auxiliary event, which load latency needs beside it; measures no access itself"
};

/* NULL if it is not known */
static const struct event_text *text_of(const struct info *info, const struct info_event *event)
{
	int32_t kind = event->event->pebs_facility;

	if (pebs_event_is_auxiliary(&info->cpu, event->event))
		return &auxiliary_text;
	return kind < 0 || kind >= PRECIS_PEBS_FACILITY_COUNT ? NULL : &event_texts[kind];
}

const char *info_pebs_event_name(const struct info *info, const struct info_event *event)
{
	const struct event_text *text = text_of(info, event);

	return text ? text->name : NULL;
}

const char *info_pebs_text(const struct info *info, const struct info_event *event, char *room,
			   size_t bytes)
{
	const char *type = precis_core_type_name(event->event->core_type);
	const struct event_text *text = text_of(info, event);
	struct precis_intel_core_info core;
	int known = !pebs_event_core(&info->cpu, event->event, &core);
	const char *format = known && core.pebs_format >= 0 ?
				     precis_pebs_format_name((uint32_t)core.pebs_format) : NULL;

	snprintf(room, bytes, "%s%s%s%s, record format %s; %s", known ? core.name : "unknown core",
		 type ? " (" : "", type ? type : "", type ? ")" : "",
		 format ? format : "not known",
		 text ? text->text : "what the event says of memory accesses is not known");
	return room;
}
