/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pipe mode: what describes the records is records itself, and comes first, in
 * the order of perf record (perf_event__synthesize_for_pipe()).
 *
 * The mark behind the last feature is left out: its number is that of the first
 * feature that the reading perf does not know, and another perf takes it for one
 * that it does.
 */
#include <string.h>

#include "libdecode/perf/records/attr.h"
#include "libdecode/perf/records/record_header.h"
#include "private.h"

#define PIPE_HEADER_BYTES 16u
/* perf up to 6.2 looks for the ids behind an attr of its own size, whatever attr.size says. */
#define PIPE_ATTR_BYTES 128u
#define EVENT_UPDATE_NAME 2u

int precis_writer_fits_pipe(size_t attr_bytes, uint32_t id_count)
{
	size_t attr = attr_bytes < PIPE_ATTR_BYTES ? PIPE_ATTR_BYTES : attr_bytes;

	return attr <= RECORD_MAX_BYTES - RECORD_HEADER_BYTES &&
	       id_count <= (RECORD_MAX_BYTES - RECORD_HEADER_BYTES - attr) / 8;
}

static void begin_record(struct blob *record)
{
	static const uint8_t header[RECORD_HEADER_BYTES];

	memset(record, 0, sizeof(*record));
	precis_blob_put(record, header, sizeof(header));
}

static void put_zeros(struct blob *record, size_t count)
{
	static const uint8_t zeros[PIPE_ATTR_BYTES];

	precis_blob_put(record, zeros, count);
}

/* Give it its header, write and free it. */
static int put_record(struct precis_writer *writer, uint32_t type, struct blob *record)
{
	int error = PRECIS_E_NO_SPACE;

	if (record->failed) {
		error = PRECIS_E_NO_MEMORY;
	} else if (record->count <= RECORD_MAX_BYTES) {
		record_header_store(record->bytes, type, (uint16_t)record->count);
		error = precis_writer_put(writer, record->bytes, record->count);
	}
	precis_blob_free(record);
	return error;
}

static int put_attr(struct precis_writer *writer, const struct writer_event *event,
		    const uint8_t *attr)
{
	size_t more =
		writer->attr_bytes < PIPE_ATTR_BYTES ? PIPE_ATTR_BYTES - writer->attr_bytes : 0;
	struct blob record;

	begin_record(&record);
	precis_blob_put(&record, attr, ATTR_SIZE);
	precis_blob_u32(&record, (uint32_t)(writer->attr_bytes + more));
	precis_blob_put(&record, attr + ATTR_CONFIG, writer->attr_bytes - ATTR_CONFIG);
	put_zeros(&record, more);
	if (event->id_count)
		precis_blob_put(&record, writer->ids.bytes + event->first_id * 8,
				(size_t)event->id_count * 8);
	return put_record(writer, PRECIS_RECORD_HEADER_ATTR, &record);
}

static int put_feature(struct precis_writer *writer, uint64_t feature)
{
	const struct blob *payload = &writer->features[feature].payload;
	struct blob record;

	begin_record(&record);
	precis_blob_put(&record, &feature, sizeof(feature));
	precis_blob_put(&record, payload->bytes, payload->count);
	return put_record(writer, PRECIS_RECORD_HEADER_FEATURE, &record);
}

/* The payload follows the record that says its size. */
static int put_tracing_data(struct precis_writer *writer, const struct blob *payload)
{
	static const uint8_t zeros[8];
	size_t more = (8 - payload->count % 8) % 8;
	struct blob record;
	int error;

	if (payload->count > UINT32_MAX - 8)
		return PRECIS_E_NO_SPACE;
	begin_record(&record);
	precis_blob_u32(&record, (uint32_t)(payload->count + more));
	precis_blob_u32(&record, 0);
	error = put_record(writer, PRECIS_RECORD_HEADER_TRACING_DATA, &record);
	if (!error)
		error = precis_writer_put(writer, payload->bytes, payload->count);
	return error ? error : precis_writer_put(writer, zeros, more);
}

/* The section is a list of records, which lack only their type. */
static int put_build_ids(struct precis_writer *writer, const struct blob *payload)
{
	const uint32_t type = PRECIS_RECORD_HEADER_BUILD_ID;
	struct cursor left = { payload->bytes, payload->bytes + payload->count };
	int error = 0;

	while (cursor_left(&left) && !error) {
		size_t bytes =
			cursor_left(&left) < RECORD_HEADER_BYTES ? 0 : record_header_size(left.at);

		if (bytes < RECORD_HEADER_BYTES || bytes > cursor_left(&left))
			return PRECIS_E_BAD_SIZE;
		error = precis_writer_put(writer, &type, sizeof(type));
		if (!error)
			error = precis_writer_put(writer, left.at + sizeof(type),
						  bytes - sizeof(type));
		left.at += bytes;
	}
	return error;
}

static int put_features(struct precis_writer *writer)
{
	int error = precis_writer_finish_features(writer);

	for (uint32_t n = 0; n < WRITER_FEATURES && !error; n++) {
		if (!writer->features[n].is_set)
			continue;
		switch (n) {
		case PRECIS_FEATURE_EVENT_DESC: /* EVENT_UPDATE has the names */
		case PRECIS_FEATURE_AUXTRACE: /* an index of the file */
		case PRECIS_FEATURE_DIR_FORMAT:
			break;
		case PRECIS_FEATURE_TRACING_DATA:
			error = put_tracing_data(writer, &writer->features[n].payload);
			break;
		case PRECIS_FEATURE_BUILD_ID:
			error = put_build_ids(writer, &writer->features[n].payload);
			break;
		default:
			error = put_feature(writer, n);
			break;
		}
	}
	return error;
}

/* Events are told apart by id: without one, only a sole event can be named. */
static int put_name(struct precis_writer *writer, const struct writer_event *event)
{
	uint64_t id = event->id_count ? load_u64(writer->ids.bytes + event->first_id * 8) : 0;
	const uint64_t kind = EVENT_UPDATE_NAME;
	struct blob record;

	if (!event->name || (!event->id_count && writer->event_count > 1))
		return 0;
	begin_record(&record);
	precis_blob_put(&record, &kind, sizeof(kind));
	precis_blob_put(&record, &id, sizeof(id));
	precis_blob_put(&record, event->name, strlen(event->name) + 1);
	put_zeros(&record, (8 - record.count % 8) % 8);
	return put_record(writer, PRECIS_RECORD_EVENT_UPDATE, &record);
}

int precis_writer_start_pipe(struct precis_writer *writer)
{
	const uint64_t header[PIPE_HEADER_BYTES / 8] = { WRITER_MAGIC, PIPE_HEADER_BYTES };
	int error = precis_writer_put(writer, header, sizeof(header));

	for (uint32_t n = 0; n < writer->event_count && !error; n++)
		error = put_attr(writer, &writer->events[n],
				 writer->attrs.bytes + n * writer->attr_bytes);
	if (!error)
		error = put_features(writer);
	for (uint32_t n = 0; n < writer->event_count && !error; n++)
		error = put_name(writer, &writer->events[n]);
	return error;
}
