/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording is written from: events and records, in either form of file. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdecode/perf/records/attr.h"
#include "libdecode/perf/records/record_header.h"
#include "private.h"

static int open_descriptor(int fd, struct precis_writer **writer)
{
	struct precis_writer *opened;

	if (fd < 0)
		return PRECIS_E_IO;
	opened = calloc(1, sizeof(*opened));
	if (!opened) {
		close(fd);
		return PRECIS_E_NO_MEMORY;
	}
	opened->fd = fd;
	*writer = opened;
	return 0;
}

int precis_writer_open(const char *path, struct precis_writer **writer)
{
	if (!path || !writer)
		return PRECIS_E_ARGUMENT;
	*writer = NULL;
	/* as perf record: samples can hold what others may not see */
	return open_descriptor(
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR), writer);
}

int precis_writer_open_fd(int fd, struct precis_writer **writer)
{
	int error;

	if (fd < 0 || !writer)
		return PRECIS_E_ARGUMENT;
	*writer = NULL;
	error = open_descriptor(fcntl(fd, F_DUPFD_CLOEXEC, 0), writer);
	if (!error)
		(*writer)->is_pipe = 1;
	return error;
}

int precis_writer_compress(struct precis_writer *writer, int level)
{
	if (!writer || writer->has_started || writer->deflater || level < 1 ||
	    level > DEFLATER_LEVEL_MAX)
		return PRECIS_E_ARGUMENT;
	return precis_deflater_new(level, &writer->deflater);
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
	if (writer->is_pipe && !precis_writer_fits_pipe(bytes, id_count))
		return PRECIS_E_NO_SPACE;
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

/* What comes before the records, once */
static int start(struct precis_writer *writer)
{
	int error;

	if (writer->has_started)
		return writer->error;
	writer->has_started = 1;
	error = writer->is_pipe ? precis_writer_start_pipe(writer)
				: precis_writer_start_file(writer);
	writer->error = error;
	return error;
}

/* How many bytes follow a record, outside its header.size; UINT64_MAX: it does not say */
static uint64_t bytes_behind(const uint8_t *record, size_t bytes)
{
	switch (load_u32(record)) {
	case PRECIS_RECORD_AUXTRACE:
		return bytes < RECORD_HEADER_BYTES + 8 ? UINT64_MAX
						       : load_u64(record + RECORD_HEADER_BYTES);
	case PRECIS_RECORD_HEADER_TRACING_DATA:
		return bytes < RECORD_HEADER_BYTES + 4 ? UINT64_MAX
						       : load_u32(record + RECORD_HEADER_BYTES);
	default:
		return 0;
	}
}

static int check_record(const uint8_t *record, size_t bytes)
{
	size_t size = bytes < RECORD_HEADER_BYTES ? 0 : record_header_size(record);

	if (size < RECORD_HEADER_BYTES || size > bytes || size % 8 || bytes % 8 ||
	    bytes_behind(record, size) != bytes - size)
		return PRECIS_E_BAD_SIZE;
	switch (load_u32(record)) {
	case PRECIS_RECORD_COMPRESSED: /* what is in it, is not known here */
	case PRECIS_RECORD_COMPRESSED2:
		return PRECIS_E_ARGUMENT;
	default:
		return 0;
	}
}

static int put_compressed_record(struct precis_writer *writer)
{
	int bytes = precis_deflater_flush(writer->deflater);

	if (bytes < 0)
		writer->error = bytes;
	return bytes > 0 ? precis_writer_put(writer, writer->deflater->record, (size_t)bytes)
			 : bytes;
}

static int put_compressed(struct precis_writer *writer, const uint8_t *bytes, size_t count)
{
	for (;;) {
		size_t taken = precis_deflater_take(writer->deflater, bytes, count);
		int error;

		bytes += taken;
		count -= taken;
		if (!count)
			return 0;
		error = put_compressed_record(writer);
		if (error)
			return error;
	}
}

int precis_writer_record(struct precis_writer *writer, const void *record, size_t bytes)
{
	int error;

	if (!writer || !record)
		return PRECIS_E_ARGUMENT;
	error = check_record(record, bytes);
	if (!error)
		error = start(writer);
	if (error)
		return error;
	/* As perf record -z: the tool's own records, with what follows them, stay as they are. */
	if (writer->deflater && load_u32(record) < PRECIS_RECORD_USER_FIRST)
		return put_compressed(writer, record, bytes);
	if (writer->deflater)
		error = put_compressed_record(writer);
	return error ? error : precis_writer_put(writer, record, bytes);
}

static int finish(struct precis_writer *writer)
{
	int error = start(writer);

	if (!error && writer->deflater)
		error = put_compressed_record(writer);
	if (error)
		return error;
	return writer->is_pipe ? precis_writer_flush(writer) : precis_writer_finish_file(writer);
}

int precis_writer_close(struct precis_writer *writer)
{
	int error;

	if (!writer)
		return PRECIS_E_ARGUMENT;
	error = writer->error ? writer->error : finish(writer);
	if (close(writer->fd) && !error)
		error = PRECIS_E_IO;
	precis_deflater_free(writer->deflater);
	precis_writer_free_features(writer);
	for (uint32_t n = 0; n < writer->event_count; n++)
		free(writer->events[n].name);
	free(writer->events);
	precis_blob_free(&writer->attrs);
	precis_blob_free(&writer->ids);
	free(writer);
	return error;
}
