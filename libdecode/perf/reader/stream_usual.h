/* SPDX-License-Identifier: BSD-3-Clause */
/* The short way to the next record, for those that most often need no other. */
#ifndef PRECIS_PERF_STREAM_USUAL_H
#define PRECIS_PERF_STREAM_USUAL_H

#include "libdecode/perf/records/record_header.h"
#include "record_stream.h"

/*
 * The usual record: a sample that is in the window already, of a stream that is
 * neither compressed nor in the middle of data behind a record. Is the next one that?
 */
static inline int stream_has_usual(const struct record_stream *stream, uint32_t *size)
{
	const struct byte_source *source = &stream->source;
	size_t left = (size_t)(source->end - source->at);

	if (unlikely(left < RECORD_HEADER_BYTES))
		return 0;
	*size = record_header_size(source->at);
	return likely(left >= *size && *size >= RECORD_HEADER_BYTES &&
		      load_u32(source->at) == PRECIS_RECORD_SAMPLE);
}

/* @return 1; 0: ask precis_stream_next() */
static inline int stream_take_usual(struct record_stream *stream, struct precis_record *record)
{
	struct byte_source *source = &stream->source;
	uint32_t size;

	if (unlikely(!stream_has_usual(stream, &size)))
		return 0;
	record_view(source->at, record);
	record->offset = byte_source_offset(source);
	record->data_file = 0;
	source->at += size;
	return 1;
}

#endif
