/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A seekable recording that comes through a pipe, as out of gzip -d: its
 * description is partly at its end. It is copied into a temporary file first.
 */
#include <errno.h>
#include <unistd.h>

#include "libdecode/perf/stream/temporary_file.h"
#include "private.h"

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
	}
}

int precis_file_spool(struct precis_file *file)
{
	struct byte_source *source = &file->stream.source;
	const char *directory = precis_temporary_directory(file->temporary_directory);
	int fd = precis_temporary_file(directory), error;

	if (fd < 0)
		source->sys_errno = errno;
	if (fd < 0 || copy(source, fd)) {
		file->sys_errno = source->sys_errno;
		if (fd >= 0)
			close(fd);
		error = precis_file_fail(file, PRECIS_E_IO, NO_OFFSET,
					 "a recording that is no pipe output came through a pipe; "
					 "it could not be copied to a temporary file in %s",
					 directory);
		file->error.sys_errno = file->sys_errno;
		return error;
	}
	byte_source_close(source);
	error = byte_source_open(source, fd, STREAM_WINDOW_BYTES);
	file->sys_errno = source->sys_errno;
	return error ? precis_file_fail_system(file, error) : 0;
}
