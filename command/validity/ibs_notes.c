/* SPDX-License-Identifier: BSD-3-Clause */
/* What of an IBS event can be decoded, and what of its ops or fetches was sampled. */
#include "ibs_notes.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/ibs_config.h"
#include "latency_filter.h"

static int is_ibs(const struct subject *of)
{
	return of->event->kind == PRECIS_EVENT_IBS_OP ||
	       of->event->kind == PRECIS_EVENT_IBS_FETCH;
}

static int has_raw(const struct subject *of)
{
	return (of->event->layout->sample_type & PRECIS_SAMPLE_RAW) != 0;
}

const char *ibs_note_no_raw(const struct subject *of)
{
	return is_ibs(of) && !has_raw(of) ?
		       "no raw payload, perf's generic fields only: record with --raw-samples" :
		       NULL;
}

const char *ibs_note_undecodable(const struct subject *of)
{
	if (!of->samples->undecodable || !has_raw(of))
		return NULL;
	snprintf(of->room, of->bytes, "%" PRIu64 " samples whose payload could not be decoded",
		 of->samples->undecodable);
	return of->room;
}

const char *ibs_note_unknown_cpu(const struct subject *of)
{
	size_t length;

	if (!is_ibs(of) || of->recording->cpu->vendor != PRECIS_VENDOR_UNKNOWN)
		return NULL;
	length = (size_t)snprintf(of->room, of->bytes,
				  "CPU model unknown, only what is right on all candidates is "
				  "decoded: give --cpuid; candidates:");
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT && length < of->bytes; core++) {
		if (of->samples->cores & (1u << core))
			length += (size_t)snprintf(of->room + length, of->bytes - length, " %s;",
						   precis_amd_core_name(core));
	}
	return of->room;
}

const char *ibs_note_wrong_cpu(const struct subject *of)
{
	return is_ibs(of) && of->recording->cpu->vendor != PRECIS_VENDOR_UNKNOWN &&
			       !of->samples->cores ?
		       "the recording's CPU has no IBS: the cpuid is not the recording machine's" :
		       NULL;
}

const char *ibs_note_layout(const struct subject *of)
{
	if (of->event->kind != PRECIS_EVENT_IBS_FETCH || !has_raw(of))
		return NULL;
	return of->recording->old_fetch_layout ?
		       "payload layout of kernels before 5.10: without IbsFetchCtlExtd" :
		       "payload layout of Linux 5.10 and later";
}

/*
 * Of each kind a CPU can count but one at a time: perf_ibs_add() in Linux, arch/x86/events/amd/ibs.c.
 * Where times tell how much of its own each had, that is said instead.
 */
const char *ibs_note_takes_turns(const struct subject *of)
{
	struct precis_event_counts counts = { .size = sizeof(counts) };
	const uint32_t alike = is_ibs(of) ? of->recording->of_kind[of->event->kind] : 0;

	if (alike < 2 || precis_file_event_counts(of->recording->file, of->event->index, &counts) ||
	    counts.enabled_ns)
		return NULL;
	snprintf(of->room, of->bytes,
		 "one of %" PRIu32 " events for the one counter that a CPU has of %s: those that are on "
		 "together take turns, and each misses what runs in the others' time", alike,
		 of->event->kind == PRECIS_EVENT_IBS_OP ? "IBS op" : "IBS fetch");
	return of->room;
}

const char *ibs_note_l3_miss_only(const struct subject *of)
{
	uint64_t bit = of->event->kind == PRECIS_EVENT_IBS_OP ? IBS_OP_L3_MISS_ONLY :
								IBS_FETCH_L3_MISS_ONLY;

	if (!is_ibs(of))
		return NULL;
	if (of->samples->is_l3_miss_only || of->event->config & bit)
		return "the hardware kept only L3 misses (l3missonly): shares and means are of "
		       "these, not of all, and the period is skewed";
	return NULL;
}

static uint64_t filter_of(const struct subject *of, uint32_t kind, uint64_t bits)
{
	return of->event->kind == kind ? of->event->config1 & bits : 0;
}

const char *ibs_note_latency_filter(const struct subject *of)
{
	uint64_t cycles = is_ibs(of) ? latency_threshold_of(of->event) : 0;

	return cycles ? note_of_ldlat(of, cycles) : NULL;
}

const char *ibs_note_streaming_stores(const struct subject *of)
{
	return filter_of(of, PRECIS_EVENT_IBS_OP, IBS_OP_STRMST1) ?
		       "only streaming stores were sampled (strmst): shares and means are of these, "
		       "not of all, and the period is skewed" : NULL;
}

const char *ibs_note_fetch_latency_filter(const struct subject *of)
{
	uint64_t cycles = filter_of(of, PRECIS_EVENT_IBS_FETCH, IBS_FETCH_FETCHLAT1);

	if (!cycles)
		return NULL;
	snprintf(of->room, of->bytes,
		 "only fetches of %" PRIu64 " cycles or more were sampled (fetchlat): shares and "
		 "means are of these, not of all, and the period is skewed", cycles);
	return of->room;
}
