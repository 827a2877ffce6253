/* SPDX-License-Identifier: BSD-3-Clause */
/* What of Intel's precise events was recorded and what not, and what to do about it. */
#include <stdio.h>

#include <precis/pebs_sample.h>

#include "pebs.h"

#define WEIGHTS (PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT)

static int is_pebs(const struct info_event *event)
{
	return event->event->kind == PRECIS_EVENT_PEBS;
}

static int has(const struct info_event *event, uint64_t sample_type)
{
	return (event->event->layout->sample_type & sample_type) != 0;
}

/* As the decoder knows it: of an event that it does not know nothing is missed. */
static int is_of_memory(const struct info_event *event)
{
	return is_pebs(event) && event->event->pebs_event > PRECIS_PEBS_EVENT_OTHER;
}

static int is_of_latency(const struct info_event *event)
{
	return is_pebs(event) && (event->event->pebs_event == PRECIS_PEBS_EVENT_LOAD_LATENCY ||
				  event->event->pebs_event == PRECIS_PEBS_EVENT_STORE_LATENCY);
}

const char *info_pebs_cpu_unknown(const struct info *info, const struct info_event *event,
				  char *room, size_t bytes)
{
	struct info_intel_core cores[INFO_INTEL_CORES];
	struct precis_intel_core_info core;

	(void)room, (void)bytes;
	if (!is_pebs(event) || !info_pebs_core(info, event, &core))
		return NULL;
	return info_intel_cores(&info->cpu, cores) ?
		       "which of the CPU's kinds of core took the samples is not known, nor what "
		       "their weights mean: the recording names no PMU cpu_core or cpu_atom" :
		       "Intel CPU of an unknown model: what its events and weights mean is not "
		       "known; what perf made of them is in the perf_ fields";
}

const char *info_pebs_access_lacks(const struct info *info, const struct info_event *event,
				   char *room, size_t bytes)
{
	int addr = has(event, PRECIS_SAMPLE_ADDR), source = has(event, PRECIS_SAMPLE_DATA_SRC);

	(void)info;
	if (!is_of_memory(event) || (addr && source))
		return NULL;
	snprintf(room, bytes, "no %s%s%s: record with -d", addr ? "" : "data addresses (ADDR)",
		 addr || source ? "" : ", no ",
		 source ? "" : "data sources (DATA_SRC: level, node, snoop, TLB, lock)");
	return room;
}

const char *info_pebs_latency_lacks(const struct info *info, const struct info_event *event,
				    char *room, size_t bytes)
{
	struct precis_intel_core_info core;

	(void)room, (void)bytes;
	if (!is_of_latency(event))
		return NULL;
	if (!has(event, WEIGHTS))
		return "no latencies (WEIGHT_STRUCT): record with -W";
	if (!has(event, PRECIS_SAMPLE_WEIGHT_STRUCT) && !info_pebs_core(info, event, &core) &&
	    core.latency == PRECIS_PEBS_LATENCY_SPLIT)
		return "WEIGHT has no room for instruction_latency: record with -W of perf 5.12 or "
		       "later, which asks for WEIGHT_STRUCT";
	return NULL;
}

/* Worth a line only where another recording would have it. */
const char *info_pebs_retire_lacks(const struct info *info, const struct info_event *event,
				   char *room, size_t bytes)
{
	struct precis_intel_core_info core;
	const struct precis_sample *sample = &event->first;

	if (!is_pebs(event) || !event->has_sample ||
	    precis_fields_have(event->present, PRECIS_FIELD_RETIRE_LATENCY) ||
	    info_pebs_core(info, event, &core) ||
	    precis_why(sample, PRECIS_FIELD_RETIRE_LATENCY) != PRECIS_NOT_CAPTURED)
		return NULL;
	snprintf(room, bytes, "no retire_latency: %s",
		 precis_why_detail(sample, PRECIS_FIELD_RETIRE_LATENCY));
	return room;
}

/* perf puts events in the file as they stand in the group: what came before has a lower number. */
const char *info_pebs_auxiliary_lacks(const struct info *info, const struct info_event *event,
				      char *room, size_t bytes)
{
	struct precis_intel_core_info core;
	uint32_t auxiliary;

	if (!is_pebs(event) || info_pebs_core(info, event, &core))
		return NULL;
	auxiliary = precis_intel_load_auxiliary(core.core, event->event->config);
	if (!auxiliary)
		return NULL;
	for (const struct info_event *other = info->events; other < event; other++) {
		if (other->event->type == event->event->type &&
		    info_pebs_is_auxiliary(other, &core))
			return NULL;
	}
	snprintf(room, bytes,
		 "recorded without event 0x%x (mem-loads-aux) before it: on %s load latency is "
		 "right only beside that; record with perf mem record, or the group "
		 "{mem-loads-aux,mem-loads}",
		 auxiliary, core.name);
	return room;
}

const char *info_pebs_filter(const struct info *info, const struct info_event *event, char *room,
			     size_t bytes)
{
	uint32_t cycles = info_pebs_threshold(event);

	(void)info;
	if (!is_pebs(event) || !cycles)
		return NULL;
	snprintf(room, bytes,
		 "loads of latencies up to the threshold of %u cycles (ldlat) are not counted and "
		 "not sampled: shares and means are those of the others",
		 cycles);
	return room;
}

const char *info_pebs_skid(const struct info *info, const struct info_event *event, char *room,
			   size_t bytes)
{
	(void)info, (void)room, (void)bytes;
	return is_pebs(event) && event->event->precise_ip == 1 ?
		       "precise_ip 1: ip is that of the next instruction; record with :pp or :P" :
		       NULL;
}

const char *info_pebs_doubt(const struct info *info, const struct info_event *event, char *room,
			    size_t bytes)
{
	struct precis_intel_core_info core;
	const char *doubt = precis_intel_core_doubt(
		&info->cpu, (enum precis_core_type)event->event->core_type);

	if (info_pebs_core(info, event, &core) || (!*core.uncertain && (!doubt || !*doubt)))
		return NULL;
	snprintf(room, bytes, "what no source settles of this CPU: %s%s%s", core.uncertain,
		 *core.uncertain && doubt && *doubt ? "; " : "", doubt ? doubt : "");
	return room;
}
