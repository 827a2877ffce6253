/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a report beside the analyses' own tables. */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "analysis/run.h"
#include "command/pebs/walk.h"
#include "command/recording/closing.h"

/* What has been read */
struct reported {
	const struct analysis_run *run;
	const struct recording *recording; /* of a dump what messages need of it */
	const struct faults *faults; /* of a recording's samples */
	const struct pebs_options *dump; /* NULL: it is a recording */
	const struct pebs_walk *walk; /* of a dump */
	const struct precis_pebs *dumped; /* one of its records */
};

void section_recording(struct document *document, const struct reported *reported);
void section_dump(struct document *document, const struct reported *reported);
void section_validity(struct document *document, const struct analysis_run *run);

/* Rows of both: the file, what CPU took the samples, how many of something there are. */
void row_file(struct document *document, const struct recording *recording);
void row_cpu(struct document *document, const struct precis_cpu *cpu, const char *description);
void row_count(struct document *document, const char *name, uint64_t count);

#endif
