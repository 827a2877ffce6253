/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a recording, and how a record's event is found. */
#include <stdlib.h>

#include "events.h"
#include "libdecode/perf/records/attr.h"
#include "libdecode/perf/samples/read_format.h"

/* More than any recording has: what a hostile one can make of a few bytes each is bounded. */
#define EVENTS_MOST 65536u
#define IDS_MOST (UINT64_C(4) << 20)

void file_events_init(struct file_events *events, struct file_errors *errors)
{
	events->errors = errors;
	precis_ids_init(&events->index, NULL, 0);
}

void file_events_free(struct file_events *events)
{
	for (uint32_t n = 0; n < events->count; n++) {
		free(events->event[n]->attr);
		free(events->event[n]->ids);
		free(events->event[n]->updated_name);
		free(events->event[n]->made_name);
		free(events->event[n]->losses.on_cpu);
		free(events->event[n]);
	}
	free(events->event);
	precis_ids_free(&events->index);
}

#define WORD 8u

/* What stands before the time of a SAMPLE, and behind that of a trailer */
#define BEFORE_TIME (PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID)
#define TRAILER_BEHIND_TIME                                                                        \
	(PRECIS_SAMPLE_ID | PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_IDENTIFIER)

static void find_time(struct file_event *event)
{
	uint64_t type = event->decoder.layout.sample_type;

	if (!(type & PRECIS_SAMPLE_TIME))
		return;
	event->time_offset = sample_offset_behind(type, BEFORE_TIME);
	if (event->decoder.layout.sample_id_all)
		event->time_from_end =
			WORD + WORD * (uint32_t)__builtin_popcountll(type & TRAILER_BEHIND_TIME);
}

/* What of a SAMPLE may stand before the thread, the CPU and READ: one word each */
#define BEFORE_TID (PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP)
#define BEFORE_CPU                                                                                 \
	(BEFORE_TID | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ADDR |                \
	 PRECIS_SAMPLE_ID | PRECIS_SAMPLE_STREAM_ID)
#define BEFORE_READ (BEFORE_CPU | PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_PERIOD)

static uint32_t end_of(uint64_t sample_type, uint64_t member, uint64_t before)
{
	return sample_type & member ? sample_offset_behind(sample_type, before) + WORD : UINT32_MAX;
}

static void find_losses(struct file_event *event)
{
	const struct precis_layout *layout = &event->decoder.layout;

	event->losses.first_time = UINT64_MAX;
	event->losses.time_end = event->time_offset ? event->time_offset + 8 : UINT32_MAX;
	event->losses.cpu_end = end_of(layout->sample_type, PRECIS_SAMPLE_CPU, BEFORE_CPU);
	event->losses.tid_end = end_of(layout->sample_type, PRECIS_SAMPLE_TID, BEFORE_TID);
	if ((layout->sample_type & PRECIS_SAMPLE_READ) &&
	    ((layout->read_format & PRECIS_FORMAT_LOST) ||
	     read_format_has_times(layout->read_format)))
		event->losses.counters = sample_offset_behind(layout->sample_type, BEFORE_READ);
}

static void describe(struct file_event *event, uint32_t index, uint32_t bytes)
{
	struct precis_event *view = &event->view;
	const uint8_t *attr = event->attr;

	view->index = index;
	view->type = load_u32(attr + ATTR_TYPE);
	view->config = attr_u64(attr, bytes, ATTR_CONFIG);
	view->config1 = attr_u64(attr, bytes, ATTR_CONFIG1);
	view->config2 = attr_u64(attr, bytes, ATTR_CONFIG2);
	view->sample_period = attr_u64(attr, bytes, ATTR_SAMPLE_PERIOD);
	view->is_frequency = attr_bits(attr, ATTR_FREQ, 1);
	view->precise_ip = attr_bits(attr, ATTR_PRECISE_IP, 2);
	view->exclude_kernel = attr_bits(attr, ATTR_EXCLUDE_KERNEL, 1);
	view->exclude_user = attr_bits(attr, ATTR_EXCLUDE_USER, 1);
	view->attr = attr;
	view->attr_bytes = bytes;
	event->decoder.size = sizeof(event->decoder);
	precis_decoder_init(&event->decoder, attr, bytes);
	event->decoder.index = index;
	view->layout = &event->decoder.layout;
	find_time(event);
	find_losses(event);
	event->counts.size = sizeof(event->counts);
}

static int make_room(struct file_events *events)
{
	uint32_t room = events->room ? 2 * events->room : 8;
	struct file_event **larger;

	if (events->count < events->room)
		return 1;
	larger = realloc(events->event, room * sizeof(*larger));
	if (!larger)
		return 0;
	events->event = larger;
	events->room = room;
	return 1;
}

int file_events_add(struct file_events *events, const uint8_t *attr, uint64_t room, uint64_t offset,
		    uint64_t id_count, struct file_event **added)
{
	uint32_t bytes = load_u32(attr + ATTR_SIZE);
	struct file_event *event;

	if (!bytes)
		bytes = ATTR_MIN_BYTES;
	if (bytes < ATTR_MIN_BYTES || bytes > room)
		return file_fail(events->errors, PRECIS_E_BAD_SIZE, offset + ATTR_SIZE,
				 "expected an attr.size from %u to %llu, found %u", ATTR_MIN_BYTES,
				 (unsigned long long)room, bytes);
	if (events->count == EVENTS_MOST || id_count > IDS_MOST - events->id_count)
		return file_fail(events->errors, PRECIS_E_BAD_SIZE, offset,
				 "expected no more than %u events with %llu ids", EVENTS_MOST,
				 (unsigned long long)IDS_MOST);
	event = make_room(events) ? calloc(1, sizeof(*event)) : NULL;
	if (!event)
		return file_fail_system(events->errors, PRECIS_E_NO_MEMORY);
	event->attr = malloc(bytes);
	event->ids = calloc(id_count + 1, sizeof(*event->ids));
	if (!event->attr || !event->ids) {
		free(event->attr);
		free(event->ids);
		free(event);
		return file_fail_system(events->errors, PRECIS_E_NO_MEMORY);
	}
	memcpy(event->attr, attr, bytes);
	describe(event, events->count, bytes);
	event->view.ids = event->ids;
	event->view.id_count = (uint32_t)id_count;
	events->id_count += id_count;
	events->event[events->count++] = event;
	*added = event;
	return 0;
}

static int index_ids(struct file_events *events)
{
	struct precis_id *sorted = malloc((size_t)events->id_count * sizeof(*sorted) + 1);
	size_t count = 0;

	if (!sorted)
		return PRECIS_E_NO_MEMORY;
	for (uint32_t n = 0; n < events->count; n++) {
		const struct precis_event *view = &events->event[n]->view;

		for (uint32_t i = 0; i < view->id_count; i++, count++) {
			sorted[count].id = view->ids[i];
			sorted[count].event = n;
		}
	}
	precis_ids_free(&events->index);
	precis_ids_init(&events->index, sorted, count);
	return 0;
}

/*
 * A record's event is found by an id whose place must be known before the
 * event is: all events have to agree on it, as perf demands too.
 */
static int find_id_place(struct file_events *events)
{
	const struct precis_layout *first = &events->event[0]->decoder.layout;

	events->single = events->count == 1 && (!events->index.count || !first->id_offset);
	events->id_offset = 0;
	events->id_from_end = 0;
	for (uint32_t n = 1; n < events->count; n++) {
		const struct precis_layout *layout = &events->event[n]->decoder.layout;

		if (layout->id_offset != first->id_offset)
			return file_warn(events->errors,
					 "events 0 and %u put their id at different "
					 "places of a sample: no sample can be attributed",
					 n);
	}
	events->id_offset = first->id_offset;
	if (!events->single && !events->id_offset)
		return file_warn(events->errors,
				 "the samples of %u events carry no id: "
				 "none can be attributed",
				 events->count);
	for (uint32_t n = 1; n < events->count; n++) {
		if (events->event[n]->decoder.layout.id_from_end != first->id_from_end)
			return 0;
	}
	events->id_from_end = first->id_from_end;
	return 0;
}

/* Whoever needs no more than a sample's time need not look for its event. */
static void find_time_place(struct file_events *events)
{
	events->time_offset = events->event[0]->time_offset;
	for (uint32_t n = 1; n < events->count; n++) {
		if (events->event[n]->time_offset != events->time_offset)
			events->time_offset = 0;
	}
}

int file_events_index(struct file_events *events)
{
	if (!events->count)
		return 0;
	find_time_place(events);
	if (index_ids(events) || find_id_place(events))
		return file_fail_system(events->errors, PRECIS_E_NO_MEMORY);
	return 0;
}

void file_events_reset(struct file_events *events)
{
	for (uint32_t n = 0; n < events->count; n++) {
		struct file_event *event = events->event[n];

		event->losses.first_time = UINT64_MAX;
		event->losses.is_task = 0;
		free(event->losses.on_cpu);
		event->losses.on_cpu = NULL;
		event->losses.cpus = 0;
		event->losses.without_cpu = 0;
		event->losses.without_tid = 0;
		memset(&event->counts, 0, sizeof(event->counts));
		event->counts.size = sizeof(event->counts);
	}
}

struct file_event *file_events_of(struct file_events *events, const struct precis_record *record)
{
	if (record->type == PRECIS_RECORD_SAMPLE)
		return file_events_of_sample(events, record->data, record->size);
	if (record->type >= PRECIS_RECORD_USER_FIRST)
		return NULL;
	if (events->single || (events->count == 1 && !events->id_from_end))
		return events->event[0];
	if (!events->id_from_end || record->size < RECORD_HEADER_BYTES + events->id_from_end)
		return NULL;
	return file_events_by_id(events,
				 load_u64(record->data + record->size - events->id_from_end));
}

/* A sample's time stands where its event puts it, that of the others in their trailer. */
uint64_t file_events_time_of(struct file_events *events, const struct precis_record *record)
{
	const struct file_event *event;
	uint32_t place, bytes = record->size;

	if (likely(record->type == PRECIS_RECORD_SAMPLE && events->time_offset))
		return events->time_offset + 8 <= bytes
			       ? load_u64(record->data + events->time_offset)
			       : 0;
	if (record->type >= PRECIS_RECORD_USER_FIRST)
		return 0;
	event = file_events_of(events, record);
	if (!event)
		return 0;
	if (record->type == PRECIS_RECORD_SAMPLE) {
		place = event->time_offset;
		return place && place + 8 <= bytes ? load_u64(record->data + place) : 0;
	}
	place = event->time_from_end;
	if (!place || place + RECORD_HEADER_BYTES > bytes)
		return 0;
	return load_u64(record->data + bytes - place);
}
