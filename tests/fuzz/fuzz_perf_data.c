/* SPDX-License-Identifier: BSD-3-Clause */
/* perf.data files of any form, through all that the library does with one. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/target.h"
#include "tests/hostile/full_pass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct full_pass result;
	char path[64];

	if (fd < 0)
		fd = memfd_create("perf.data", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	full_pass(path, NULL, NULL, &result);
	return 0;
}
