/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One of several threads that read of a recording nothing but their share of it, and the records of the
 * others' shares that are no samples: these it is told of behind its own.
 *
 * Where a share begins is found by looks. That was right if whoever reads the share before it comes to
 * just that place. Whatever does not fit makes all of them give up, and the recording is read otherwise.
 */
#ifndef REPORT_APART_H
#define REPORT_APART_H

#include "reading.h"

/* Records that stand one behind the other: from the first one's offset to where the last one ends */
struct apart_records {
	uint64_t from, to;
};

struct apart {
	struct reading *reading;
	struct apart *all; /* one for each thread, in the order of their shares … */
	uint32_t count;    /* … so many, of which this is one */
	uint64_t begin, end; /* offsets of its first record and of the next share's; UINT64_MAX: to the end */
	uint64_t head_end; /* what stands before is read by all */
	uint64_t reached;  /* where the last record that it read ends */
	struct apart_records *records; /* of its share, that are no samples */
	uint32_t records_count, records_room;
	_Atomic int *gives_up;
};

/* Is the recording, whose analyses have begun, one that can be read so? */
int apart_is_possible(struct reading *reading);

/* Where shares begin and end, which the readings know. 0, or -1: that is not to be found out */
int apart_begin(struct apart *all, uint32_t count, _Atomic int *gives_up);
void apart_end(struct apart *all, uint32_t count);

/* As reading_read() and reading_read_again(), of the share alone. */
void apart_read(struct reading *reading);
void apart_read_again(struct reading *reading);

/* All have read: does each share begin where the one before it ended, and is all of the file in them? */
int apart_fits(struct apart *all, uint32_t count);

/* Then: what the others found that are no samples. run->starts_over may be set by it. */
void apart_hear(struct reading *reading);

/* Then: the first one's input knows what the others' counted. 0, or -1 */
int apart_add_up(struct apart *all, uint32_t count);

#endif
