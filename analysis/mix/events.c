/* SPDX-License-Identifier: BSD-3-Clause */
/* See events.h. */
#include "events.h"

#include <stdlib.h>
#include <string.h>

#include <precis/intel.h>
#include <precis/sample.h>

#include "analysis/ibs_config.h"
#include "libdecode/code/streams.h"

#define TYPE_HARDWARE 0u /* PERF_TYPE_HARDWARE */
#define TYPE_HW_CACHE 3u /* PERF_TYPE_HW_CACHE */
#define TYPE_RAW 4u /* PERF_TYPE_RAW */
#define HARDWARE_INSTRUCTIONS 1u
/* PMU of one kind of a hybrid CPU's cores in PERF_TYPE_HARDWARE, since Linux 5.13 */
#define HARDWARE_CONFIG UINT64_C(0xffffffff)
#define NO_PERIOD "its samples do not say how much they stand for"
#define PRECISE_DISTRIBUTED 3u /* precise_ip of INST_RETIRED.PREC_DIST, and of nothing with a shadow */

static const struct {
	uint32_t vendor, core; /* enum precis_intel_core; UNKNOWN: of all cores */
	uint32_t event, umask;
	enum mix_counts_of counts;
} core_events[] = {
#define CORE_EVENT(vendor, event, umask, what)                                                     \
	{ PRECIS_VENDOR_##vendor, PRECIS_INTEL_UNKNOWN, event, umask, MIX_COUNTS_##what },
#define INTEL_EVENT(core, event, umask, what)                                                      \
	{ PRECIS_VENDOR_INTEL, PRECIS_INTEL_##core, event, umask, MIX_COUNTS_##what },
#include "events.def"
#undef CORE_EVENT
#undef INTEL_EVENT
};

/* What the kernel takes of IBS in the place of precise events */
static const struct {
	uint32_t type;
	uint64_t config, ibs_config;
} ibs_events[] = {
#define IBS_EVENT(type, config, ibs_config) { TYPE_##type, config, ibs_config },
#include "events.def"
#undef IBS_EVENT
};

static const struct {
	uint64_t event;
	enum mix_counts_of counts;
} aarch64_events[] = {
#define AARCH64_EVENT(event, what) { event, MIX_COUNTS_##what },
#include "events.def"
#undef AARCH64_EVENT
};
#define AARCH64_PMU "armv8_" /* as in armv8_pmuv3_0, armv8_cortex_a72 */
/* Of MIDR_EL1: Apple's cores have event numbers of their own. */
#define IMPLEMENTER_SHIFT 24
#define IMPLEMENTER_MASK 0xffu
#define IMPLEMENTER_APPLE 0x61u

const char *mix_counts_text(enum mix_counts_of counts)
{
	static const char *const texts[] = {
		[MIX_COUNTS_OTHER] = "neither instructions nor taken branches",
		[MIX_COUNTS_INSTRUCTIONS] = "instructions",
		[MIX_COUNTS_OPS] = "micro-ops",
		[MIX_COUNTS_TAKEN] = "taken branches",
	};

	return texts[counts];
}

/* Event and umask alone: an edge, an inversion or a counter mask counts something else. */
static enum mix_counts_of counts_of_core(const struct precis_event *event, const struct precis_cpu *cpu)
{
	uint32_t type, core;

	if (event->type == TYPE_HW_CACHE ||
	    !precis_core_type_of_event(event->pmu, event->pmu ? strlen(event->pmu) : 0, event->type,
				       &type))
		return MIX_COUNTS_OTHER;
	core = precis_intel_core_of(cpu, type);
	for (size_t n = 0; n < sizeof(core_events) / sizeof(core_events[0]); n++) {
		if (core_events[n].vendor == cpu->vendor &&
		    (core_events[n].core == PRECIS_INTEL_UNKNOWN || core_events[n].core == core) &&
		    event->config == (core_events[n].event | core_events[n].umask << 8))
			return core_events[n].counts;
	}
	return MIX_COUNTS_OTHER;
}

/* The config of ibs_op that takes the samples of an event of the core. NULL: the core does */
static const uint64_t *taken_by_ibs(const struct precis_event *event, const struct precis_cpu *cpu)
{
	if ((cpu->vendor != PRECIS_VENDOR_AMD && cpu->vendor != PRECIS_VENDOR_HYGON) ||
	    !event->precise_ip)
		return NULL;
	for (size_t n = 0; n < sizeof(ibs_events) / sizeof(ibs_events[0]); n++) {
		if (event->type == ibs_events[n].type && event->config == ibs_events[n].config)
			return &ibs_events[n].ibs_config;
	}
	return NULL;
}

/* By its own PMU, or raw, which is that of the CPU that it ran on */
static enum mix_counts_of counts_of_aarch64(const struct precis_event *event,
					    const struct precis_file_info *info)
{
	const int is_own = event->pmu && strncmp(event->pmu, AARCH64_PMU, strlen(AARCH64_PMU)) == 0;
	const uint64_t midr = info->cpuid ? strtoull(info->cpuid, NULL, 16) : 0;

	if (!info->arch || strcmp(info->arch, "aarch64") != 0 ||
	    (midr >> IMPLEMENTER_SHIFT & IMPLEMENTER_MASK) == IMPLEMENTER_APPLE ||
	    (!is_own && event->type != TYPE_RAW))
		return MIX_COUNTS_OTHER;
	for (size_t n = 0; n < sizeof(aarch64_events) / sizeof(aarch64_events[0]); n++) {
		if (event->config == aarch64_events[n].event)
			return aarch64_events[n].counts;
	}
	return MIX_COUNTS_OTHER;
}

static enum mix_counts_of counts_of(const struct precis_event *event, const struct precis_cpu *cpu,
				    const struct precis_file_info *info, const uint64_t *taken)
{
	const uint64_t *ibs = event->kind == PRECIS_EVENT_IBS_OP ? &event->config : taken;
	enum mix_counts_of counts;

	if (ibs)
		return *ibs & IBS_OP_COUNTS_OPS ? MIX_COUNTS_OPS : MIX_COUNTS_OTHER;
	if (event->type == TYPE_HARDWARE)
		return (event->config & HARDWARE_CONFIG) == HARDWARE_INSTRUCTIONS ? MIX_COUNTS_INSTRUCTIONS
										 : MIX_COUNTS_OTHER;
	counts = counts_of_core(event, cpu);
	return counts == MIX_COUNTS_OTHER ? counts_of_aarch64(event, info) : counts;
}

/* Ops that IBS was told to keep, and others not, are no picture of what ran. */
static const char *no_ibs_sample(const struct precis_event *event)
{
	if (!(event->config & IBS_OP_COUNTS_OPS))
		return "it counts cycles, which executions are in no proportion to (record with cnt_ctl=1)";
	if (event->config & IBS_OP_L3_MISS_ONLY)
		return "it keeps only ops that missed the L3 (l3missonly)";
	if (event->config1 & (IBS_OP_LDLAT1 | IBS_OP_STRMST1))
		return "it keeps only some ops (ldlat, strmst)";
	return NULL;
}

static const char *no_sample(const struct precis_event *event, enum mix_counts_of counts,
			     int is_ibs)
{
	if (event->kind == PRECIS_EVENT_IBS_OP)
		return no_ibs_sample(event);
	if (is_ibs)
		return counts == MIX_COUNTS_OPS
			       ? NULL
			       : "with precise_ip it is IBS by cycles, which executions are in "
				 "no proportion to (record r0c1:p, or ibs_op with cnt_ctl=1)";
	if (event->kind == PRECIS_EVENT_IBS_FETCH)
		return "it counts fetches, not executions";
	return counts == MIX_COUNTS_INSTRUCTIONS ? NULL : "it does not count instructions";
}

struct mix_event mix_event_of(const struct precis_event *event, const struct precis_cpu *cpu,
			      const struct precis_file_info *info)
{
	const uint64_t *taken = taken_by_ibs(event, cpu);
	struct mix_event made = { .counts = counts_of(event, cpu, info, taken) };

	made.refusal = code_stacks_refusal(event->layout->sample_type, event->layout->branch_sample_type);
	made.no_stack = made.refusal ? code_refusal_text(made.refusal) : NULL;
	made.no_sample = no_sample(event, made.counts, taken != NULL);
	if (!made.no_sample && !(event->layout->sample_type & PRECIS_SAMPLE_IP))
		made.no_sample = "its samples have no address";
	if (event->is_frequency && !(event->layout->sample_type & PRECIS_SAMPLE_PERIOD)) {
		made.no_sample = made.no_sample ? made.no_sample : NO_PERIOD;
		made.no_stack = made.no_stack ? made.no_stack : NO_PERIOD;
	}
	made.is_synthesized =
		code_stacks_are_synthesized(event->layout->sample_type, event->layout->branch_sample_type);
	made.is_exact = made.is_synthesized || event->kind == PRECIS_EVENT_IBS_OP || taken ||
			event->precise_ip >= PRECISE_DISTRIBUTED;
	made.has_branches = event->kind == PRECIS_EVENT_IBS_OP && !made.no_sample;
	return made;
}

/* The better, the more; 0: none */
static int rank_of_stacks(const struct mix_event *event)
{
	if (event->no_stack)
		return 0;
	return event->counts == MIX_COUNTS_TAKEN ? 3 : event->counts == MIX_COUNTS_INSTRUCTIONS ? 2 : 1;
}

void mix_events_choose(struct mix_event *events, uint32_t count)
{
	int best = 0, has_ops = 0;

	for (uint32_t n = 0; n < count; n++) {
		const int rank = rank_of_stacks(&events[n]);

		best = rank > best ? rank : best;
		has_ops |= !events[n].no_sample && events[n].counts == MIX_COUNTS_OPS;
	}
	for (uint32_t n = 0; n < count; n++) {
		if (rank_of_stacks(&events[n]) < best && !events[n].no_stack)
			events[n].no_stack = "another event's stacks say more of how often";
		if (has_ops && !events[n].no_sample && events[n].counts != MIX_COUNTS_OPS)
			events[n].no_sample = "IBS ops are exact";
	}
}
