/* SPDX-License-Identifier: BSD-3-Clause */
/* "precis report: perf.data 43% (1.2 GB/s)" on stderr, if that is a terminal and it takes over a second. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

struct progress {
	const char *command, *what;
	const char *step; /* ", sorting" and the like; "" while records are handed out */
	uint64_t total; /* bytes; 0: not known */
	uint64_t started_ns, shown_ns;
	uint32_t calls;
	int enabled, visible;
};

void progress_start(struct progress *progress, const char *command, const char *what,
		    uint64_t total);

#define PROGRESS_CALLS 8192u

/* Is it worth looking at the clock? Cheap: may be asked for each record. */
static inline int progress_is_due(struct progress *progress)
{
	return progress->enabled && ++progress->calls % PROGRESS_CALLS == 0;
}

/* So many bytes have been read. */
void progress_show(struct progress *progress, uint64_t done);

/* A precis_file_progress_fn, whose 'data' is a struct progress */
void progress_of_step(void *data, uint32_t step, uint64_t done);

/* Take the line away. */
void progress_end(struct progress *progress);

#endif
