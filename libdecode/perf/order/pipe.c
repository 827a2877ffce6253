/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pipe mode: what a seekable file has in its header and behind its data comes as
 * records in front of the samples, in an order that differs between versions of
 * perf. They are read when the file is opened, and handed out like all others.
 */
#include <inttypes.h>
#include <stdlib.h>

#include <precis/feature_number.h>

#include "libdecode/perf/features/sections.h"
#include "libdecode/perf/machine/kinds.h"
#include "libdecode/perf/records/attr.h"
#include "pipe.h"

/* Of perf's own records before the first sample; mappings of a whole machine need less */
#define PROLOGUE_MOST ((size_t)8 << 20)
/* The formats of all tracepoints of a kernel are a tenth of that */
#define TRACING_MOST ((size_t)32 << 20)
#define TRACING_STEP ((size_t)256 << 10)
/* Events that come later: each makes all be indexed again */
#define LATE_EVENTS_MOST 256u

#define UPDATE_NAME 2u /* PERF_EVENT_UPDATE__NAME */
/* An empty one of a number from here on is not a feature: it ends the list. */
#define FIRST_FEATURE_NEVER_EMPTY PRECIS_FEATURE_CACHE

static int take_attr(struct file_events *events, const struct precis_record *record)
{
	struct cursor body = record_body(record);
	size_t bytes = cursor_left(&body), attr_bytes, ids;
	struct file_event *event;
	int error;

	if (bytes < ATTR_MIN_BYTES)
		return file_fail(events->errors, PRECIS_E_BAD_SIZE, record->offset,
				 "expected an attr of at least %u bytes, found %zu", ATTR_MIN_BYTES,
				 bytes);
	attr_bytes = load_u32(body.at + ATTR_SIZE);
	if (!attr_bytes)
		attr_bytes = ATTR_MIN_BYTES;
	ids = attr_bytes <= bytes ? (bytes - attr_bytes) / 8 : 0;
	error = file_events_add(events, body.at, bytes, record->offset + RECORD_HEADER_BYTES, ids,
				&event);
	if (!error)
		memcpy(event->ids, body.at + attr_bytes, ids * 8);
	return error;
}

static int take_feature(struct feature_set *features, const struct precis_record *record)
{
	struct cursor body = record_body(record);
	uint64_t feature;
	size_t bytes;

	if (!cursor_u64(&body, &feature))
		return file_warn(features->errors,
				 "offset %" PRIu64 ": a HEADER_FEATURE without number",
				 record->offset);
	bytes = cursor_left(&body);
	if (!bytes && feature >= FIRST_FEATURE_NEVER_EMPTY)
		return 0;
	return features_keep(features, feature, record->offset, body.at, bytes);
}

/* EVENT_UPDATE: {u64 type, id; name}, the id being the event's first. Events have been indexed. */
static int take_name(struct file_events *events, const struct precis_record *record)
{
	struct cursor body = record_body(record);
	struct file_event *event;
	uint64_t type, id;
	uint32_t n;
	char *name;

	if (!cursor_u64(&body, &type) || type != UPDATE_NAME || !cursor_u64(&body, &id) ||
	    !memchr(body.at, '\0', cursor_left(&body)))
		return 0;
	n = precis_ids_find(&events->index, id);
	if (n == IDS_NONE || events->event[n]->ids[0] != id || events->event[n]->updated_name)
		return 0;
	event = events->event[n];
	name = strdup((const char *)body.at);
	if (!name)
		return PRECIS_E_NO_MEMORY;
	event->updated_name = name;
	event->view.name = name;
	return 0;
}

/* The bytes behind the record. As many are kept as are there, whatever the record says. */
static int take_tracing_data(struct pipe *pipe, const struct precis_record *record)
{
	struct record_stream *stream = pipe->stream;
	uint64_t offset = record->offset;
	uint8_t *bytes = NULL;
	size_t count = 0, got = 1;
	int error = 0;

	if (features_have(pipe->features, PRECIS_FEATURE_TRACING_DATA))
		return 0; /* the first counts */
	if (stream->payload > TRACING_MOST)
		return file_warn(pipe->errors,
				 "offset %" PRIu64 ": %" PRIu64
				 " bytes of TRACING_DATA are more than is read",
				 offset, stream->payload);
	while (stream->payload && got && !error) {
		uint8_t *larger = realloc(bytes, count + TRACING_STEP);

		if (larger) {
			bytes = larger;
			error = precis_stream_payload(stream, bytes + count, TRACING_STEP, &got);
			count += got;
		} else {
			error = PRECIS_E_NO_MEMORY;
		}
	}
	if (!error && !stream->payload)
		error = features_keep(pipe->features, PRECIS_FEATURE_TRACING_DATA, offset, bytes,
				      count);
	free(bytes);
	return error == PRECIS_E_NO_MEMORY ? error : 0;
}

/* @return 0, PRECIS_E_NO_MEMORY, or the error of an attr, which is the file's */
static int take(struct pipe *pipe, const struct precis_record *record)
{
	int error;

	switch (record->type) {
	case PRECIS_RECORD_HEADER_ATTR:
		return take_attr(pipe->events, record);
	case PRECIS_RECORD_HEADER_FEATURE:
		error = take_feature(pipe->features, record);
		break;
	case PRECIS_RECORD_EVENT_UPDATE:
		error = take_name(pipe->events, record);
		break;
	case PRECIS_RECORD_HEADER_TRACING_DATA:
		error = take_tracing_data(pipe, record);
		break;
	default:
		return 0;
	}
	return error ? file_fail_system(pipe->errors, error) : 0;
}

static int append(struct prologue *prologue, const struct precis_record *record)
{
	size_t bytes = sizeof(record->offset) + record->size;

	if (prologue->room - prologue->count < bytes) {
		size_t room = 2 * prologue->room + 65536 + sizeof(record->offset);
		uint8_t *larger = realloc(prologue->bytes, room);

		if (!larger)
			return PRECIS_E_NO_MEMORY;
		prologue->bytes = larger;
		prologue->room = room;
	}
	memcpy(prologue->bytes + prologue->count, &record->offset, sizeof(record->offset));
	memcpy(prologue->bytes + prologue->count + sizeof(record->offset), record->data,
	       record->size);
	prologue->count += bytes;
	return 0;
}

int precis_prologue_next(struct prologue *prologue, struct precis_record *record)
{
	if (prologue->at == prologue->count)
		return 0;
	record->offset = load_u64(prologue->bytes + prologue->at);
	record->data_file = 0;
	record_view(prologue->bytes + prologue->at + sizeof(record->offset), record);
	prologue->at += sizeof(record->offset) + record->size;
	return 1;
}

/* Does what describes the recording end here? */
static int ends_prologue(const struct pipe *pipe, const struct precis_record *record)
{
	return record->type == PRECIS_RECORD_SAMPLE ||
	       record->type == PRECIS_RECORD_FINISHED_INIT ||
	       record->type == PRECIS_RECORD_AUXTRACE || /* what follows it can be read once */
	       record->type == PRECIS_RECORD_FINISHED_ROUND || pipe->stream->inflater ||
	       pipe->prologue.count > PROLOGUE_MOST;
}

/* An error of the stream ends the prologue alone: who reads on meets it behind its records. */
static int read_records(struct pipe *pipe)
{
	struct prologue *prologue = &pipe->prologue;
	struct precis_record record = { 0 };
	int found, error;

	do {
		found = precis_stream_next(pipe->stream, &record);
		if (found < 0) {
			prologue->stopped = found;
			prologue->error = pipe->errors->last;
		}
		if (found <= 0)
			break;
		error = append(prologue, &record);
		if (error)
			return file_fail_system(pipe->errors, error);
		error = record.type == PRECIS_RECORD_EVENT_UPDATE ? 0 : take(pipe, &record);
		if (error)
			return error;
	} while (!ends_prologue(pipe, &record));
	return 0;
}

/* The names in it: there may be as many as events, which are not searched before all are there. */
static int take_names(struct pipe *pipe)
{
	struct prologue prologue = pipe->prologue;
	struct precis_record record = { 0 };

	prologue.at = 0;
	while (precis_prologue_next(&prologue, &record)) {
		if (record.type == PRECIS_RECORD_EVENT_UPDATE && take_name(pipe->events, &record))
			return file_fail_system(pipe->errors, PRECIS_E_NO_MEMORY);
	}
	return 0;
}

int pipe_read_prologue(struct pipe *pipe)
{
	int error;

	error = read_records(pipe);
	pipe->arrived = byte_source_offset(&pipe->stream->source);
	if (!error)
		error = file_events_index(pipe->events);
	if (!error)
		error = take_names(pipe);
	if (!error)
		error = features_parse(pipe->features);
	if (!error && !pipe->events->count &&
	    file_warn(pipe->errors, "the recording has no events"))
		error = file_fail_system(pipe->errors, PRECIS_E_NO_MEMORY);
	return error;
}

/* An event behind the prologue */
static int take_late(struct pipe *pipe, const struct precis_record *record)
{
	uint32_t before = pipe->events->count;
	int error;

	if (pipe->late_events == LATE_EVENTS_MOST)
		return file_fail(pipe->errors, PRECIS_E_UNSUPPORTED, record->offset,
				 "expected all events before the samples, found more than "
				 "%u behind the first",
				 LATE_EVENTS_MOST);
	error = take(pipe, record);
	if (error)
		return error;
	pipe->late_events++;
	error = file_events_index(pipe->events);
	if (!error)
		error = file_find_kinds(pipe->machine, pipe->events, before);
	return error;
}

int pipe_arrive(struct pipe *pipe, const struct precis_record *record)
{
	int error = 0;

	if (!pipe->is_pipe || record->offset < pipe->arrived)
		return 0;
	if (record->type == PRECIS_RECORD_EVENT_UPDATE)
		error = take(pipe, record);
	else if (record->type == PRECIS_RECORD_HEADER_ATTR)
		error = take_late(pipe, record);
	if (!error) /* an error is met again after a rewind */
		pipe->arrived = record->offset + 1;
	return error;
}
