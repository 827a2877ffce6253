/* SPDX-License-Identifier: BSD-3-Clause */
/* See spilled.h. */
#include "spilled.h"

#include <errno.h>
#include <unistd.h>

#include "command/saved/parts.h"
#include "libdecode/perf/stream/temporary_file.h"

#define COPY_BYTES 65536u

struct spilled spilled_begin(void)
{
	return (struct spilled){ .fd = -1 };
}

void spilled_free(struct spilled *spilled)
{
	if (spilled->fd >= 0)
		close(spilled->fd);
	spilled->fd = -1;
}

int spilled_add(struct spilled *spilled, const uint8_t *bytes, size_t count)
{
	size_t at = 0;

	if (spilled->fd < 0)
		spilled->fd = precis_temporary_file(precis_temporary_directory(NULL));
	if (spilled->fd < 0)
		return -1;
	while (at < count) {
		const ssize_t wrote = write(spilled->fd, bytes + at, count - at);

		if (wrote < 0 && errno != EINTR)
			return -1;
		at += wrote > 0 ? (size_t)wrote : 0;
	}
	spilled->sum = saved_checksum(spilled->sum, bytes, count);
	spilled->bytes += count;
	return 0;
}

int spilled_put(struct output *output, const char *name, const struct spilled *spilled)
{
	uint8_t header[SAVED_PART_BYTES], bytes[COPY_BYTES];
	uint64_t at = 0;

	saved_part_header(header, name, spilled->bytes, spilled->sum);
	output_bytes(output, (const char *)header, sizeof(header));
	while (at < spilled->bytes) {
		const ssize_t count = pread(spilled->fd, bytes, sizeof(bytes), (off_t)at);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			errno = count < 0 ? errno : EIO;
			return -1;
		}
		output_bytes(output, (const char *)bytes, (size_t)count);
		at += (uint64_t)count;
	}
	return 0;
}
