/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A seekable recording that comes through a pipe, as out of gzip -d: its
 * description is partly at its end. It is copied into a temporary file first.
 */
#include "spool.h"

#include <errno.h>
#include <unistd.h>

#include "temporary_file.h"

static int write_all(int fd, const uint8_t *bytes, size_t count)
{
	while (count) {
		ssize_t n = write(fd, bytes, count);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes += n;
		count -= (size_t)n;
	}
	return 0;
}

static int copy(struct byte_source *source, int fd)
{
	for (;;) {
		if (byte_source_need(source, 1))
			return -1;
		if (source->at == source->end)
			return 0;
		if (write_all(fd, source->at, (size_t)(source->end - source->at))) {
			source->sys_errno = errno;
			return -1;
		}
		source->at = source->end;
		byte_source_tell(source, PRECIS_FILE_STEP_COPY, source->end_offset);
	}
}

int byte_source_spool(struct byte_source *source, const char *directory)
{
	int fd = precis_temporary_file(directory);

	if (fd < 0)
		source->sys_errno = errno;
	if (fd < 0 || copy(source, fd)) {
		if (fd >= 0)
			close(fd);
		return 1;
	}
	byte_source_close(source);
	return byte_source_open(source, fd, source->window_bytes);
}
