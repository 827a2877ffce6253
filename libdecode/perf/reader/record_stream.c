/* SPDX-License-Identifier: BSD-3-Clause */
/* See record_stream.h. */
#include "record_stream.h"

#include <inttypes.h>

#include "libdecode/perf/records/record_header.h"

void precis_stream_rewind(struct record_stream *stream)
{
	struct byte_source *source = &stream->source;
	uint64_t limit = stream->section_end;

	if (limit > source->file_bytes)
		limit = source->file_bytes;
	byte_source_section(source, stream->data_offset, limit);
	if (stream->inflater && !source->is_stream)
		precis_inflater_reset(stream->inflater);
	stream->inner_skip = 0;
	stream->payload = 0;
	stream->is_cut = 0;
}

void precis_stream_close(struct record_stream *stream)
{
	byte_source_close(&stream->source);
	precis_inflater_free(stream->inflater);
	stream->inflater = NULL;
}

static int is_compressed(uint32_t type)
{
	return type == PRECIS_RECORD_COMPRESSED || type == PRECIS_RECORD_COMPRESSED2;
}

static int fail_io(const struct record_stream *stream)
{
	stream->errors->sys_errno = stream->source.sys_errno;
	return file_fail_system(stream->errors, PRECIS_E_IO);
}

static int fail_truncated(const struct record_stream *stream, uint64_t needed, uint64_t found)
{
	const struct byte_source *source = &stream->source;
	int at_file_end = source->is_stream || stream->section_end > source->file_bytes;

	return file_fail(stream->errors, PRECIS_E_TRUNCATED, byte_source_offset(source),
			 "expected a record of %" PRIu64 " bytes, found %" PRIu64
			 " up to the end of the %s",
			 needed, found, at_file_end ? "file" : "data section");
}

static int fail_header(const struct record_stream *stream, size_t left)
{
	uint64_t at = byte_source_offset(&stream->source);

	if (stream->source.is_stream)
		return file_fail(stream->errors, PRECIS_E_TRUNCATED, at,
				 "expected a record's header of %u bytes, found %zu",
				 RECORD_HEADER_BYTES, left);
	return file_fail(stream->errors, PRECIS_E_TRUNCATED, at,
			 "expected a record's header of %u bytes, found %zu; "
			 "the data section should end at %" PRIu64,
			 RECORD_HEADER_BYTES, left, stream->section_end);
}

int precis_stream_fail_payload(const struct record_stream *stream, uint64_t offset,
			       uint64_t missing)
{
	uint32_t data_file = stream->errors->data_file;

	stream->errors->data_file = stream->data_file;
	file_fail(stream->errors, PRECIS_E_TRUNCATED, offset,
		  "expected %" PRIu64 " more bytes of the data behind a record; "
		  "they end here",
		  missing);
	stream->errors->data_file = data_file;
	return PRECIS_E_TRUNCATED;
}

/*
 * The last record is cut, but it is compressed: what is there of it can be read.
 * @return 1 with that part of the record
 */
static int take_cut(struct record_stream *stream, size_t left, struct precis_record *record)
{
	record_view(stream->source.at, record);
	if (!is_compressed(record->type))
		return 0;
	record->size = (uint16_t)left;
	stream->is_cut = 1;
	return 1;
}

/* Get the next record into the window. @return 1, 0 at the end, or negative */
static int fill_window(struct record_stream *stream, struct precis_record *record)
{
	struct byte_source *source = &stream->source;
	size_t left, size;

	if (byte_source_need(source, RECORD_HEADER_BYTES))
		return fail_io(stream);
	if (source->skipped)
		return precis_stream_fail_payload(stream, source->end_offset, source->skipped);
	left = (size_t)(source->end - source->at);
	if (!left && (source->is_stream || byte_source_offset(source) == stream->section_end))
		return 0;
	if (left < RECORD_HEADER_BYTES)
		return fail_header(stream, left);
	size = record_header_size(source->at);
	if (byte_source_need(source, size))
		return fail_io(stream);
	left = (size_t)(source->end - source->at);
	if (left < size && !take_cut(stream, left, record))
		return fail_truncated(stream, size, left);
	return 1;
}

/* How many bytes follow a record outside its header.size. @return 0, or negative */
static int payload_of(const struct record_stream *stream, const struct precis_record *record,
		      uint64_t *payload)
{
	struct cursor body = record_body(record);
	uint32_t narrow = 0;
	int found = 1;

	*payload = 0;
	if (record->type == PRECIS_RECORD_AUXTRACE) {
		found = cursor_u64(&body, payload);
	} else if (record->type == PRECIS_RECORD_HEADER_TRACING_DATA) {
		found = cursor_u32(&body, &narrow);
		/* simpleperf has the data in the record: its size covers them */
		*payload = narrow > cursor_left(&body) ? narrow : 0;
	} else {
		*payload = record_bytes_beyond_size(record);
	}
	if (!found)
		return file_fail(stream->errors, PRECIS_E_BAD_SIZE, record->offset,
				 "expected the size of the data behind a record %s, found %u bytes",
				 precis_record_name(record->type), record->size);
	return 0;
}

/* That the data end before the payload does is told by who reads on: the record itself is whole. */
static int leave_payload(struct record_stream *stream, const struct precis_record *record)
{
	int error = payload_of(stream, record, &stream->payload);

	if (!error)
		stream->source.at += record->size;
	return error;
}

static int fail_record_size(const struct record_stream *stream, const struct precis_record *record)
{
	return file_fail(stream->errors, PRECIS_E_BAD_SIZE, record->offset + 6,
			 "expected a record size of at least %u, found %u", RECORD_HEADER_BYTES,
			 record->size);
}

/* The next record as it stands in the file. @return 1, 0 at the end, or negative */
static int outer_next(struct record_stream *stream, struct precis_record *record)
{
	struct byte_source *source = &stream->source;
	size_t left;
	int found;

	if (stream->payload) {
		byte_source_skip(source, stream->payload);
		stream->payload = 0;
	}
	left = (size_t)(source->end - source->at);
	if (left < RECORD_HEADER_BYTES || left < record_header_size(source->at)) {
		found = fill_window(stream, record);
		if (found <= 0)
			return found;
	}
	if (!stream->is_cut)
		record_view(source->at, record);
	record->offset = byte_source_offset(source);
	record->data_file = stream->data_file;
	if (record->size < RECORD_HEADER_BYTES)
		return fail_record_size(stream, record);
	if (record->type == PRECIS_RECORD_AUXTRACE ||
	    record->type == PRECIS_RECORD_HEADER_TRACING_DATA ||
	    record->type > SIMPLEPERF_FIRST_TYPE) {
		int error = leave_payload(stream, record);

		if (error)
			return error;
	} else {
		source->at += record->size;
	}
	return 1;
}

/* Begin with the contents of a compressed record. */
static int open_compressed(struct record_stream *stream, const struct precis_record *record)
{
	struct cursor body = record_body(record);
	uint64_t bytes;
	int error;

	if (!stream->inflater) {
		error = precis_inflater_new(stream->source.window_bytes, stream->inflater_memory,
					    &stream->inflater);
		if (error == PRECIS_E_UNSUPPORTED)
			return file_fail(stream->errors, error, record->offset,
					 "a compressed recording (record %s); this build "
					 "of precis has no zstd",
					 precis_record_name(record->type));
		if (error)
			return file_fail_system(stream->errors, error);
		if (stream->expansion_limit)
			stream->inflater->limit = stream->expansion_limit;
	}
	bytes = cursor_left(&body);
	if (record->type == PRECIS_RECORD_COMPRESSED2) {
		uint64_t room = bytes >= 8 ? bytes - 8 : 0;

		if (!cursor_u64(&body, &bytes) || (bytes > room && !stream->is_cut))
			return file_fail(stream->errors, PRECIS_E_BAD_SIZE, record->offset + 8,
					 "expected at most %" PRIu64
					 " bytes of compressed data, found %" PRIu64,
					 room, bytes);
		if (bytes > room)
			bytes = room;
	}
	stream->compressed_at = record->offset;
	precis_inflater_feed(stream->inflater, body.at, (size_t)bytes);
	return 0;
}

static int fail_compression(const struct record_stream *stream)
{
	const struct inflater *inflater = stream->inflater;

	if (inflater->is_over)
		return file_fail(stream->errors, PRECIS_E_EXPANSION, stream->compressed_at,
				 "%" PRIu64 " bytes of %" PRIu64 ", more than %" PRIu64
				 " times as many (expansion_limit)",
				 inflater->end_offset, inflater->fed, inflater->limit);
	return file_fail(stream->errors, PRECIS_E_COMPRESSION, stream->compressed_at,
			 "zstd: %s, %" PRIu64
			 " bytes into the decompressed data, in this compressed record",
			 inflater->reason, inflater->end_offset);
}

/* Step over what follows a record inside the compressed data. @return 1 when that is done */
static int inner_skip(struct record_stream *stream)
{
	struct inflater *inflater = stream->inflater;

	while (stream->inner_skip) {
		uint64_t left;

		if (precis_inflater_need(inflater, 1) || inflater->at == inflater->end)
			return 0;
		left = (uint64_t)(inflater->end - inflater->at);
		if (left > stream->inner_skip)
			left = stream->inner_skip;
		inflater->at += left;
		stream->inner_skip -= left;
	}
	return 1;
}

/* The next record out of a compressed one. @return 1, 0 where more input is needed, or negative */
static int inner_next(struct record_stream *stream, struct precis_record *record)
{
	struct inflater *inflater = stream->inflater;
	size_t left, size = RECORD_HEADER_BYTES;

	if (stream->inner_skip && !inner_skip(stream))
		return inflater->reason ? fail_compression(stream) : 0;
	for (int twice = 0; twice < 2; twice++) { /* the header, then the record */
		if (precis_inflater_need(inflater, size))
			return fail_compression(stream);
		left = (size_t)(inflater->end - inflater->at);
		if (left < size)
			return 0;
		size = record_header_size(inflater->at);
	}
	record_view(inflater->at, record);
	record->offset = stream->compressed_at;
	record->data_file = stream->data_file;
	if (size < RECORD_HEADER_BYTES)
		return file_fail(stream->errors, PRECIS_E_BAD_SIZE, record->offset,
				 "expected a record size of at least %u, found %zu, %" PRIu64
				 " bytes into the decompressed data, in this compressed record",
				 RECORD_HEADER_BYTES, size, inflater->end_offset - left);
	inflater->at += size;
	return payload_of(stream, record, &stream->inner_skip) ? PRECIS_E_BAD_SIZE : 1;
}

/* What can be had at once. @return 0 or PRECIS_E_IO */
static int take_outer_payload(struct record_stream *stream, uint8_t *bytes, size_t count,
			      size_t *got)
{
	struct byte_source *source = &stream->source;
	size_t step;

	if (byte_source_need(source, 1))
		return fail_io(stream);
	step = (size_t)(source->end - source->at);
	if (step > count)
		step = count;
	memcpy(bytes, source->at, step);
	source->at += step;
	stream->payload -= step;
	*got = step;
	return 0;
}

/* Go on with the compressed record that should be next. @return 1, 0 at the end, or negative */
static int continue_compressed(struct record_stream *stream)
{
	struct byte_source *source = &stream->source;
	struct precis_record record;
	int found, error;

	if (stream->is_cut)
		return 0;
	if (byte_source_need(source, RECORD_HEADER_BYTES))
		return fail_io(stream);
	if (source->end - source->at < RECORD_HEADER_BYTES)
		return 0;
	if (!is_compressed(load_u32(source->at)))
		return file_fail(stream->errors, PRECIS_E_UNSUPPORTED, byte_source_offset(source),
				 "expected more compressed data behind a record, found one "
				 "that is not compressed");
	found = outer_next(stream, &record);
	if (found <= 0)
		return found;
	error = open_compressed(stream, &record);
	return error ? error : 1;
}

/* The same of what a compressed record holds. @return 0 or negative */
static int take_inner_payload(struct record_stream *stream, uint8_t *bytes, size_t count,
			      size_t *got)
{
	struct inflater *inflater = stream->inflater;
	size_t step = 0;

	for (int found = 1; !step && found; step = (size_t)(inflater->end - inflater->at)) {
		if (precis_inflater_need(inflater, 1))
			return fail_compression(stream);
		if (inflater->at != inflater->end)
			continue;
		found = continue_compressed(stream);
		if (found < 0)
			return found;
	}
	if (step > count)
		step = count;
	memcpy(bytes, inflater->at, step);
	inflater->at += step;
	stream->inner_skip -= step;
	*got = step;
	return 0;
}

int precis_stream_payload(struct record_stream *stream, uint8_t *bytes, size_t count, size_t *got)
{
	uint64_t left = precis_stream_payload_left(stream);
	int is_outer = stream->payload != 0;

	if (count > left)
		count = (size_t)left;
	for (*got = 0; *got < count;) {
		size_t step = 0, room = count - *got;
		int error = is_outer ? take_outer_payload(stream, bytes + *got, room, &step)
				     : take_inner_payload(stream, bytes + *got, room, &step);

		if (error)
			return error;
		if (!step)
			break;
		*got += step;
	}
	return 0;
}

/* The file's data are over: so should be the compressed ones. */
static int inner_end(const struct record_stream *stream)
{
	const struct inflater *inflater = stream->inflater;
	uint64_t left = inflater ? (uint64_t)(inflater->end - inflater->at) : 0;

	if (inflater && stream->is_cut)
		return file_fail(stream->errors, PRECIS_E_TRUNCATED, stream->compressed_at,
				 "expected a compressed record; the data end inside it");
	if (left || stream->inner_skip)
		return file_fail(stream->errors, PRECIS_E_TRUNCATED, stream->compressed_at,
				 "expected the rest of a record in compressed data; the "
				 "last compressed record holds %" PRIu64 " bytes of it",
				 left);
	return 0;
}

int precis_stream_next(struct record_stream *stream, struct precis_record *record)
{
	for (;;) {
		int found = stream->inflater ? inner_next(stream, record) : 0;

		if (found)
			return found;
		found = stream->is_cut ? 0 : outer_next(stream, record);
		if (!found)
			return inner_end(stream);
		if (found < 0 || !is_compressed(record->type))
			return found;
		found = open_compressed(stream, record);
		if (found)
			return found;
	}
}
