/* SPDX-License-Identifier: BSD-3-Clause */
/* One file of a report: what is being read, and what it is counted by. */
#ifndef REPORT_READING_H
#define REPORT_READING_H

#include "analysis/run.h"
#include "arguments.h"
#include "command/pebs/walk.h"
#include "command/recording/closing.h"

/* It stays where it is while it is open. */
struct reading {
	struct report_arguments *arguments;
	struct recording_options options; /* for this file */
	struct selection selection;       /* likewise */
	struct recording recording;       /* of a dump a name alone */
	struct pebs_walk walk;            /* of a dump */
	struct precis_input *input;
	struct analysis_run run;
	struct faults faults;
	struct precis_sample sample; /* the last one */
	uint64_t wanted[PRECIS_FIELD_WORDS];
};

/* A file, a directory, a dump. EXIT_OK: to be closed; an exit code after the error has been printed */
int reading_open(struct reading *reading, struct report_arguments *arguments, const char *path);

/*
 * Count all that is in it. EXIT_OK; EXIT_FAILED if not everything could be read, which has been
 * said, or if memory was short: reading->run.failed.
 */
int reading_collect(struct reading *reading);

void reading_close(struct reading *reading);

#endif
