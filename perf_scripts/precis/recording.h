/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening a recording for a subcommand, and reading through it. */
#ifndef RECORDING_H
#define RECORDING_H

#include <precis/precis.h>

#include "progress.h"

/* What every subcommand that reads a recording takes: --cpuid, --os-release, --fetch-layout. */
struct recording_options {
	const char *cpuid;
	const char *os_release;
	uint32_t fetch_layout; /* enum precis_fetch_layout */
};

struct recording {
	const char *command; /* for messages */
	const char *path;
	struct precis_file *file;
	struct progress progress;
	int broken; /* 1: reading ended in an error, which has been printed */
};

/* EXIT_OK, or an exit code after the error has been printed. Prints the file's warnings. */
int recording_open(struct recording *recording, const char *command, const char *path,
		   const struct recording_options *options);

/*
 * The next record: 1, or 0 at the end. A broken file is an end as well, with a
 * line on stderr naming file, offset and expectation, and 'broken' set: what was
 * read before it is still to be printed, and the exit code is EXIT_FAILED.
 */
int recording_next(struct recording *recording, struct precis_record *record);

void recording_close(struct recording *recording);

#endif
