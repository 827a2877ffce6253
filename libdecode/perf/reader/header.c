/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * struct perf_file_header: the magic, and where attrs, data and features are.
 * Source: tools/perf/Documentation/perf.data-file-format.txt.
 */
#include <inttypes.h>
#include <stdio.h>

#include "header.h"
#include "libdecode/perf/records/attr.h"
#include "libdecode/perf/records/record_header.h"
#include "libdecode/perf/stream/spool.h"
#include "libdecode/perf/stream/temporary_file.h"

#define MAGIC_2 UINT64_C(0x32454c4946524550) /* "PERFILE2", read little-endian */
#define MAGIC_1 "PERFFILE"
#define PIPE_HEADER_BYTES 16u /* magic and size alone */
#define OLD_HEADER_BYTES 72u /* before the feature bitmap was added */
#define HEADER_BYTES 104u
#define SECTION_BYTES 16u

enum header_offset {
	HEADER_SIZE = 8,
	HEADER_ATTR_SIZE = 16,
	HEADER_ATTRS = 24,
	HEADER_DATA = 40,
	HEADER_FEATURES = 72
};

int file_has(const struct file_header *header, const struct file_section *section)
{
	return section->offset <= header->file_bytes &&
	       section->bytes <= header->file_bytes - section->offset;
}

int file_read(struct record_stream *stream, uint64_t offset, void *bytes, size_t count)
{
	size_t got;
	int error = byte_source_read(&stream->source, offset, bytes, count, &got);

	if (error) {
		stream->errors->sys_errno = stream->source.sys_errno;
		return file_fail_system(stream->errors, error);
	}
	if (got < count)
		return file_fail(stream->errors, PRECIS_E_TRUNCATED, offset,
				 "expected %zu bytes, found %zu up to the end of the file", count,
				 got);
	return 0;
}

static struct file_section load_section(const uint8_t *bytes)
{
	struct file_section section = { load_u64(bytes), load_u64(bytes + 8) };

	return section;
}

/* The bytes that stand where the magic should be, as text */
static void describe(const uint8_t *bytes, size_t count, char *text, size_t room)
{
	size_t used = (size_t)snprintf(text, room, "%zu byte%s ", count, count == 1 ? "" : "s");

	for (size_t i = 0; i < count && used + 4 < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%02x%s", bytes[i],
					 i + 1 < count ? " " : "");
}

static int refuse_magic(struct file_errors *errors, const uint8_t *header, size_t got)
{
	size_t shown = got < 8 ? got : 8;
	char found[48];

	describe(header, shown, found, sizeof(found));
	if (!got)
		return file_fail(errors, PRECIS_E_NOT_PERF_DATA, 0,
				 "expected the magic PERFILE2, found an empty file");
	if (got < 8)
		return file_fail(errors,
				 memcmp("PERFILE2", header, got) ? PRECIS_E_NOT_PERF_DATA
								 : PRECIS_E_TRUNCATED,
				 0, "expected the magic PERFILE2, found only %s", found);
	if (load_u64(header) == __builtin_bswap64(MAGIC_2)) /* the same on either kind of machine */
		return file_fail(errors, PRECIS_E_ENDIAN, 0,
				 "written by a %s-endian machine (magic %.8s, expected %s)",
				 header[0] == 'P' ? "little" : "big", (const char *)header,
				 header[0] == 'P' ? "2ELIFREP" : "PERFILE2");
	return file_fail(errors, PRECIS_E_NOT_PERF_DATA, 0, "expected the magic PERFILE2, found %s",
			 found);
}

/* What cannot be right whatever the rest of the file says */
static int check_sections(struct file_errors *errors, const struct file_header *header,
			  const struct file_section *data)
{
	if (header->attr_bytes < ATTR_MIN_BYTES + SECTION_BYTES)
		return file_fail(errors, PRECIS_E_BAD_SIZE, HEADER_ATTR_SIZE,
				 "expected an attr_size of at least %u, found %" PRIu64,
				 ATTR_MIN_BYTES + SECTION_BYTES, header->attr_bytes);
	if (!file_has(header, &header->attrs))
		return file_fail(errors, PRECIS_E_TRUNCATED, HEADER_ATTRS,
				 "expected the attrs at %" PRIu64 ", %" PRIu64
				 " bytes; the file ends at %" PRIu64,
				 header->attrs.offset, header->attrs.bytes, header->file_bytes);
	if (header->attrs.bytes % header->attr_bytes)
		return file_fail(errors, PRECIS_E_BAD_SIZE, HEADER_ATTRS + 8,
				 "expected a multiple of attr_size %" PRIu64 ", found %" PRIu64,
				 header->attr_bytes, header->attrs.bytes);
	if (data->bytes > UINT64_MAX - data->offset)
		return file_fail(errors, PRECIS_E_BAD_SIZE, HEADER_DATA + 8,
				 "expected the size of the data section at %" PRIu64
				 ", found %" PRIu64,
				 data->offset, data->bytes);
	if (data->offset > header->file_bytes)
		return file_fail(errors, PRECIS_E_TRUNCATED, HEADER_DATA,
				 "expected the data section at %" PRIu64
				 "; the file ends at %" PRIu64,
				 data->offset, header->file_bytes);
	return 0;
}

static int is_seekable_size(uint64_t size)
{
	return size == HEADER_BYTES || size == OLD_HEADER_BYTES;
}

/* The magic of version 1 reads the same in both byte orders: the size tells them apart. */
static int check_size(struct file_errors *errors, uint64_t size)
{
	uint64_t swapped = __builtin_bswap64(size);

	if (swapped == PIPE_HEADER_BYTES || is_seekable_size(swapped))
		return file_fail(errors, PRECIS_E_ENDIAN, HEADER_SIZE,
				 "written by a machine of the other byte order (header size "
				 "0x%" PRIx64 ")",
				 size);
	if (size != PIPE_HEADER_BYTES && !is_seekable_size(size))
		return file_fail(errors, PRECIS_E_BAD_SIZE, HEADER_SIZE,
				 "expected a header size of %u, found %" PRIu64, HEADER_BYTES,
				 size);
	return 0;
}

/* The first bytes: of a stream they stay in the window, to be read again. */
static int read_front(struct record_stream *stream, uint8_t *header, size_t count, size_t *got)
{
	struct byte_source *source = &stream->source;
	int error;

	if (source->is_stream) {
		byte_source_section(source, 0, UINT64_MAX);
		error = byte_source_need(source, PIPE_HEADER_BYTES);
		*got = (size_t)(source->end - source->at);
		if (*got > count)
			*got = count;
		memcpy(header, source->at, *got);
	} else {
		error = byte_source_read(source, 0, header, count, got);
	}
	if (error) {
		stream->errors->sys_errno = source->sys_errno;
		return file_fail_system(stream->errors, error);
	}
	return 0;
}

/* Magic and size. @return 0 or negative */
static int check_front(struct file_errors *errors, const uint8_t *header, size_t got,
		       uint32_t *version)
{
	if (got < 8 || (memcmp(header, &(uint64_t){ MAGIC_2 }, 8) && memcmp(header, MAGIC_1, 8)))
		return refuse_magic(errors, header, got);
	*version = memcmp(header, MAGIC_1, 8) ? 2 : 1;
	if (got < PIPE_HEADER_BYTES)
		return file_fail(errors, PRECIS_E_TRUNCATED, got,
				 "expected a header of %u bytes; the file ends at %zu",
				 HEADER_BYTES, got);
	return check_size(errors, load_u64(header + HEADER_SIZE));
}

static void begin_pipe(struct file_header *header, struct record_stream *stream)
{
	header->form = PRECIS_FORM_PIPE;
	header->data_offset = PIPE_HEADER_BYTES;
	stream->data_offset = PIPE_HEADER_BYTES;
	stream->section_end = stream->source.file_bytes;
	if (stream->source.is_stream)
		stream->source.at += PIPE_HEADER_BYTES;
	else
		header->data_bytes = header->file_bytes - PIPE_HEADER_BYTES;
	precis_stream_rewind(stream);
}

static int read_sections(struct file_header *header, struct record_stream *stream,
			 const uint8_t *bytes)
{
	struct file_section data;
	int error;

	header->attr_bytes = load_u64(bytes + HEADER_ATTR_SIZE);
	header->attrs = load_section(bytes + HEADER_ATTRS);
	data = load_section(bytes + HEADER_DATA);
	error = check_sections(stream->errors, header, &data);
	if (error)
		return error;
	header->form = PRECIS_FORM_SEEKABLE;
	header->data_offset = data.offset;
	header->data_bytes = data.bytes;
	if (!data.bytes) {
		header->recorder_died = 1;
		header->data_bytes = header->file_bytes - data.offset;
	} else if (load_u64(bytes + HEADER_SIZE) == HEADER_BYTES) {
		memcpy(header->features, bytes + HEADER_FEATURES, sizeof(header->features));
	}
	stream->data_offset = header->data_offset;
	stream->section_end = header->data_offset + header->data_bytes;
	return 0;
}

/* It is read from a copy. */
static int spool(struct record_stream *stream, const char *temporary_directory)
{
	const char *directory = precis_temporary_directory(temporary_directory);
	struct file_errors *errors = stream->errors;
	int error = byte_source_spool(&stream->source, directory);

	errors->sys_errno = stream->source.sys_errno;
	if (error <= 0)
		return error ? file_fail_system(errors, error) : 0;
	file_fail(errors, PRECIS_E_IO, NO_OFFSET,
		  "a recording that is no pipe output came through a pipe; "
		  "it could not be copied to a temporary file in %s",
		  directory);
	errors->last.sys_errno = errors->sys_errno;
	return PRECIS_E_IO;
}

int file_header_read(struct file_header *header, struct record_stream *stream,
		     const char *temporary_directory)
{
	struct byte_source *source = &stream->source;
	uint8_t bytes[HEADER_BYTES] = { 0 };
	uint64_t size;
	size_t got;
	int error = read_front(stream, bytes, sizeof(bytes), &got);

	if (!error)
		error = check_front(stream->errors, bytes, got, &header->header_version);
	if (error)
		return error;
	size = load_u64(bytes + HEADER_SIZE);
	if (size != PIPE_HEADER_BYTES && source->is_stream) {
		error = spool(stream, temporary_directory);
		if (!error)
			error = read_front(stream, bytes, sizeof(bytes), &got);
		if (error)
			return error;
	}
	header->file_bytes = source->is_stream ? 0 : source->file_bytes;
	if (size == PIPE_HEADER_BYTES) {
		begin_pipe(header, stream);
		return 0;
	}
	if (got < size)
		return file_fail(stream->errors, PRECIS_E_TRUNCATED, got,
				 "expected a header of %u bytes; the file ends at %zu",
				 HEADER_BYTES, got);
	return read_sections(header, stream, bytes);
}
