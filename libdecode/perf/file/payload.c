/* SPDX-License-Identifier: BSD-3-Clause */
/* The data behind a record: the trace of AUXTRACE. */
#include "private.h"

void precis_file_note_payload(struct precis_file *file, const struct precis_record *record)
{
	struct cursor body = record_body(record);

	file->payload.number = file->losses.counts.records + 1;
	file->payload.data_file = record->data_file;
	file->payload.record_at = record->offset;
	file->payload.at = record->offset + record->size;
	if (!cursor_u64(&body, &file->payload.left))
		file->payload.left = 0;
}

static int fail_order(struct precis_file *file, const char *why)
{
	return file_fail(&file->errors, PRECIS_E_UNSUPPORTED, file->payload.record_at,
			 "the data behind a record in time order need the records as they "
			 "stand in a file; %s",
			 why);
}

/* In time order the stream has gone on: read where the data stand. @return 0 or negative */
static int read_at(struct precis_file *file, struct record_stream *stream, uint8_t *bytes,
		   size_t count, size_t *got)
{
	struct byte_source *source = &stream->source;
	uint8_t head[RECORD_HEADER_BYTES];
	size_t head_bytes;
	uint64_t room;

	if (source->is_stream)
		return fail_order(file, "these came through a pipe");
	if (byte_source_read(source, file->payload.record_at, head, sizeof(head), &head_bytes)) {
		file->errors.sys_errno = source->sys_errno;
		return file_fail_system(&file->errors, PRECIS_E_IO);
	}
	if (head_bytes < sizeof(head) || load_u32(head) != PRECIS_RECORD_AUXTRACE)
		return fail_order(file, "these are compressed");
	room = source->limit > file->payload.at ? source->limit - file->payload.at : 0;
	if (count > room)
		count = (size_t)room;
	if (byte_source_read(source, file->payload.at, bytes, count, got)) {
		file->errors.sys_errno = source->sys_errno;
		return file_fail_system(&file->errors, PRECIS_E_IO);
	}
	return 0;
}

int64_t precis_file_payload(struct precis_file *file, void *buffer, size_t room)
{
	struct record_stream *stream;
	uint64_t left;
	size_t got = 0;
	int error;

	if (!file || (!buffer && room) || room > INT64_MAX)
		return PRECIS_E_ARGUMENT;
	left = file->payload.number == file->losses.counts.records ? file->payload.left : 0;
	if (!left || !room)
		return 0;
	stream = file->order.merger
			 ? precis_merger_stream(file->order.merger, file->payload.data_file)
			 : &file->stream;
	if (!stream)
		return PRECIS_E_ARGUMENT;
	if (room > left)
		room = (size_t)left;
	error = file->order.sorter ? read_at(file, stream, buffer, room, &got)
				   : precis_stream_payload(stream, buffer, room, &got);
	file->payload.left -= got;
	file->payload.at += got;
	if (got)
		return (int64_t)got; /* an error is met again */
	if (error)
		return error;
	return precis_stream_fail_payload(
		stream, file->order.sorter ? file->payload.at : byte_source_offset(&stream->source),
		left);
}
