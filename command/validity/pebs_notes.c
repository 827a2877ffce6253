/* SPDX-License-Identifier: BSD-3-Clause */
/* What of Intel's precise events was recorded and what not, and what to do about it. */
#include "pebs_notes.h"

#include <stdio.h>

#include <precis/pebs_sample.h>

#include "analysis/cpu_text.h"
#include "analysis/pebs_event.h"
#include "latency_filter.h"

#define WEIGHTS (PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT)

static int is_pebs(const struct subject *of)
{
	return of->event->kind == PRECIS_EVENT_PEBS;
}

/* A record that no perf has seen has all words */
static int has(const struct subject *of, uint64_t sample_type)
{
	const struct precis_layout *layout = of->event->layout;

	return !layout || (layout->sample_type & sample_type);
}

static int core_of(const struct subject *of, struct precis_intel_core_info *core)
{
	return pebs_event_core(of->recording->cpu, of->event, core);
}

/* As the decoder knows it: of an event that it does not know nothing is missed. */
static int is_of_memory(const struct subject *of)
{
	return is_pebs(of) && of->event->pebs_facility > PRECIS_PEBS_FACILITY_OTHER;
}

static int is_of_latency(const struct subject *of)
{
	return is_pebs(of) && (of->event->pebs_facility == PRECIS_PEBS_FACILITY_LOAD_LATENCY ||
				  of->event->pebs_facility == PRECIS_PEBS_FACILITY_STORE_LATENCY);
}

const char *pebs_note_cpu_unknown(const struct subject *of)
{
	struct intel_core cores[INTEL_CORES_MOST];
	struct precis_intel_core_info core;

	if (!is_pebs(of) || !core_of(of, &core))
		return NULL;
	return intel_cores_of(of->recording->cpu, cores) ?
		       "which of the CPU's kinds of core took the samples is not known, nor what "
		       "their weights mean: the recording names no PMU cpu_core or cpu_atom" :
		       "Intel CPU of an unknown model: what its events and weights mean is not "
		       "known; what perf made of them is in the perf_ fields";
}

const char *pebs_note_access_lacks(const struct subject *of)
{
	int addr = has(of, PRECIS_SAMPLE_ADDR), source = has(of, PRECIS_SAMPLE_DATA_SRC);

	if (!is_of_memory(of) || (addr && source))
		return NULL;
	snprintf(of->room, of->bytes, "no %s%s%s: record with -d", addr ? "" : "data addresses (ADDR)",
		 addr || source ? "" : ", no ",
		 source ? "" : "data sources (DATA_SRC: level, node, snoop, TLB, lock)");
	return of->room;
}

const char *pebs_note_latency_lacks(const struct subject *of)
{
	struct precis_intel_core_info core;

	if (!is_of_latency(of))
		return NULL;
	if (!has(of, WEIGHTS))
		return "no latencies (WEIGHT_STRUCT): record with -W";
	if (!has(of, PRECIS_SAMPLE_WEIGHT_STRUCT) && !core_of(of, &core) &&
	    core.latency == PRECIS_PEBS_LATENCY_SPLIT)
		return "WEIGHT has no room for instruction_latency: record with -W of perf 5.12 or "
		       "later, which asks for WEIGHT_STRUCT";
	return NULL;
}

/* Worth a line only where another recording would have it. */
const char *pebs_note_retire_lacks(const struct subject *of)
{
	struct precis_intel_core_info core;

	if (!of->samples->retire_lacks || core_of(of, &core))
		return NULL;
	snprintf(of->room, of->bytes, "no retire_latency: %s", of->samples->retire_lacks);
	return of->room;
}

const char *pebs_note_is_auxiliary(const struct subject *of)
{
	return pebs_event_is_auxiliary(of->recording->cpu, of->event) ?
		       "the auxiliary event that load latency needs beside it; it measures no "
		       "access itself" :
		       NULL;
}

/* perf puts events in the file as they stand in the group: what came before has a lower number. */
static int has_auxiliary(const struct subject *of)
{
	for (uint32_t n = 0; n < of->event->index; n++) {
		const struct precis_event *other = precis_file_event(of->recording->file, n);

		if (other->type == of->event->type &&
		    pebs_is_auxiliary_of(of->recording->cpu, of->event, other))
			return 1;
	}
	return 0;
}

const char *pebs_note_auxiliary_lacks(const struct subject *of)
{
	struct precis_intel_core_info core;
	uint32_t auxiliary;

	if (!of->recording->file || core_of(of, &core))
		return NULL;
	auxiliary = precis_intel_load_auxiliary(core.core, of->event->config);
	if (!auxiliary || has_auxiliary(of))
		return NULL;
	snprintf(of->room, of->bytes,
		 "recorded without event 0x%x (mem-loads-aux) before it: on %s load latency is "
		 "right only beside that; record with precis-record, perf mem record, or the group "
		 "{mem-loads-aux,mem-loads}",
		 auxiliary, core.name);
	return of->room;
}

const char *pebs_note_threshold(const struct subject *of)
{
	uint64_t cycles = is_pebs(of) ? latency_threshold_of(of->event) : 0;

	return cycles ? note_of_ldlat(of, cycles) : NULL;
}

const char *pebs_note_skid(const struct subject *of)
{
	return is_pebs(of) && of->event->precise_ip == 1 ?
		       "precise_ip 1: ip is that of the next instruction; record with :pp or :P" :
		       NULL;
}

const char *pebs_note_doubt(const struct subject *of)
{
	struct precis_intel_core_info core;
	const char *doubt = precis_intel_core_doubt(
		of->recording->cpu, (enum precis_core_type)of->event->core_type);

	if (core_of(of, &core) || (!*core.uncertain && (!doubt || !*doubt)))
		return NULL;
	snprintf(of->room, of->bytes, "what no source settles of this CPU: %s%s%s", core.uncertain,
		 *core.uncertain && doubt && *doubt ? "; " : "", doubt ? doubt : "");
	return of->room;
}
