/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One sequence of records: the data of a file, of one file of a directory, or
 * what comes through a pipe. Those inside compressed records are records of it
 * like the others.
 */
#ifndef PRECIS_PERF_RECORD_STREAM_H
#define PRECIS_PERF_RECORD_STREAM_H

#include <precis/record.h>

#include "errors.h"
#include "libdecode/perf/stream/inflater.h"
#include "libdecode/perf/stream/source.h"

struct record_stream {
	struct file_errors *errors; /* where its errors are told */
	struct byte_source source;
	struct inflater *inflater; /* NULL until there is a compressed record */
	uint64_t inflater_memory, expansion_limit; /* of struct precis_file_options */
	uint64_t compressed_at; /* of the compressed record that is being read */
	uint64_t data_offset; /* of the first record */
	uint64_t section_end; /* where the data should end, UINT64_MAX in a pipe; it may end before */
	uint32_t data_file; /* as in struct precis_record */
	uint64_t inner_skip; /* bytes of decompressed data that follow a record, not yet read */
	uint64_t payload; /* the same of a record that is not compressed */
	uint32_t is_cut; /* the data ends in the compressed record that is being read */
};

/* Start at the first record. Of a pipe: go on. */
void precis_stream_rewind(struct record_stream *stream);

/*
 * The next record. It lives until the next call.
 * @return 1, 0 at the end, or negative
 */
int precis_stream_next(struct record_stream *stream, struct precis_record *record);

/* How many of the bytes behind the last record have not been read. */
static inline uint64_t precis_stream_payload_left(const struct record_stream *stream)
{
	return stream->payload ? stream->payload : stream->inner_skip;
}

/*
 * Bytes behind the last record, whose view ends with this. Fewer than asked for only where they
 * end, or the data do. What is not read is stepped over by precis_stream_next().
 * @return 0 or negative
 */
int precis_stream_payload(struct record_stream *stream, uint8_t *bytes, size_t count, size_t *got);

/* The error of data that end in what follows a record. @return PRECIS_E_TRUNCATED */
int precis_stream_fail_payload(const struct record_stream *stream, uint64_t offset,
			       uint64_t missing);

void precis_stream_close(struct record_stream *stream);

#endif
