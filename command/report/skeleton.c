/* SPDX-License-Identifier: BSD-3-Clause */
/* See skeleton.h. */
#define _GNU_SOURCE /* memfd_create() */
#include "skeleton.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What says which CPU it was and of which node, what events are, and what is known of losses */
static const uint32_t features[] = {
	PRECIS_FEATURE_HOSTNAME, PRECIS_FEATURE_OSRELEASE, PRECIS_FEATURE_VERSION, PRECIS_FEATURE_ARCH,
	PRECIS_FEATURE_CPUDESC, PRECIS_FEATURE_CPUID, PRECIS_FEATURE_PMU_MAPPINGS,
	PRECIS_FEATURE_CPU_PMU_CAPS, PRECIS_FEATURE_HYBRID_TOPOLOGY, PRECIS_FEATURE_PMU_CAPS,
	PRECIS_FEATURE_NUMA_TOPOLOGY,
};

static int failed_with(int code)
{
	if (code != PRECIS_E_IO)
		errno = code == PRECIS_E_NO_MEMORY ? ENOMEM : EINVAL;
	return -1;
}

/* Attributes of a pipe may differ in their size, which each says itself. */
static uint32_t attr_room(const struct precis_file *file)
{
	uint32_t room = 64;

	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);

		room = event->attr_bytes > room ? event->attr_bytes : room;
	}
	return room;
}

static int write_events(struct precis_writer *writer, const struct precis_file *file)
{
	const uint32_t room = attr_room(file);
	uint8_t *attr = malloc(room);
	int code = attr ? 0 : PRECIS_E_NO_MEMORY;

	for (uint32_t n = 0; n < precis_file_event_count(file) && !code; n++) {
		const struct precis_event *event = precis_file_event(file, n);

		memset(attr, 0, room);
		memcpy(attr, event->attr, event->attr_bytes);
		code = precis_writer_event(writer, attr, room, event->ids, event->id_count, event->name);
	}
	free(attr);
	return code;
}

static int write_features(struct precis_writer *writer, const struct precis_file *file)
{
	int code = 0;

	for (size_t n = 0; n < sizeof(features) / sizeof(features[0]) && !code; n++) {
		struct precis_bytes section;

		if (!precis_file_feature(file, features[n], &section))
			code = precis_writer_feature(writer, features[n], section.data, section.bytes);
	}
	return code;
}

static int write_to(int fd, const struct precis_file *file)
{
	struct precis_writer *writer;
	char path[64];
	int code, closed;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	code = precis_writer_open(path, &writer);
	if (code)
		return failed_with(code);
	code = write_events(writer, file);
	code = code ? code : write_features(writer, file);
	closed = precis_writer_close(writer);
	code = code ? code : closed;
	return code ? failed_with(code) : 0;
}

static int read_from(int fd, uint8_t **bytes, size_t *count)
{
	struct stat status;

	if (fstat(fd, &status))
		return -1;
	*count = (size_t)status.st_size;
	*bytes = malloc(*count + 1);
	if (!*bytes)
		return -1;
	for (size_t done = 0; done < *count;) {
		ssize_t got = pread(fd, *bytes + done, *count - done, (off_t)done);

		if (got <= 0)
			return -1;
		done += (size_t)got;
	}
	return 0;
}

int skeleton_make(const struct precis_file *file, uint8_t **bytes, size_t *count)
{
	int fd = memfd_create("precis", MFD_CLOEXEC), code;

	*bytes = NULL;
	if (fd < 0)
		return -1;
	code = write_to(fd, file);
	if (!code)
		code = read_from(fd, bytes, count);
	if (code) {
		free(*bytes);
		*bytes = NULL;
	}
	close(fd);
	return code;
}

int skeleton_open(const uint8_t *bytes, size_t count)
{
	int fd = memfd_create("precis", MFD_CLOEXEC);

	for (size_t done = 0; fd >= 0 && done < count;) {
		ssize_t wrote = write(fd, bytes + done, count - done);

		if (wrote < 0) {
			close(fd);
			return -1;
		}
		done += (size_t)wrote;
	}
	if (fd >= 0 && lseek(fd, 0, SEEK_SET) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}
