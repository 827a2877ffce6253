/* SPDX-License-Identifier: BSD-3-Clause */
/* Several inputs of one recording, of which each reads a part. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "libdecode/perf/losses/loss_parts.h"
#include "libdecode/perf/records/record_header.h"
#include "private.h"

/* What looks like so many records in a row are records, … */
#define CHAIN_LONG 32u
/* … or like so many, if nothing more is at hand: that is read, and has them however long they are */
#define CHAIN_SHORT 4u
#define CHAIN_BYTES ((CHAIN_SHORT + 1) * (RECORD_MAX_BYTES + 1))

#define RECORD_ALIGNMENT 8u

/* Does record stand behind record, at offsets that can be gone to? */
static int can_be_parted(const struct precis_input *input)
{
	const struct precis_file *file = input->file;

	return file && !input->traced && !file->pipe.is_pipe && !file->order.merger &&
	       !file->order.sorter && !file->stream.inflater && !file->stream.source.is_stream &&
	       losses_can_be_parted(&file->losses);
}

/* --- where a record begins --- */

/* @return its size; 0: it does not look like a record */
static uint32_t size_at(const uint8_t *at)
{
	const uint32_t size = record_header_size(at);

	if (size < RECORD_HEADER_BYTES || size % RECORD_ALIGNMENT || !precis_record_name(load_u32(at)))
		return 0;
	return size;
}

/* Of what is all there: is it a sample of an event that there is, if it is one? */
static int is_sound(struct precis_file *file, const uint8_t *at, uint32_t size)
{
	return load_u32(at) != PRECIS_RECORD_SAMPLE || file_events_of_sample(&file->events, at, size);
}

/* Do records begin there, up to 'end', where the data end if 'is_end'? */
static int begins_chain(struct precis_file *file, const uint8_t *at, const uint8_t *end, int is_end)
{
	uint32_t count = 0;

	for (; count < CHAIN_LONG && at != end; count++) {
		const size_t left = (size_t)(end - at);
		const uint32_t size = left < RECORD_HEADER_BYTES ? RECORD_HEADER_BYTES : size_at(at);

		if (size > left)
			return !is_end && count >= CHAIN_SHORT;
		if (!size || !is_sound(file, at, size))
			return 0;
		at += size;
	}
	return 1;
}

static int find_chain(struct precis_file *file, uint64_t from, const uint8_t *bytes, size_t count,
		      int is_end, uint64_t *offset)
{
	size_t most = count < RECORD_MAX_BYTES ? count : RECORD_MAX_BYTES; /* within these one begins */

	for (size_t at = 0; at < most; at += RECORD_ALIGNMENT) {
		if (!begins_chain(file, bytes + at, bytes + count, is_end))
			continue;
		*offset = from + at;
		return 1;
	}
	return 0;
}

int precis_input_find_record(struct precis_input *input, uint64_t from, uint64_t *offset)
{
	struct byte_source *source;
	uint64_t start;
	uint8_t *bytes;
	size_t got;
	int found;

	if (!input || !offset)
		return PRECIS_E_ARGUMENT;
	if (!can_be_parted(input))
		return PRECIS_E_UNSUPPORTED;
	source = &input->file->stream.source;
	start = input->file->stream.data_offset;
	if (from < start || from > source->limit)
		return PRECIS_E_ARGUMENT;
	from += (start - from) % RECORD_ALIGNMENT;
	bytes = malloc(CHAIN_BYTES);
	if (!bytes)
		return PRECIS_E_NO_MEMORY;
	found = byte_source_read(source, from, bytes, CHAIN_BYTES, &got);
	if (!found) {
		const uint64_t left = from < source->limit ? source->limit - from : 0;

		if (got > left)
			got = (size_t)left;
		found = find_chain(input->file, from, bytes, got, got == left, offset);
	}
	free(bytes);
	return found;
}

/* --- parts --- */

int precis_input_seek(struct precis_input *input, uint64_t offset, uint64_t until)
{
	struct record_stream *stream;

	if (!input)
		return PRECIS_E_ARGUMENT;
	if (!can_be_parted(input))
		return PRECIS_E_UNSUPPORTED;
	stream = &input->file->stream;
	if (offset < stream->data_offset || offset > stream->source.limit)
		return PRECIS_E_ARGUMENT;
	byte_source_section(&stream->source, offset, stream->source.limit);
	stream->source.ahead_to = until;
	stream->payload = 0;
	input_stop(input, 0);
	input->file->order.stopped = 0;
	input->is_at_end = 0;
	return 0;
}

uint64_t precis_input_place(const struct precis_input *input)
{
	const struct record_stream *stream;

	if (!input || !input->file || input->file->order.merger)
		return 0;
	stream = &input->file->stream;
	return byte_source_offset(&stream->source) + stream->payload;
}

int precis_input_forget_samples(struct precis_input *input)
{
	if (!input)
		return PRECIS_E_ARGUMENT;
	if (!can_be_parted(input))
		return PRECIS_E_UNSUPPORTED;
	losses_forget_samples(&input->file->losses);
	input->counts.samples = 0;
	return 0;
}

/* What an event is may be known by its first sample alone. @return 0, PRECIS_E_UNSUPPORTED */
static int take_kind(struct file_event *event, const struct file_event *other)
{
	if (event->view.kind == other->view.kind || !other->counts.samples)
		return 0;
	if (event->counts.samples)
		return PRECIS_E_UNSUPPORTED;
	event->view.kind = other->view.kind;
	event->view.kind_source = other->view.kind_source;
	event->view.pmu = NULL;
	event->payload_judged = 1;
	return 0;
}

int precis_input_add_samples(struct precis_input *input, const struct precis_input *other)
{
	struct file_events *events;

	if (!input || !other || input == other)
		return PRECIS_E_ARGUMENT;
	if (!can_be_parted(input) || !can_be_parted(other))
		return PRECIS_E_UNSUPPORTED;
	events = &input->file->events;
	for (uint32_t n = 0; n < events->count && n < other->file->events.count; n++) {
		if (take_kind(events->event[n], other->file->events.event[n]))
			return PRECIS_E_UNSUPPORTED;
	}
	input->counts.samples += other->counts.samples;
	return losses_add_samples(&input->file->losses, &other->file->losses);
}
