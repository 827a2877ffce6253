/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats of tracepoints inside a record, as Android's recorder simpleperf has them:
 * until 2018 in HEADER_TRACING_DATA, whose size then covers them, since in a record
 * of its own. One that is too long for a u16 size is split into several, or keeps the
 * rest of its size in header.misc. It stands among the tool's own records, which come
 * before the first of the kernel. Source: AOSP system/extras, simpleperf/record.h,
 * record.cpp, record_file_reader.cpp.
 */
#include <stdlib.h>

#include <precis/writer.h>

#include "libdecode/perf/records/record_header.h"
#include "sections.h"
#include "simpleperf.h"

#define TYPE_TRACEPOINT 2u /* PERF_TYPE_TRACEPOINT */

#define SIMPLEPERF_SPLIT (SIMPLEPERF_FIRST_TYPE + 4)
#define SIMPLEPERF_TRACING_DATA (SIMPLEPERF_FIRST_TYPE + 9)
/* {header, u32 bytes of the formats} */
#define HEAD_BYTES (RECORD_HEADER_BYTES + 4)
/* The tool's own records in front; those that simpleperf writes are a few */
#define RECORDS_MOST 64u
/* The formats of all tracepoints of a kernel are a tenth of that */
#define SPLIT_MOST ((size_t)32 << 20)

/* Where a record stands; 'bytes' of its whole. */
struct place {
	uint64_t at, bytes;
	uint32_t type;
};

/* @return 1; 0: none is left, or not a whole one */
static int place_of(struct feature_set *features, uint64_t at, struct place *place)
{
	uint64_t end = features->stream->section_end;
	uint8_t header[RECORD_HEADER_BYTES];
	struct precis_record record;
	size_t got;

	if (end > features->header->file_bytes)
		end = features->header->file_bytes;
	if (at > end || end - at < sizeof(header) ||
	    byte_source_read(&features->stream->source, at, header, sizeof(header), &got) ||
	    got < sizeof(header))
		return 0;
	record_view(header, &record);
	place->at = at;
	place->type = record.type;
	place->bytes = record.size + record_bytes_beyond_size(&record);
	return record.size >= RECORD_HEADER_BYTES && place->bytes <= end - at;
}

static int keep(struct feature_set *features, uint64_t at, const uint8_t *record, size_t bytes)
{
	uint32_t count = bytes < HEAD_BYTES ? 0 : load_u32(record + RECORD_HEADER_BYTES);

	if (!count || count > bytes - HEAD_BYTES)
		return 0;
	return features_keep(features, PRECIS_FEATURE_TRACING_DATA, at + HEAD_BYTES,
			     record + HEAD_BYTES, count);
}

/* A record that is not split */
static int take_whole(struct feature_set *features, const struct place *place)
{
	uint8_t *record;
	int error;

	if (place->bytes > SPLIT_MOST)
		return 0;
	record = malloc((size_t)place->bytes);
	if (!record)
		return file_fail_system(features->errors, PRECIS_E_NO_MEMORY);
	error = file_read(features->stream, place->at, record, (size_t)place->bytes);
	if (!error)
		error = keep(features, place->at, record, (size_t)place->bytes);
	free(record);
	return error;
}

/* What a record is split into, one behind the other; an empty record of another type ends it. */
static int take_split(struct feature_set *features, struct place *place)
{
	uint64_t first = place->at + RECORD_HEADER_BYTES;
	uint8_t *record = NULL;
	size_t count = 0;
	int error = 0;

	while (!error && place->type == SIMPLEPERF_SPLIT && place->bytes <= SPLIT_MOST - count) {
		size_t more = (size_t)place->bytes - RECORD_HEADER_BYTES;
		uint8_t *larger = realloc(record, count + more + 1);

		if (larger) {
			record = larger;
			error = file_read(features->stream, place->at + RECORD_HEADER_BYTES,
					  record + count, more);
			count += more;
		} else {
			error = file_fail_system(features->errors, PRECIS_E_NO_MEMORY);
		}
		if (!error && !place_of(features, place->at + place->bytes, place))
			break;
	}
	if (!error && count > RECORD_HEADER_BYTES && load_u32(record) == SIMPLEPERF_TRACING_DATA)
		error = keep(features, first, record, count);
	free(record);
	return error;
}

static int has_tracepoints(const struct feature_set *features)
{
	for (uint32_t n = 0; n < features->events->count; n++) {
		if (features->events->event[n]->view.type == TYPE_TRACEPOINT)
			return 1;
	}
	return 0;
}

int features_find_tracing_data(struct feature_set *features)
{
	struct place place;
	uint64_t at = features->stream->data_offset;
	int error = 0;

	if (!has_tracepoints(features))
		return 0;
	for (uint32_t n = 0; !error && n < RECORDS_MOST; n++) {
		if (features_have(features, PRECIS_FEATURE_TRACING_DATA) ||
		    !place_of(features, at, &place) || place.type < PRECIS_RECORD_USER_FIRST)
			break;
		if (place.type == SIMPLEPERF_SPLIT)
			error = take_split(features, &place);
		else if (place.type == SIMPLEPERF_TRACING_DATA ||
			 place.type == PRECIS_RECORD_HEADER_TRACING_DATA)
			error = take_whole(features, &place);
		at = place.at + place.bytes;
	}
	return error;
}
