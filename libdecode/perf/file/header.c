/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * struct perf_file_header: the magic, and where attrs, data and features are.
 * Source: tools/perf/Documentation/perf.data-file-format.txt.
 */
#include <inttypes.h>
#include <stdio.h>

#include "libdecode/perf/records/attr.h"
#include "private.h"

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

int precis_file_has(const struct precis_file *file, const struct file_section *section)
{
	return section->offset <= file->info.file_bytes &&
	       section->bytes <= file->info.file_bytes - section->offset;
}

int precis_file_read(struct precis_file *file, uint64_t offset, void *bytes, size_t count)
{
	size_t got;
	int error = byte_source_read(&file->stream.source, offset, bytes, count, &got);

	if (error) {
		file->sys_errno = file->stream.source.sys_errno;
		return precis_file_fail_system(file, error);
	}
	if (got < count)
		return precis_file_fail(file, PRECIS_E_TRUNCATED, offset,
					"expected %zu bytes, found %zu up to the end of the file",
					count, got);
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

static int refuse_magic(struct precis_file *file, const uint8_t *header, size_t got)
{
	size_t shown = got < 8 ? got : 8;
	char found[48];

	describe(header, shown, found, sizeof(found));
	if (!got)
		return precis_file_fail(file, PRECIS_E_NOT_PERF_DATA, 0,
					"expected the magic PERFILE2, found an empty file");
	if (got < 8)
		return precis_file_fail(file,
					memcmp("PERFILE2", header, got) ? PRECIS_E_NOT_PERF_DATA
									: PRECIS_E_TRUNCATED,
					0, "expected the magic PERFILE2, found only %s", found);
	if (load_u64(header) == __builtin_bswap64(MAGIC_2)) /* the same on either kind of machine */
		return precis_file_fail(file, PRECIS_E_ENDIAN, 0,
					"written by a %s-endian machine (magic %.8s, expected %s)",
					header[0] == 'P' ? "little" : "big", (const char *)header,
					header[0] == 'P' ? "2ELIFREP" : "PERFILE2");
	return precis_file_fail(file, PRECIS_E_NOT_PERF_DATA, 0,
				"expected the magic PERFILE2, found %s", found);
}

/* What cannot be right whatever the rest of the file says */
static int check_sections(struct precis_file *file, const struct file_section *data)
{
	const struct precis_file_info *info = &file->info;

	if (file->attr_bytes < ATTR_MIN_BYTES + SECTION_BYTES)
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, HEADER_ATTR_SIZE,
					"expected an attr_size of at least %u, found %" PRIu64,
					ATTR_MIN_BYTES + SECTION_BYTES, file->attr_bytes);
	if (!precis_file_has(file, &file->attrs))
		return precis_file_fail(file, PRECIS_E_TRUNCATED, HEADER_ATTRS,
					"expected the attrs at %" PRIu64 ", %" PRIu64
					" bytes; the file ends at %" PRIu64,
					file->attrs.offset, file->attrs.bytes, info->file_bytes);
	if (file->attrs.bytes % file->attr_bytes)
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, HEADER_ATTRS + 8,
					"expected a multiple of attr_size %" PRIu64
					", found %" PRIu64,
					file->attr_bytes, file->attrs.bytes);
	if (data->bytes > UINT64_MAX - data->offset)
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, HEADER_DATA + 8,
					"expected the size of the data section at %" PRIu64
					", found %" PRIu64,
					data->offset, data->bytes);
	if (data->offset > info->file_bytes)
		return precis_file_fail(file, PRECIS_E_TRUNCATED, HEADER_DATA,
					"expected the data section at %" PRIu64
					"; the file ends at %" PRIu64,
					data->offset, info->file_bytes);
	return 0;
}

static int is_seekable_size(uint64_t size)
{
	return size == HEADER_BYTES || size == OLD_HEADER_BYTES;
}

/* The magic of version 1 reads the same in both byte orders: the size tells them apart. */
static int check_size(struct precis_file *file, uint64_t size)
{
	uint64_t swapped = __builtin_bswap64(size);

	if (swapped == PIPE_HEADER_BYTES || is_seekable_size(swapped))
		return precis_file_fail(file, PRECIS_E_ENDIAN, HEADER_SIZE,
					"written by a machine of the other byte order (header size "
					"0x%" PRIx64 ")",
					size);
	if (size != PIPE_HEADER_BYTES && !is_seekable_size(size))
		return precis_file_fail(file, PRECIS_E_BAD_SIZE, HEADER_SIZE,
					"expected a header size of %u, found %" PRIu64,
					HEADER_BYTES, size);
	return 0;
}

/* The first bytes: of a stream they stay in the window, to be read again. */
static int read_front(struct precis_file *file, uint8_t *header, size_t count, size_t *got)
{
	struct byte_source *source = &file->stream.source;
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
		file->sys_errno = source->sys_errno;
		return precis_file_fail_system(file, error);
	}
	return 0;
}

/* Magic and size. @return 0 or negative */
static int check_front(struct precis_file *file, const uint8_t *header, size_t got)
{
	struct precis_file_info *info = &file->info;

	if (got < 8 || (memcmp(header, &(uint64_t){ MAGIC_2 }, 8) && memcmp(header, MAGIC_1, 8)))
		return refuse_magic(file, header, got);
	info->header_version = memcmp(header, MAGIC_1, 8) ? 2 : 1;
	if (got < PIPE_HEADER_BYTES)
		return precis_file_fail(file, PRECIS_E_TRUNCATED, got,
					"expected a header of %u bytes; the file ends at %zu",
					HEADER_BYTES, got);
	return check_size(file, load_u64(header + HEADER_SIZE));
}

static void begin_pipe(struct precis_file *file)
{
	struct record_stream *stream = &file->stream;

	file->info.form = PRECIS_FORM_PIPE;
	file->info.data_offset = PIPE_HEADER_BYTES;
	stream->data_offset = PIPE_HEADER_BYTES;
	stream->section_end = stream->source.file_bytes;
	if (stream->source.is_stream)
		stream->source.at += PIPE_HEADER_BYTES;
	else
		file->info.data_bytes = file->info.file_bytes - PIPE_HEADER_BYTES;
	precis_stream_rewind(stream);
}

static int read_sections(struct precis_file *file, const uint8_t *header)
{
	struct precis_file_info *info = &file->info;
	struct file_section data;
	int error;

	file->attr_bytes = load_u64(header + HEADER_ATTR_SIZE);
	file->attrs = load_section(header + HEADER_ATTRS);
	data = load_section(header + HEADER_DATA);
	error = check_sections(file, &data);
	if (error)
		return error;
	info->form = PRECIS_FORM_SEEKABLE;
	info->data_offset = data.offset;
	info->data_bytes = data.bytes;
	if (!data.bytes) {
		info->recorder_died = 1;
		info->data_bytes = info->file_bytes - data.offset;
	} else if (load_u64(header + HEADER_SIZE) == HEADER_BYTES) {
		memcpy(info->features, header + HEADER_FEATURES, sizeof(info->features));
	}
	file->stream.data_offset = info->data_offset;
	file->stream.section_end = info->data_offset + info->data_bytes;
	return 0;
}

int precis_file_read_header(struct precis_file *file)
{
	struct byte_source *source = &file->stream.source;
	uint8_t header[HEADER_BYTES] = { 0 };
	uint64_t size;
	size_t got;
	int error = read_front(file, header, sizeof(header), &got);

	if (!error)
		error = check_front(file, header, got);
	if (error)
		return error;
	size = load_u64(header + HEADER_SIZE);
	if (size != PIPE_HEADER_BYTES && source->is_stream) {
		error = precis_file_spool(file);
		if (!error)
			error = read_front(file, header, sizeof(header), &got);
		if (error)
			return error;
	}
	file->info.file_bytes = source->is_stream ? 0 : source->file_bytes;
	if (size == PIPE_HEADER_BYTES) {
		begin_pipe(file);
		return 0;
	}
	if (got < size)
		return precis_file_fail(file, PRECIS_E_TRUNCATED, got,
					"expected a header of %u bytes; the file ends at %zu",
					HEADER_BYTES, got);
	return read_sections(file, header);
}
