/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters to events, by what AUX_OUTPUT_HW_ID records say. */
#include <stdlib.h>

#include <precis/kernel_records.h>
#include <precis/pebs_pt_events.h>

#include "libdecode/perf/records/attr.h"
#include "private.h"

#define CHANGES_MOST (1u << 20)
#define COUNTERS 64u
#define NONE UINT32_MAX

/* A counter of a CPU or a thread */
struct place {
	uint64_t who; /* CPU, or thread with OF_THREAD */
	uint32_t counter;
	uint32_t last; /* in 'change' */
};

#define OF_THREAD (UINT64_C(1) << 32)

/* From a time on the counter is an event's. */
struct change {
	uint64_t time;
	uint32_t event;
	uint32_t before; /* the change before, of the same counter */
};

struct precis_pebs_pt_events {
	struct precis_file *file;
	struct place *place; /* sorted */
	struct change *change;
	uint32_t places, place_room;
	uint32_t changes, change_room;
};

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
	free(events->place);
	free(events->change);
	free(events);
}

/* @return where the place is, or where it would be */
static uint32_t search(const struct precis_pebs_pt_events *events, uint64_t who, uint32_t counter)
{
	uint32_t low = 0, high = events->places;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct place *place = &events->place[middle];

		if (place->who < who || (place->who == who && place->counter < counter))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct place *find(const struct precis_pebs_pt_events *events, uint64_t who,
			  uint32_t counter)
{
	uint32_t at = search(events, who, counter);

	if (at == events->places || events->place[at].who != who ||
	    events->place[at].counter != counter)
		return NULL;
	return &events->place[at];
}

/* Room for one more element. @return 0 or PRECIS_E_NO_MEMORY */
static int grow(void **array, uint32_t count, uint32_t *room, size_t element)
{
	uint32_t larger = *room ? 2 * *room : 64;
	void *moved;

	if (count < *room)
		return 0;
	moved = realloc(*array, larger * element);
	if (!moved)
		return PRECIS_E_NO_MEMORY;
	*array = moved;
	*room = larger;
	return 0;
}

static int add_place(struct precis_pebs_pt_events *events, uint64_t who, uint32_t counter,
		     struct place **added)
{
	uint32_t at = search(events, who, counter);
	void *array = events->place;

	if (grow(&array, events->places, &events->place_room, sizeof(struct place)))
		return PRECIS_E_NO_MEMORY;
	events->place = array;
	memmove(events->place + at + 1, events->place + at,
		(events->places - at) * sizeof(struct place));
	events->places++;
	events->place[at] = (struct place){ who, counter, NONE };
	*added = &events->place[at];
	return 0;
}

static int learn(struct precis_pebs_pt_events *events, uint64_t who, uint32_t counter,
		 uint64_t time, uint32_t event)
{
	struct place *place = find(events, who, counter);
	void *array = events->change;

	if (place && events->change[place->last].event == event)
		return 0;
	if (events->changes == CHANGES_MOST)
		return PRECIS_E_NO_SPACE;
	if (grow(&array, events->changes, &events->change_room, sizeof(struct change)))
		return PRECIS_E_NO_MEMORY;
	events->change = array;
	if (!place && add_place(events, who, counter, &place))
		return PRECIS_E_NO_MEMORY;
	events->change[events->changes] = (struct change){ time, event, place->last };
	place->last = events->changes++;
	return 0;
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
		error = learn(events, id.cpu, (uint32_t)output.hw_id, time, event->index);
	if (!error && id.present & PRECIS_SAMPLE_TID)
		error = learn(events, OF_THREAD | id.tid, (uint32_t)output.hw_id, time,
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
static uint32_t event_at(const struct precis_pebs_pt_events *events, const struct place *place,
			 uint64_t time, int *ambiguous)
{
	const struct change *change = &events->change[place->last];

	if (time == PRECIS_PEBS_PT_NO_TIME) {
		*ambiguous = change->before != NONE;
		return *ambiguous ? NONE : change->event;
	}
	while (change->time > time) {
		if (change->before == NONE)
			return NONE;
		change = &events->change[change->before];
	}
	return change->event;
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
		const struct place *place;
		uint32_t event = NONE;
		int ambiguous = 0;

		if (!(counters >> n & 1))
			continue;
		place = find(events, who, n);
		if (place)
			event = event_at(events, place, time, &ambiguous);
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

	if (!events || !trace || trace->size < sizeof(*trace) || !record ||
	    record->size < sizeof(*record) || !match || match->size < sizeof(*match))
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

	if (!info || info->size < sizeof(*info) || !time)
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
