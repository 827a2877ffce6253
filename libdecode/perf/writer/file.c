/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A seekable perf.data front to back: header, ids, attrs, records, features. The
 * header is written once more at the end, when the sizes are known: until then
 * the file is one whose recorder died, which perf and this library can read.
 */
#include <string.h>
#include <unistd.h>

#include "libdecode/perf/records/attr.h"
#include "libdecode/perf/records/record_header.h"
#include "private.h"

#define HEADER_BYTES 104u
#define SECTION_BYTES 16u

static int put_section(struct precis_writer *writer, uint64_t offset, uint64_t bytes)
{
	const uint64_t section[2] = { offset, bytes };

	return precis_writer_put(writer, section, sizeof(section));
}

static void make_header(const struct precis_writer *writer, uint64_t data_bytes,
			uint64_t header[HEADER_BYTES / 8])
{
	size_t entry = writer->attr_bytes + SECTION_BYTES;

	memset(header, 0, HEADER_BYTES);
	header[0] = WRITER_MAGIC;
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

int precis_writer_start_file(struct precis_writer *writer)
{
	uint64_t header[HEADER_BYTES / 8];
	int error;

	if (!writer->attr_bytes) /* no event at all: the header must say a size still */
		writer->attr_bytes = ATTR_MIN_BYTES;
	writer->attrs_offset = HEADER_BYTES + writer->ids.count;
	writer->data_offset =
		writer->attrs_offset + (writer->attr_bytes + SECTION_BYTES) * writer->event_count;
	make_header(writer, 0, header);
	error = precis_writer_put(writer, header, sizeof(header));
	if (!error)
		error = precis_writer_put(writer, writer->ids.bytes, writer->ids.count);
	for (uint32_t n = 0; n < writer->event_count && !error; n++) {
		const struct writer_event *event = &writer->events[n];

		error = precis_writer_put(writer, writer->attrs.bytes + n * writer->attr_bytes,
					  writer->attr_bytes);
		if (!error)
			error = put_section(writer, HEADER_BYTES + event->first_id * 8,
					    (uint64_t)event->id_count * 8);
	}
	return error;
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

		error = precis_writer_put(writer, payload->bytes, payload->count);
	}
	return error;
}

int precis_writer_finish_file(struct precis_writer *writer)
{
	uint64_t header[HEADER_BYTES / 8], data_bytes;
	uint8_t round[RECORD_HEADER_BYTES];
	int error = 0;

	/* A data section of size 0 means that the recorder died: put in the least that says nothing. */
	record_header_store(round, PRECIS_RECORD_FINISHED_ROUND, sizeof(round));
	if (writer->position == writer->data_offset)
		error = precis_writer_put(writer, round, sizeof(round));
	data_bytes = writer->position - writer->data_offset;
	if (!error)
		error = precis_writer_finish_features(writer);
	if (!error)
		error = write_features(writer);
	if (!error)
		error = precis_writer_flush(writer);
	if (error)
		return error;
	make_header(writer, data_bytes, header);
	if (lseek(writer->fd, 0, SEEK_SET) < 0)
		return PRECIS_E_IO;
	return precis_writer_write(writer, (const uint8_t *)header, sizeof(header));
}
