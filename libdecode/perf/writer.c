/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A perf.data file front to back: header, ids, attrs, records, features. The
 * header is written once more at the end, when the sizes are known: until then
 * the file is one whose recorder died, which perf and this library can read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "record_header.h"
#include "writer_private.h"

#define HEADER_BYTES 104u
#define SECTION_BYTES 16u
#define MAGIC UINT64_C(0x32454c4946524550) /* "PERFILE2", read little-endian */

static int write_all(struct precis_writer *writer, const uint8_t *bytes, size_t count)
{
	while (count) {
		ssize_t n = write(writer->fd, bytes, count);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			writer->error = PRECIS_E_IO;
			return PRECIS_E_IO;
		}
		bytes += n;
		count -= (size_t)n;
	}
	return 0;
}

static int flush(struct precis_writer *writer)
{
	size_t count = writer->buffered;

	if (writer->error)
		return writer->error;
	writer->buffered = 0;
	return write_all(writer, writer->buffer, count);
}

static int put(struct precis_writer *writer, const void *bytes, size_t count)
{
	int error;

	if (count > WRITER_BUFFER_BYTES - writer->buffered) {
		error = flush(writer);
		if (error)
			return error;
	}
	writer->position += count;
	if (count > WRITER_BUFFER_BYTES)
		return write_all(writer, bytes, count);
	if (count)
		memcpy(writer->buffer + writer->buffered, bytes, count);
	writer->buffered += count;
	return 0;
}

static int put_section(struct precis_writer *writer, uint64_t offset, uint64_t bytes)
{
	const uint64_t section[2] = { offset, bytes };

	return put(writer, section, sizeof(section));
}

static void make_header(const struct precis_writer *writer, uint64_t data_bytes,
			uint64_t header[HEADER_BYTES / 8])
{
	size_t entry = writer->attr_bytes + SECTION_BYTES;

	memset(header, 0, HEADER_BYTES);
	header[0] = MAGIC;
	header[1] = HEADER_BYTES;
	header[2] = entry;
	header[3] = writer->attrs_offset;
	header[4] = entry * writer->event_count;
	header[5] = writer->data_offset;
	header[6] = data_bytes;
	for (uint32_t n = 0; n < WRITER_FEATURES; n++) {
		if (writer->features[n].is_set)
			header[9 + n / 64] |= UINT64_C(1) << (n % 64);
	}
}

/* All that comes before the records */
static int start(struct precis_writer *writer)
{
	uint64_t header[HEADER_BYTES / 8];
	int error;

	if (writer->has_started)
		return writer->error;
	writer->has_started = 1;
	if (!writer->attr_bytes) /* no event at all: the header must say a size still */
		writer->attr_bytes = ATTR_MIN_BYTES;
	writer->attrs_offset = HEADER_BYTES + writer->ids.count;
	writer->data_offset =
		writer->attrs_offset + (writer->attr_bytes + SECTION_BYTES) * writer->event_count;
	make_header(writer, 0, header);
	error = put(writer, header, sizeof(header));
	if (!error)
		error = put(writer, writer->ids.bytes, writer->ids.count);
	for (uint32_t n = 0; n < writer->event_count && !error; n++) {
		const struct writer_event *event = &writer->events[n];

		error = put(writer, writer->attrs.bytes + n * writer->attr_bytes,
			    writer->attr_bytes);
		if (!error)
			error = put_section(writer, HEADER_BYTES + event->first_id * 8,
					    (uint64_t)event->id_count * 8);
	}
	return error;
}

int precis_writer_open(const char *path, struct precis_writer **writer)
{
	struct precis_writer *opened;

	if (!path || !writer)
		return PRECIS_E_ARGUMENT;
	*writer = NULL;
	opened = calloc(1, sizeof(*opened));
	if (!opened)
		return PRECIS_E_NO_MEMORY;
	/* as perf record: samples can hold what others may not see */
	opened->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (opened->fd < 0) {
		free(opened);
		return PRECIS_E_IO;
	}
	*writer = opened;
	return 0;
}

/* attr.size must tell the truth: perf goes by it when it reads the file. */
static int accepts_attr(const struct precis_writer *writer, const uint8_t *attr, size_t bytes)
{
	if (!attr || bytes < ATTR_MIN_BYTES || bytes % 8 || bytes > UINT32_MAX ||
	    load_u32(attr + ATTR_SIZE) != bytes)
		return 0;
	return !writer->event_count || bytes == writer->attr_bytes;
}

int precis_writer_event(struct precis_writer *writer, const void *attr, size_t bytes,
			const uint64_t *ids, uint32_t id_count, const char *name)
{
	struct writer_event *events, *event;

	if (!writer || writer->has_started || !accepts_attr(writer, attr, bytes) ||
	    (id_count && !ids))
		return PRECIS_E_ARGUMENT;
	events = realloc(writer->events, (writer->event_count + 1) * sizeof(*events));
	if (!events)
		return PRECIS_E_NO_MEMORY;
	writer->events = events;
	event = &events[writer->event_count];
	event->first_id = writer->ids.count / 8;
	event->id_count = id_count;
	event->name = name ? strdup(name) : NULL;
	precis_blob_put(&writer->attrs, attr, bytes);
	precis_blob_put(&writer->ids, ids, (size_t)id_count * 8);
	if (writer->attrs.failed || writer->ids.failed || (name && !event->name)) {
		free(event->name);
		return PRECIS_E_NO_MEMORY;
	}
	writer->attr_bytes = bytes;
	writer->event_count++;
	return 0;
}

int precis_writer_record(struct precis_writer *writer, const void *record, size_t bytes)
{
	int error;

	if (!writer || !record)
		return PRECIS_E_ARGUMENT;
	if (bytes < RECORD_HEADER_BYTES || bytes % 8 || record_header_size(record) != bytes)
		return PRECIS_E_BAD_SIZE;
	error = start(writer);
	return error ? error : put(writer, record, bytes);
}

/* The table of sections, then the sections. */
static int write_features(struct precis_writer *writer)
{
	uint64_t at = writer->position;
	int error = 0;

	for (uint32_t n = 0; n < WRITER_FEATURES; n++)
		at += writer->features[n].is_set ? SECTION_BYTES : 0;
	for (uint32_t n = 0; n < WRITER_FEATURES && !error; n++) {
		const struct writer_feature *feature = &writer->features[n];

		if (!feature->is_set)
			continue;
		error = put_section(writer, at, feature->payload.count);
		at += feature->payload.count;
	}
	for (uint32_t n = 0; n < WRITER_FEATURES && !error; n++) {
		const struct blob *payload = &writer->features[n].payload;

		error = put(writer, payload->bytes, payload->count);
	}
	return error;
}

static int finish(struct precis_writer *writer)
{
	/* A data section of size 0 means that the recorder died: put in the least that says nothing. */
	static const struct {
		uint32_t type;
		uint16_t misc, size;
	} round = { PRECIS_RECORD_FINISHED_ROUND, 0, RECORD_HEADER_BYTES };
	uint64_t header[HEADER_BYTES / 8], data_bytes;
	int error = start(writer);

	if (!error && writer->position == writer->data_offset)
		error = put(writer, &round, sizeof(round));
	data_bytes = writer->position - writer->data_offset;
	if (!error)
		error = precis_writer_finish_features(writer);
	if (!error)
		error = write_features(writer);
	if (!error)
		error = flush(writer);
	if (error)
		return error;
	make_header(writer, data_bytes, header);
	if (lseek(writer->fd, 0, SEEK_SET) < 0)
		return PRECIS_E_IO;
	return write_all(writer, (const uint8_t *)header, sizeof(header));
}

int precis_writer_close(struct precis_writer *writer)
{
	int error;

	if (!writer)
		return PRECIS_E_ARGUMENT;
	error = writer->error ? writer->error : finish(writer);
	if (close(writer->fd) && !error)
		error = PRECIS_E_IO;
	precis_writer_free_features(writer);
	for (uint32_t n = 0; n < writer->event_count; n++)
		free(writer->events[n].name);
	free(writer->events);
	precis_blob_free(&writer->attrs);
	precis_blob_free(&writer->ids);
	free(writer);
	return error;
}
