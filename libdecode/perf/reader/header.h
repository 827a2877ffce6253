/* SPDX-License-Identifier: BSD-3-Clause */
/* The form of a recording, and where its parts are: what its first bytes say. */
#ifndef PRECIS_PERF_HEADER_H
#define PRECIS_PERF_HEADER_H

#include "record_stream.h"

#define STREAM_WINDOW_BYTES ((size_t)256 << 10)

/* struct perf_file_section */
struct file_section {
	uint64_t offset, bytes;
};

/* Members of one name with struct precis_file_info are what that says. */
struct file_header {
	uint32_t header_version, form, recorder_died;
	uint64_t file_bytes, data_offset, data_bytes;
	struct file_section attrs;
	uint64_t attr_bytes; /* size of one entry of 'attrs' */
	uint64_t features[4];
};

/*
 * Read it, and set the stream to the first record. A stream that is no pipe's output becomes a
 * temporary file in that directory, or where such files lie. @return 0 or negative
 */
int file_header_read(struct file_header *header, struct record_stream *stream,
		     const char *temporary_directory);

/* Does the section lie in the file? */
int file_has(const struct file_header *header, const struct file_section *section);

/* Read exactly this much of the header parts, or fail with TRUNCATED */
int file_read(struct record_stream *stream, uint64_t offset, void *bytes, size_t count);

#endif
