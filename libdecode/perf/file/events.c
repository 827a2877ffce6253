/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a recording, and how a record's event is found. */
#include <stdlib.h>

#include "libdecode/perf/records/attr.h"
#include "private.h"

/* More than any recording has: what a hostile one can make of a few bytes each is bounded. */
#define EVENTS_MOST 65536u
#define IDS_MOST (UINT64_C(4) << 20)

void precis_file_free_events(struct precis_file *file)
{
	for (uint32_t n = 0; n < file->event_count; n++) {
		free(file->events[n]->attr);
		free(file->events[n]->ids);
		free(file->events[n]->updated_name);
		free(file->events[n]->made_name);
		free(file->events[n]);
	}
	free(file->events);
	precis_ids_free(&file->index);
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
	event->time_offset =
		RECORD_HEADER_BYTES + WORD * (uint32_t)__builtin_popcountll(type & BEFORE_TIME);
	if (event->decoder.layout.sample_id_all)
		event->time_from_end =
			WORD + WORD * (uint32_t)__builtin_popcountll(type & TRAILER_BEHIND_TIME);
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
	precis_loss_event_init(event);
	event->counts.size = sizeof(event->counts);
}

static int make_room(struct precis_file *file)
{
	uint32_t room = file->event_room ? 2 * file->event_room : 8;
	struct file_event **events;

	if (file->event_count < file->event_room)
		return 1;
	events = realloc(file->events, room * sizeof(*events));
	if (!events)
		return 0;
	file->events = events;
	file->event_room = room;
	return 1;
}

int precis_file_add_event(struct precis_file *file, const uint8_t *attr, uint64_t room,
			  uint64_t offset, uint64_t id_count, struct file_event **added)
{
	uint32_t bytes = load_u32(attr + ATTR_SIZE);
	struct file_event *event;

	if (!bytes)
		bytes = ATTR_MIN_BYTES;
	if (bytes < ATTR_MIN_BYTES || bytes > room)
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, offset + ATTR_SIZE,
					"expected an attr.size from %u to %llu, found %u",
					ATTR_MIN_BYTES, (unsigned long long)room, bytes);
	if (file->event_count == EVENTS_MOST || id_count > IDS_MOST - file->id_count)
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, offset,
					"expected no more than %u events with %llu ids",
					EVENTS_MOST, (unsigned long long)IDS_MOST);
	event = make_room(file) ? calloc(1, sizeof(*event)) : NULL;
	if (!event)
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	event->attr = malloc(bytes);
	event->ids = calloc(id_count + 1, sizeof(*event->ids));
	if (!event->attr || !event->ids) {
		free(event->attr);
		free(event->ids);
		free(event);
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	}
	memcpy(event->attr, attr, bytes);
	describe(event, file->event_count, bytes);
	event->view.ids = event->ids;
	event->view.id_count = (uint32_t)id_count;
	file->id_count += id_count;
	file->events[file->event_count++] = event;
	*added = event;
	return 0;
}

static int index_ids(struct precis_file *file)
{
	struct precis_id *sorted = malloc((size_t)file->id_count * sizeof(*sorted) + 1);
	size_t count = 0;

	if (!sorted)
		return PRECIS_E_NO_MEMORY;
	for (uint32_t n = 0; n < file->event_count; n++) {
		const struct precis_event *view = &file->events[n]->view;

		for (uint32_t i = 0; i < view->id_count; i++, count++) {
			sorted[count].id = view->ids[i];
			sorted[count].event = n;
		}
	}
	precis_ids_free(&file->index);
	precis_ids_init(&file->index, sorted, count);
	return 0;
}

/*
 * A record's event is found by an id whose place must be known before the
 * event is: all events have to agree on it, as perf demands too.
 */
static int find_id_place(struct precis_file *file)
{
	const struct precis_layout *first = &file->events[0]->decoder.layout;

	file->single = file->event_count == 1 && (!file->index.count || !first->id_offset);
	file->id_offset = 0;
	file->id_from_end = 0;
	for (uint32_t n = 1; n < file->event_count; n++) {
		const struct precis_layout *layout = &file->events[n]->decoder.layout;

		if (layout->id_offset != first->id_offset)
			return precis_file_warn(file,
						"events 0 and %u put their id at different "
						"places of a sample: no sample can be attributed",
						n);
	}
	file->id_offset = first->id_offset;
	if (!file->single && !file->id_offset)
		return precis_file_warn(file,
					"the samples of %u events carry no id: "
					"none can be attributed",
					file->event_count);
	for (uint32_t n = 1; n < file->event_count; n++) {
		if (file->events[n]->decoder.layout.id_from_end != first->id_from_end)
			return 0;
	}
	file->id_from_end = first->id_from_end;
	return 0;
}

/* Whoever needs no more than a sample's time need not look for its event. */
static void find_time_place(struct precis_file *file)
{
	file->time_offset = file->events[0]->time_offset;
	for (uint32_t n = 1; n < file->event_count; n++) {
		if (file->events[n]->time_offset != file->time_offset)
			file->time_offset = 0;
	}
}

int precis_file_index_events(struct precis_file *file)
{
	if (!file->event_count)
		return 0;
	find_time_place(file);
	if (index_ids(file) || find_id_place(file))
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	return 0;
}
