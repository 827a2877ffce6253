/* SPDX-License-Identifier: BSD-3-Clause */
/* One file of a report: what is being read, and what it is counted by. */
#ifndef REPORT_READING_H
#define REPORT_READING_H

#include "analysis/run.h"
#include "arguments.h"
#include "command/pebs/walk.h"
#include "command/recording/closing.h"
#include "command/recording/span.h"
#include "command/symbols/filter_names.h"

/*
 * A recording is read by so many parts, however many threads read it, so that what analyses leave out
 * is always the same.
 */
#define READING_PARTS 16u

/* Fewer bytes for each are read by one in less time than threads need to begin */
#define READING_BYTES_LEAST (UINT64_C(4) << 20)

/* Which samples of a recording one of several threads counts. Of records each reads all. */
struct reading_share {
	uint32_t first, count;    /* parts; 'count' 0: it is read alone, and all count */
	uint32_t readers;         /* threads */
	int ended;                /* what the input said last: nothing is printed meanwhile */
	_Atomic int *starts_over; /* one of them has to: the others need not read on */
	_Atomic int *is_full; /* together they take more than 'bytes_most': nobody reads on */
	uint64_t bytes_most; /* of the process */
	uint64_t looked; /* where in the recording that was looked at last */
	struct apart *apart;      /* apart.h; NULL: all that is in the recording is read */
};

/* It stays where it is while it is open. */
struct reading {
	struct report_arguments *arguments;
	struct recording_options options; /* for this file */
	struct selection selection;       /* likewise */
	struct filter_names names;        /* that its expression asks for */
	struct recording_span span;       /* where analyses need to know */
	struct recording recording;       /* of a dump a name alone */
	struct pebs_walk walk;            /* of a dump */
	struct precis_input *input;
	struct analysis_run run;
	struct faults faults;
	struct precis_sample sample; /* the last one */
	uint64_t wanted[PRECIS_FIELD_WORDS];
	struct reading_share share;
	uint64_t data_offset, part_bytes; /* parts; 0: it is read in one piece */
	uint64_t part_end; /* the offset up to which 'counts' is so */
	int counts;        /* samples here are of the share */
	struct saved_texts texts; /* of one that was saved */
	int is_read_once;  /* there is nothing to be read again */
};

/* A file, a directory, a dump. EXIT_OK: to be closed; an exit code after the error has been printed */
int reading_open(struct reading *reading, struct report_arguments *arguments, const char *path);

/* One that was saved: the rest is for who loads it to fill in. To be closed likewise */
void reading_open_saved(struct reading *reading, struct report_arguments *arguments);

void reading_close(struct reading *reading);

/* Once more what is open, in silence. 0, or -1. What selects samples is the first one's. */
int reading_open_again(struct reading *reading, const struct reading *first);
void reading_close_again(struct reading *reading);

/* Its analyses begin; its share is known. 0, or -1 if memory is short */
int reading_begin(struct reading *reading);

/* Up to the end, or to where records prove to have come too late: reading->run.starts_over */
void reading_read(struct reading *reading);

/*
 * A step of that: many samples, or an item. 1 with the item, NULL: it was samples; 0: there is no more,
 * share.ended says why
 */
int reading_step(struct reading *reading, const struct precis_item **item);
/* Of one of several: the next item, which is not counted. 1, or 0 */
int reading_next_of_share(struct reading *reading, const struct precis_item **item);
/* Samples count up to that offset, or do not. */
void reading_count_up_to(struct reading *reading, int counts, uint64_t end);
/* Has anybody to start over? */
int reading_must_stop(const struct reading *reading);
/* What came so far is counted. */
void reading_settle(struct reading *reading);

/* Tell the rest of the records, and read once more. */
void reading_read_again(struct reading *reading);

void reading_finish(struct reading *reading);

/* Records that there was no memory for */
uint64_t reading_unlearnt(const struct reading *reading);

/* Is there nothing to be told of what was read? */
int reading_is_sound(const struct reading *reading);

/* As if it had not begun. */
void reading_forget(struct reading *reading);

#endif
