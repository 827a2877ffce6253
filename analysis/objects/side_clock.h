/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The times of a side file of objects on the clock of the recording that was made beside it: by what both
 * say of one moment. A recording by CLOCK_MONOTONIC has the file's own moments; one whose times are made of
 * the time stamp counter says how; for any other the recorder renames a thread for a moment, which the
 * recording has as a COMM record.
 */
#ifndef ANALYSIS_OBJECTS_SIDE_CLOCK_H
#define ANALYSIS_OBJECTS_SIDE_CLOCK_H

#include <precis/precis.h>

/* A thread was renamed then. */
struct side_moment {
	uint32_t tid, number;
	uint64_t time;
};

/* A process became another program then, and its recorder another one, which counts anew. */
struct side_exec {
	uint32_t pid;
	uint64_t time;
};

/* What of a recording tells. Zeroed memory has nothing. */
struct side_moments {
	struct side_moment *list;
	uint32_t count;
	size_t room;
	struct side_exec *execs;
	uint32_t exec_count;
	size_t exec_room;
	int is_monotonic; /* records have times of CLOCK_MONOTONIC */
	struct precis_time_conv conversion; /* 'size' 0: there is none */
};

void side_moments_begin(struct side_moments *moments, struct precis_file *file);
/* Any record. 0, or -1 if memory is short */
int side_moments_record(struct side_moments *moments, const struct precis_record *record,
			uint64_t time);
void side_moments_free(struct side_moments *moments);

/* Which is used, in the order of what they are worth */
enum side_clock_kind {
	SIDE_CLOCK_NONE,
	SIDE_CLOCK_MONOTONIC,
	SIDE_CLOCK_COUNTER, /* the time stamp counter, exactly */
	SIDE_CLOCK_COMM
};

struct side_clock {
	enum side_clock_kind kind;
	struct precis_object_point *points;
	uint32_t count;
	uint64_t error; /* ns: the worst so far */
};

/*
 * The best there is. 0, or -1 if memory is short
 * @param pid   of the process
 * @param from  a time, of the recording's clock, at which it was that program
 */
int side_clock_open(struct side_clock *clock, const struct side_moments *moments,
		    const struct precis_object_file *file, uint32_t pid, uint64_t from);
/* A time of the file's on the recording's clock. 0; -1: it cannot be told */
int side_clock_convert(struct side_clock *clock, const struct side_moments *moments,
		       const struct precis_object_file *file, uint64_t time, uint64_t *converted);
void side_clock_free(struct side_clock *clock);

#endif
