/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <precis/error.h>

#include "source.h"

/* Large enough that the carry-over of a cut record is rare, small enough for the L2 cache. */
#define WINDOW_BYTES (256u * 1024u)

int byte_source_open(struct byte_source *source, const char *path)
{
	struct stat status;

	source->sys_errno = 0;
	/* O_NONBLOCK: a pipe is to be refused, not waited for */
	source->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (source->fd < 0 || fstat(source->fd, &status)) {
		source->sys_errno = errno;
		return PRECIS_E_IO;
	}
	if (S_ISDIR(status.st_mode))
		return PRECIS_E_DIRECTORY;
	if (!S_ISREG(status.st_mode))
		return PRECIS_E_UNSUPPORTED;
	source->file_bytes = (uint64_t)status.st_size;
	source->window = malloc(WINDOW_BYTES);
	if (!source->window)
		return PRECIS_E_NO_MEMORY;
	byte_source_section(source, 0, 0);
	return 0;
}

void byte_source_close(struct byte_source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	free(source->window);
}

int byte_source_read(struct byte_source *source, uint64_t offset, void *bytes, size_t count,
		     size_t *got)
{
	uint8_t *to = bytes;

	*got = 0;
	if (offset > INT64_MAX - count)
		return 0;
	while (*got < count) {
		ssize_t n = pread(source->fd, to + *got, count - *got, (off_t)(offset + *got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			source->sys_errno = errno;
			return PRECIS_E_IO;
		}
		if (!n)
			break;
		*got += (size_t)n;
	}
	return 0;
}

void byte_source_section(struct byte_source *source, uint64_t start, uint64_t limit)
{
	source->at = source->window;
	source->end = source->window;
	source->end_offset = start;
	source->limit = limit;
}

int byte_source_need(struct byte_source *source, size_t count)
{
	size_t left = (size_t)(source->end - source->at), room = WINDOW_BYTES - left, got;
	uint64_t more = source->limit - source->end_offset;
	int error;

	if (left >= count || !more)
		return 0;
	memmove(source->window, source->at, left);
	source->at = source->window;
	source->end = source->window + left;
	if (room > more)
		room = (size_t)more;
	error = byte_source_read(source, source->end_offset, source->window + left, room, &got);
	source->end += got;
	source->end_offset += got;
	return error;
}

void byte_source_skip(struct byte_source *source, uint64_t count)
{
	uint64_t left = (uint64_t)(source->end - source->at);

	if (count <= left) {
		source->at += count;
		return;
	}
	byte_source_section(source, source->end_offset + (count - left), source->limit);
}
