/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a sequence of records comes from: a part of a file that can be read at
 * any offset, or a stream that can be read once. Either fills a window that
 * slides forward.
 *
 * The window is copied, not mapped: a file that another process shortens gives
 * fewer bytes and no SIGBUS.
 */
#ifndef PRECIS_PERF_SOURCE_H
#define PRECIS_PERF_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include <precis/file.h>

struct byte_source {
	int fd; /* owned; -1: none */
	int sys_errno; /* of the call that failed last */
	int is_stream; /* a pipe: what has been read is gone */
	uint64_t file_bytes; /* UINT64_MAX: a stream, which ends when it ends */
	uint8_t *window;
	size_t window_bytes;
	const uint8_t *at, *end; /* the bytes of the window that are not yet consumed */
	uint64_t end_offset; /* of 'end', in the file */
	uint64_t skipped; /* bytes behind 'end' that have been stepped over, unread */
	uint64_t limit; /* nothing is read from here on */
	uint64_t ahead_to; /* in front of it nothing is read ahead that is behind it */
	precis_file_progress_fn progress; /* of who opened the recording, or NULL */
	void *progress_data;
};

/*
 * @param fd  is owned from here on, whatever is returned
 * @return 0, PRECIS_E_IO, PRECIS_E_NO_MEMORY, PRECIS_E_DIRECTORY
 */
int byte_source_open(struct byte_source *source, int fd, size_t window_bytes);
void byte_source_close(struct byte_source *source);

/* Copy bytes from anywhere in a file; fewer than asked for only at its end. @return 0, PRECIS_E_IO */
int byte_source_read(struct byte_source *source, uint64_t offset, void *bytes, size_t count,
		     size_t *got);

/* Set the window to the bytes from 'start' to before 'limit': of a stream, to what comes next. */
void byte_source_section(struct byte_source *source, uint64_t start, uint64_t limit);

/*
 * Have 'count' bytes (up to the window's) between 'at' and 'end', or as many as there are.
 * Views into the window end with this. @return 0, PRECIS_E_IO
 */
int byte_source_need(struct byte_source *source, size_t count);

/* Step over bytes, which need not be in the window. Views stay. */
void byte_source_skip(struct byte_source *source, uint64_t count);

/* Where 'at' is in the file, the bytes that were stepped over counted. */
static inline uint64_t byte_source_offset(const struct byte_source *source)
{
	return source->end_offset - (uint64_t)(source->end - source->at) + source->skipped;
}

/* The same without what is yet to be stepped over, which may be more than there is */
static inline uint64_t byte_source_consumed(const struct byte_source *source)
{
	return source->end_offset - (uint64_t)(source->end - source->at);
}

/* Tell that work goes on. */
static inline void byte_source_tell(const struct byte_source *source, enum precis_file_step step,
				    uint64_t bytes)
{
	if (source->progress)
		source->progress(source->progress_data, step, bytes);
}

#endif
