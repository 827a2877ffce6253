/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a recording's bytes come from: a descriptor that can be read at any
 * offset, and over its data section a window that slides forward.
 *
 * The window is copied, not mapped: a file that another process shortens gives
 * fewer bytes and no SIGBUS, and what comes through a pipe or out of a
 * decompressor can fill the same window.
 */
#ifndef PRECIS_PERF_SOURCE_H
#define PRECIS_PERF_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct byte_source {
	int fd;
	int sys_errno; /* of the call that failed last */
	uint64_t file_bytes;
	uint8_t *window;
	const uint8_t *at, *end; /* the bytes of the window that are not yet consumed */
	uint64_t end_offset; /* of 'end', in the file */
	uint64_t limit; /* nothing is read from here on */
};

/* @return 0, PRECIS_E_IO, PRECIS_E_NO_MEMORY, PRECIS_E_DIRECTORY, PRECIS_E_UNSUPPORTED (no file) */
int byte_source_open(struct byte_source *source, const char *path);
void byte_source_close(struct byte_source *source);

/* Copy bytes from anywhere; fewer than asked for only at the file's end. @return 0, PRECIS_E_IO */
int byte_source_read(struct byte_source *source, uint64_t offset, void *bytes, size_t count,
		     size_t *got);

/* Set the window to the bytes from 'start' to before 'limit'. */
void byte_source_section(struct byte_source *source, uint64_t start, uint64_t limit);

/*
 * Have 'count' bytes (up to 64 KiB) between 'at' and 'end', or as many as there are.
 * Views into the window end with this. @return 0, PRECIS_E_IO
 */
int byte_source_need(struct byte_source *source, size_t count);

/* Step over bytes, which need not be in the window. Views stay. */
void byte_source_skip(struct byte_source *source, uint64_t count);

static inline uint64_t byte_source_offset(const struct byte_source *source)
{
	return source->end_offset - (uint64_t)(source->end - source->at);
}

#endif
