/* SPDX-License-Identifier: BSD-3-Clause */
/* See temporary_file.h. */
#define _GNU_SOURCE /* mkostemp(), secure_getenv() */

#include "temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Not /tmp, which may lie in memory. */
#define DEFAULT_DIRECTORY "/var/tmp"

const char *precis_temporary_directory(const char *wanted)
{
	const char *directory = wanted ? wanted : secure_getenv("TMPDIR");

	return directory && *directory ? directory : DEFAULT_DIRECTORY;
}

int precis_temporary_file(const char *directory)
{
	char path[PATH_MAX];
	int fd, length;

	length = snprintf(path, sizeof(path), "%s/precis-XXXXXX", directory);
	if (length < 0 || (size_t)length >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}
