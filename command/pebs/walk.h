/* SPDX-License-Identifier: BSD-3-Clause */
/* Through the records of a dump of a PEBS buffer, telling what could not be read. */
#ifndef PEBS_WALK_H
#define PEBS_WALK_H

#include "options.h"
#include "document/output.h"
#include "command/recording/closing.h"

struct pebs_walk {
	struct recording *file; /* of a recording what messages and progress need */
	struct output *output;  /* written out before a message; NULL: there is none meanwhile */
	struct precis_input *input;
	struct precis_input_fault unread; /* records that cannot be taken apart, others behind can */
	uint64_t records;    /* that could */
};

/*
 * Open a file that recording_name() named, and find its records by --ds-area.
 * @param written  path of -o, which must not be the file; may be NULL
 * @return EXIT_OK: to be closed; an exit code after the error has been printed
 */
int pebs_walk_open(struct pebs_walk *walk, const struct pebs_options *options,
		   struct recording *file, const char *written);

/*
 * The same of one that was read before, and is told of what was saved then: it has no record. EXIT_OK, or
 * an exit code
 */
int pebs_walk_open_saved(struct pebs_walk *walk, const struct pebs_options *options,
			 struct recording *file);

/*
 * The next record that can be taken apart: 1, or 0 at the end, which has been told if it is not
 * the end that there should be. Its sample is that of walk->input; the item's views live until
 * the next call.
 */
int pebs_walk_next(struct pebs_walk *walk, const struct precis_item **item);

/* A line for what could not be read, if there was any. EXIT_OK or EXIT_FAILED */
int pebs_walk_finish(struct pebs_walk *walk);

void pebs_walk_close(struct pebs_walk *walk);

#endif
