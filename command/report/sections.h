/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a report beside the analyses' own tables. */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "analysis/run.h"
#include "command/pebs/walk.h"
#include "command/recording/closing.h"
#include "command/validity/validity.h"

/* A file that has been read. Of several those in order: 'number' is from 1, else 0. */
struct reported {
	const struct analysis_run *run; /* its own: only until it is added to others */
	const struct precis_input *input;
	uint32_t number;
	uint32_t first_event; /* what its events are numbered from */
	const struct recording *recording; /* of a dump what messages need of it */
	const struct faults *faults; /* of a recording's samples */
	const struct pebs_options *dump; /* NULL: it is a recording */
	const struct pebs_walk *walk; /* of a dump */
	const struct precis_pebs *dumped; /* one of its records */
	const struct selection *selection; /* its own */
	struct validity_event *judged; /* its events that have samples */
	uint32_t judged_count;
};

void reported_free(struct reported *reported);

void section_recording(struct document *document, const struct reported *reported);
void section_dump(struct document *document, const struct reported *reported);

/* How far the figures of its events can be believed, before it is added to others. 0, or -1 */
int validity_judge(struct reported *reported);

/* Is that of one event, or of several? One of the name that one of an earlier file has is that one. */
int validity_is_of_several(const struct reported *reported, size_t count);

/* The same as warnings; 'run' has counted all files. */
void section_validity(struct document *document, const struct analysis_run *run,
		      const struct reported *reported, int is_one_of_several);

/*
 * What findings are looked for in, at most two of a report: all samples; or where ibs_op has two units, which
 * no figure adds up, those of each.
 */
struct report_part {
	const struct analysis_run *run;
	const struct reported *reported; /* the files */
	size_t count;
	const uint64_t *given; /* bits: fields that its samples were selected by */
	const char *unit; /* of its samples of ibs_op; NULL: there is one */
	const char *options; /* of commands: what chose its samples, each word with a blank before it */
};

/*
 * The head of the report; all else is in the document, and settled. What the recordings are and lack is
 * told by the first part. 'options', 'files': in commands, of all parts
 */
void section_findings(struct document *document, const struct report_part *parts, size_t part_count,
		      const char *options, const char *files);

/* The list of what the file is; its title has the number of one of several. */
void list_of_reported(struct document *document, const struct reported *reported,
		      const char *title);

/* Rows of both: the file, what CPU took the samples, how many of something there are. */
void row_file(struct document *document, const struct recording *recording);
void row_cpu(struct document *document, const struct precis_cpu *cpu, const char *description);
void row_count(struct document *document, const char *name, uint64_t count);

#endif
