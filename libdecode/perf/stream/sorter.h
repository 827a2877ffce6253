/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records in the order of their times: an adapter around any iterator that
 * hands them out as they were written.
 *
 * perf record writes one buffer after the other, each in order, and after a
 * pass over all of them a FINISHED_ROUND: what is in no later pass than the
 * n-th cannot be younger than the youngest of pass n, so that after pass n + 1
 * everything up to that time may go (tools/perf/util/ordered-events.c,
 * process_finished_round()). Equal times keep the order of arrival.
 *
 * Memory is bounded: what does not fit waits, sorted, in a temporary file.
 */
#ifndef PRECIS_PERF_SORTER_H
#define PRECIS_PERF_SORTER_H

#include <stddef.h>
#include <stdint.h>

#include <precis/record.h>

#define SORTER_MEMORY_DEFAULT ((size_t)64 << 20)
#define SORTER_MEMORY_MIN ((size_t)2 << 20)

struct sorter;

/*
 * The next record as it was written. Its view lives until the next pull.
 * 'time' 0 or UINT64_MAX: it has none, and is handed out at once. Those before it
 * may have been given to sorter_hold() (sorter_usual.h), if they have a time and
 * are no FINISHED_ROUND.
 * @return 1, 0 at the end, or a negative enum precis_error, after which nothing is pulled
 */
typedef int sorter_pull(void *from, struct sorter *sorter, struct precis_record *record,
			uint64_t *time);

struct sorter_state {
	uint64_t late; /* records handed out after one with a later time */
	uint64_t spilled; /* bytes written to the temporary file */
	int sys_errno; /* not 0: the temporary file failed, and this is why */
	const char *directory; /* where the file is, or would be; belongs to the sorter */
};

/*
 * 'memory': bytes for records that wait; 0 for the default, less than the least is raised to it.
 * 'directory': for the temporary file, made when it is needed; NULL: $TMPDIR, else /var/tmp.
 * @return 0, PRECIS_E_NO_MEMORY
 */
int sorter_new(size_t memory, const char *directory, struct sorter **sorter);
void sorter_free(struct sorter *sorter);

/* As new: what waited is gone, counts are 0. */
void sorter_reset(struct sorter *sorter);

/*
 * The next record in order. Its view lives until the next call; 'offset' and
 * 'data_file' are those that it was pulled with.
 *
 * @return 1; 0 at the end; negative what the pull said, PRECIS_E_IO (the
 *         temporary file) or PRECIS_E_NO_MEMORY: only after every record that
 *         had been pulled has been handed out
 */
int sorter_next(struct sorter *sorter, sorter_pull *pull, void *from, struct precis_record *record);

void sorter_state(const struct sorter *sorter, struct sorter_state *state);

#endif
