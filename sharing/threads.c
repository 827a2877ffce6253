/* SPDX-License-Identifier: BSD-3-Clause */
/* See threads.h. */
#include "threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

int threads_open(struct threads *threads, pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/task", (long)pid);
	threads->tasks = opendir(path);
	if (threads->tasks)
		return 0;
	return errno == ENOENT ? -ESRCH : -errno;
}

uint32_t threads_next(struct threads *threads)
{
	const struct dirent *task;
	uint32_t tid = 0;

	/* "." and ".." are none */
	while (!tid && threads->tasks && (task = readdir(threads->tasks)))
		tid = (uint32_t)strtoul(task->d_name, NULL, 10);
	return tid;
}

void threads_close(struct threads *threads)
{
	if (threads->tasks)
		closedir(threads->tasks);
}

void threads_allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
