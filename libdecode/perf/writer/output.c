/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes to the file, all of them or an error. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "private.h"

int precis_writer_write(struct precis_writer *writer, const uint8_t *bytes, size_t count)
{
	while (count) {
		ssize_t n = write(writer->fd, bytes, count);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			writer->error = PRECIS_E_IO;
			return PRECIS_E_IO;
		}
		bytes += n;
		count -= (size_t)n;
	}
	return 0;
}

int precis_writer_flush(struct precis_writer *writer)
{
	size_t count = writer->buffered;

	if (writer->error)
		return writer->error;
	writer->buffered = 0;
	return precis_writer_write(writer, writer->buffer, count);
}

int precis_writer_put(struct precis_writer *writer, const void *bytes, size_t count)
{
	int error;

	if (count > WRITER_BUFFER_BYTES - writer->buffered) {
		error = precis_writer_flush(writer);
		if (error)
			return error;
	}
	writer->position += count;
	if (count > WRITER_BUFFER_BYTES)
		return precis_writer_write(writer, bytes, count);
	if (count)
		memcpy(writer->buffer + writer->buffered, bytes, count);
	writer->buffered += count;
	return 0;
}
