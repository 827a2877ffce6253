/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of a process that runs, of each of which events are opened. */
#ifndef SHARING_THREADS_H
#define SHARING_THREADS_H

#include <dirent.h>
#include <stdint.h>
#include <sys/types.h>

struct threads {
	DIR *tasks; /* NULL: none */
};

/* 0, or -errno; -ESRCH: the process is gone. Then it has none. To be closed in any case */
int threads_open(struct threads *threads, pid_t pid);

/* The next one's tid; 0: there are no more */
uint32_t threads_next(struct threads *threads);

void threads_close(struct threads *threads);

/* As many descriptors as this process may have: of each thread some are open. */
void threads_allow_files(void);

#endif
