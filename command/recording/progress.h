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
	uint64_t records; /* handed out, as long as 'enabled' */
	int enabled, visible;
};

void progress_start(struct progress *progress, const char *command, const char *what,
		    uint64_t total);

#define PROGRESS_RECORDS 8192u

/* So many more records: is it worth looking at the clock? Cheap: may be asked for each. */
static inline int progress_is_due(struct progress *progress, uint64_t records)
{
	uint64_t before = progress->records;

	if (!progress->enabled)
		return 0;
	progress->records += records;
	return progress->records / PROGRESS_RECORDS != before / PROGRESS_RECORDS;
}

/* So many bytes have been read. */
void progress_show(struct progress *progress, uint64_t done);

/* A precis_file_progress_fn, whose 'data' is a struct progress */
void progress_of_step(void *data, uint32_t step, uint64_t done);

/* Take the line away. */
void progress_end(struct progress *progress);

#endif
