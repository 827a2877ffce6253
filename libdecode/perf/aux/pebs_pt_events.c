/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters to events, by what AUX_OUTPUT_HW_ID records say. */
#include <stdlib.h>

#include <precis/kernel_records.h>
#include <precis/pebs_pt_events.h>

#include "libdecode/perf/records/attr.h"
#include "libdecode/sample/abi.h"
#include "timelines.h"

#define COUNTERS 64u
#define NONE UINT32_MAX

struct precis_pebs_pt_events {
	struct precis_file *file;
	struct timelines counters; /* to indices of events */
};

/* A counter of a CPU, or of a thread with OF_THREAD */
#define OF_THREAD (UINT64_C(1) << 32)

static uint64_t key_of(uint64_t who, uint64_t counter)
{
	return who * COUNTERS + counter;
}

int precis_pebs_pt_events_open(struct precis_file *file, struct precis_pebs_pt_events **events)
{
	if (!file || !events)
		return PRECIS_E_ARGUMENT;
	*events = calloc(1, sizeof(**events));
	if (!*events)
		return PRECIS_E_NO_MEMORY;
	(*events)->file = file;
	return 0;
}

void precis_pebs_pt_events_close(struct precis_pebs_pt_events *events)
{
	if (!events)
		return;
	timelines_free(&events->counters);
	free(events);
}

int precis_pebs_pt_events_record(struct precis_pebs_pt_events *events,
				 const struct precis_record *record)
{
	struct precis_aux_output_hw_id output = { .size = sizeof(output) };
	struct precis_sample_id id = { .size = sizeof(id) };
	const struct precis_event *event;
	uint64_t time;
	int error;

	if (!events || !record)
		return PRECIS_E_ARGUMENT;
	if (record->type != PRECIS_RECORD_AUX_OUTPUT_HW_ID)
		return 0;
	error = precis_aux_output_hw_id_parse(record, &output);
	if (error)
		return error;
	event = precis_file_event_of(events->file, record);
	if (!event)
		return PRECIS_E_BAD_ID;
	if (output.hw_id >= COUNTERS)
		return PRECIS_E_UNSUPPORTED;
	error = precis_sample_id_parse(event->layout, record, &id);
	if (error)
		return error;
	time = id.present & PRECIS_SAMPLE_TIME ? id.time : 0;
	if (id.present & PRECIS_SAMPLE_CPU)
		error = timelines_learn(&events->counters, key_of(id.cpu, output.hw_id), time,
					event->index);
	if (!error && id.present & PRECIS_SAMPLE_TID)
		error = timelines_learn(&events->counters,
					key_of(OF_THREAD | id.tid, output.hw_id), time,
					event->index);
	return error;
}

/* The one event whose samples go into the trace; NONE if there is none, or several. */
static uint32_t only_event(struct precis_file *file)
{
	uint32_t count = precis_file_event_count(file), only = NONE;

	for (uint32_t n = 0; n < count; n++) {
		const struct precis_event *event = precis_file_event(file, n);

		if (!attr_bits(event->attr, ATTR_AUX_OUTPUT, 1))
			continue;
		if (only != NONE)
			return NONE;
		only = n;
	}
	return only;
}

/* Whose the counter was at a time. 'ambiguous' is set if that cannot be told. */
static uint32_t event_at(const struct timeline *counter, uint64_t time, int *ambiguous)
{
	const struct timeline_change *change;

	*ambiguous = time == PRECIS_PEBS_PT_NO_TIME && counter->count > 1;
	change = *ambiguous ? NULL : timeline_at(counter, time);
	return change ? (uint32_t)change->value : NONE;
}

static void add_event(struct precis_pebs_pt_match *match, uint32_t event)
{
	for (uint32_t n = 0; n < match->count; n++) {
		if (match->event[n] == event)
			return;
	}
	match->event[match->count++] = event;
}

static void match_counters(const struct precis_pebs_pt_events *events, uint64_t who, uint64_t time,
			   uint64_t counters, struct precis_pebs_pt_match *match)
{
	for (uint32_t n = 0; n < COUNTERS; n++) {
		const struct timeline *counter;
		uint32_t event = NONE;
		int ambiguous = 0;

		if (!(counters >> n & 1))
			continue;
		counter = timelines_find(&events->counters, key_of(who, n));
		if (counter)
			event = event_at(counter, time, &ambiguous);
		if (event == NONE)
			match->unmatched |= UINT64_C(1) << n;
		else
			add_event(match, event);
		match->ambiguous |= (uint64_t)ambiguous << n;
	}
	if (match->count)
		match->by = PRECIS_PEBS_PT_BY_COUNTERS;
}

int precis_pebs_pt_events_match(const struct precis_pebs_pt_events *events,
				const struct precis_auxtrace *trace, uint64_t time,
				const struct precis_pebs *record,
				struct precis_pebs_pt_match *match)
{
	uint64_t counters = 0;
	uint32_t size, only;

	ABI_IN(struct precis_auxtrace, trace,
	       precis_pebs_pt_events_match(events, &abi, time, record, match));
	ABI_IN(struct precis_pebs, record,
	       precis_pebs_pt_events_match(events, trace, time, &abi, match));
	ABI_OUT(struct precis_pebs_pt_match, match,
		precis_pebs_pt_events_match(events, trace, time, record, &abi));
	if (!events)
		return PRECIS_E_ARGUMENT;
	size = match->size;
	memset(match, 0, sizeof(*match));
	match->size = size;
	if (record->captured >> PRECIS_PEBS_APPLICABLE_COUNTERS & 1)
		counters = record->word[PRECIS_PEBS_APPLICABLE_COUNTERS];
	match_counters(events, trace->cpu != -1 ? (uint64_t)(uint32_t)trace->cpu
						: OF_THREAD | (uint32_t)trace->tid,
		       time, counters, match);
	if (match->count)
		return 0;
	only = only_event(events->file);
	if (only == NONE)
		return 0;
	match->by = PRECIS_PEBS_PT_BY_BEING_ALONE;
	match->unmatched = 0;
	match->ambiguous = 0;
	add_event(match, only);
	return 0;
}

/* Words of AUXTRACE_INFO that perf's Intel PT gives */
enum { INFO_TIME_SHIFT = 1, INFO_TIME_MULT = 2, INFO_TIME_ZERO = 3, INFO_HAS_TIME_ZERO = 4 };

int precis_pebs_pt_time(const struct precis_auxtrace_info *info, uint64_t tsc, uint64_t *time)
{
	uint64_t shift, mult, zero, has_zero, rest;

	ABI_IN(struct precis_auxtrace_info, info, precis_pebs_pt_time(&abi, tsc, time));
	if (!time)
		return PRECIS_E_ARGUMENT;
	if (info->type != 1 ||
	    precis_bytes_u64(info->private_words, INFO_TIME_SHIFT, &shift) ||
	    precis_bytes_u64(info->private_words, INFO_TIME_MULT, &mult) ||
	    precis_bytes_u64(info->private_words, INFO_TIME_ZERO, &zero) ||
	    precis_bytes_u64(info->private_words, INFO_HAS_TIME_ZERO, &has_zero) ||
	    !(has_zero & 0xff) || !mult || shift > 63)
		return PRECIS_E_UNSUPPORTED;
	rest = tsc & ((UINT64_C(1) << shift) - 1);
	*time = zero + (tsc >> shift) * mult + (rest * mult >> shift);
	return 0;
}
