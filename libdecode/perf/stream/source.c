/* SPDX-License-Identifier: BSD-3-Clause */
/* See source.h. */
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <precis/error.h>

int byte_source_open(struct byte_source *source, int fd, size_t window_bytes)
{
	struct stat status;

	source->fd = fd;
	source->sys_errno = 0;
	if (fstat(fd, &status)) {
		source->sys_errno = errno;
		return PRECIS_E_IO;
	}
	if (S_ISDIR(status.st_mode))
		return PRECIS_E_DIRECTORY;
	source->is_stream = !S_ISREG(status.st_mode);
	source->file_bytes = source->is_stream ? UINT64_MAX : (uint64_t)status.st_size;
	source->window = malloc(window_bytes);
	if (!source->window)
		return PRECIS_E_NO_MEMORY;
	source->window_bytes = window_bytes;
	source->end_offset = 0;
	byte_source_section(source, 0, 0);
	return 0;
}

void byte_source_close(struct byte_source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	free(source->window);
	source->fd = -1;
	source->window = NULL;
}

/* One call of pread(2) or read(2). @return bytes, 0 at the end, -1 */
static ssize_t read_some(struct byte_source *source, uint64_t offset, void *bytes, size_t count)
{
	ssize_t n;

	do {
		n = source->is_stream ? read(source->fd, bytes, count)
				      : pread(source->fd, bytes, count, (off_t)offset);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		source->sys_errno = errno;
	return n;
}

int byte_source_read(struct byte_source *source, uint64_t offset, void *bytes, size_t count,
		     size_t *got)
{
	uint8_t *to = bytes;

	*got = 0;
	if (offset > INT64_MAX - count)
		return 0;
	while (*got < count) {
		ssize_t n = read_some(source, offset + *got, to + *got, count - *got);

		if (n < 0)
			return PRECIS_E_IO;
		if (!n)
			break;
		*got += (size_t)n;
	}
	return 0;
}

void byte_source_section(struct byte_source *source, uint64_t start, uint64_t limit)
{
	source->limit = limit;
	source->ahead_to = 0;
	if (source->is_stream)
		return;
	source->at = source->window;
	source->end = source->window;
	source->end_offset = start;
	source->skipped = 0;
}

/* Of so much room, what is worth filling if so many bytes are needed */
static size_t room_ahead(const struct byte_source *source, size_t least, size_t room)
{
	uint64_t most = UINT64_MAX;

	if (source->ahead_to > source->end_offset)
		most = source->ahead_to - source->end_offset;
	if (most < least)
		most = least;
	return room < most ? room : (size_t)most;
}

/*
 * Put up to 'room' bytes behind the window's. A stream is not waited for once 'least' have come.
 * @return 0, PRECIS_E_IO
 */
static int fill(struct byte_source *source, size_t least, size_t room)
{
	uint64_t more = source->limit - source->end_offset;
	uint8_t *to = source->window + (source->end - source->window);
	ssize_t n = 1;

	if (room > more)
		room = (size_t)more;
	for (size_t got = 0; got < room && (got < least || !source->is_stream); got += (size_t)n) {
		n = read_some(source, source->end_offset, to + got, room - got);
		if (n < 0)
			return PRECIS_E_IO;
		if (!n)
			break;
		source->end += n;
		source->end_offset += (uint64_t)n;
	}
	if (!n && source->is_stream)
		source->limit = source->end_offset;
	return 0;
}

/* Let what was stepped over go by. */
static int pass_skipped(struct byte_source *source)
{
	int error = 0;

	if (!source->is_stream) {
		uint64_t left = source->limit - source->end_offset;
		uint64_t passed = source->skipped < left ? source->skipped : left;

		source->end_offset += passed;
		source->skipped -= passed;
	}
	while (source->skipped && source->end_offset < source->limit && !error) {
		size_t room = source->window_bytes;

		source->at = source->window;
		source->end = source->window;
		if (room > source->skipped)
			room = (size_t)source->skipped;
		error = fill(source, room, room);
		source->skipped -= (uint64_t)(source->end - source->at);
	}
	source->at = source->window;
	source->end = source->window;
	return error;
}

int byte_source_need(struct byte_source *source, size_t count)
{
	size_t left = (size_t)(source->end - source->at);
	int error = 0;

	if (left >= count)
		return 0;
	if (source->skipped) /* then nothing is left */
		error = pass_skipped(source);
	if (error || source->skipped || source->limit <= source->end_offset)
		return error;
	if (left)
		memmove(source->window, source->at, left);
	source->at = source->window;
	source->end = source->window + left;
	return fill(source, count - left, room_ahead(source, count - left, source->window_bytes - left));
}

void byte_source_skip(struct byte_source *source, uint64_t count)
{
	uint64_t left = (uint64_t)(source->end - source->at);

	if (count <= left) {
		source->at += count;
		return;
	}
	source->at = source->end;
	source->skipped += count - left;
}
