/* SPDX-License-Identifier: BSD-3-Clause */
/* Readings of a report, saved in a file and loaded from it (command/saved/parts.h). */
#ifndef REPORT_SAVED_H
#define REPORT_SAVED_H

#include "command/saved/parts.h"
#include "document/output.h"
#include "reading.h"

/* Names of parts: a recording begins with the first, what follows it of one unit with the second. */
#define SAVED_RECORDING "recording"
#define SAVED_UNIT "unit"

/* Samples of ibs_op by cycles and by micro-ops, each by themselves (units.h) */
enum saved_units {
	SAVED_UNITS_NONE,   /* none is by micro-ops: those by cycles are all, of the others there are none */
	SAVED_UNITS_FOLLOW, /* both are saved, too */
	SAVED_UNITS_UNTOLD  /* it came through a pipe, and was read once */
};

/* The head of the file. 0, or -1 if memory is short */
int saved_begin(struct output *output, const struct report_arguments *arguments);
void saved_finish(struct output *output);

/*
 * What was read, with the exit code of that. 'part' is one of the names above. 0, or -1: it was told
 * why not
 */
int saved_put(struct output *output, const char *part, struct reading *reading, enum saved_units units,
	      int code);

/* How many recordings are in the file, whose parts are all looked at; -1: it was told that it is damaged */
long saved_recordings(const struct report_arguments *arguments, const char *path);

/* Open it, and compare what it was saved with. Behind that come the recordings. EXIT_OK, an exit code */
int saved_read_head(struct saved_parts *parts, const struct report_arguments *arguments, const char *path);

/* Behind the last recording nothing is. An exit code */
int saved_end(struct saved_parts *parts);

/*
 * The next recording and what follows it go into another file that is written, as this version writes them.
 * An exit code: of EXIT_FAILED 'is_there' tells whether it was written nevertheless
 */
int saved_copy(struct saved_parts *parts, struct report_arguments *arguments, struct output *output,
	       int *is_there);

/*
 * The next recording, as if it had been read for the arguments' unit. An exit code: of EXIT_FAILED
 * 'is_there' tells whether the reading is to be told, and closed, nevertheless
 */
int saved_read(struct saved_parts *parts, struct report_arguments *arguments, struct reading *reading,
	       int *is_there);

#endif
