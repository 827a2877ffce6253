/* SPDX-License-Identifier: BSD-3-Clause */
/* See timeslices.h. */
#include "timeslices.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

int timeslices_open(pid_t pid, uint32_t tid)
{
	char path[80];
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/task/%u/schedstat", (long)pid, (unsigned int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int timeslices_read(int fd, uint64_t *count)
{
	char text[96];
	const ssize_t bytes = pread(fd, text, sizeof(text) - 1, 0);

	if (bytes < 0)
		return -errno;
	text[bytes] = '\0';
	/* a thread has run at least once: a kernel that does not count says 0 of all */
	if (sscanf(text, "%*u %*u %" SCNu64, count) != 1 || !*count)
		return -ENODATA;
	return 0;
}
