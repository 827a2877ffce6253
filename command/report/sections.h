/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a report: from what was counted to tables. */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "collect.h"
#include "document/table.h"
#include "command/recording/recording.h"

struct report_options {
	uint32_t top; /* instructions listed */
	int is_selected; /* some samples were left out */
	int no_demangle;
};

void section_recording(struct document *document, const struct collection *collection,
		       const struct recording *recording, const struct report_options *options);
/* The same of a dump of a PEBS buffer. */
void section_buffer(struct document *document, const struct collection *collection,
		    const struct recording *recording, const struct report_options *options);

/* Rows of both: the file, and what CPU took the samples. */
void row_file(struct document *document, const struct recording *recording);
void row_cpu(struct document *document, const struct precis_cpu *cpu, const char *description);

void section_summary(struct document *document, const struct collection *collection);
void section_ops(struct document *document, const struct collection *collection);
void section_data_sources(struct document *document, const struct collection *collection);
void section_dtlb(struct document *document, const struct collection *collection);
void section_miss_buffers(struct document *document, const struct collection *collection);
void section_pipeline(struct document *document, const struct collection *collection);
void section_branches(struct document *document, const struct collection *collection);
void section_fetch(struct document *document, const struct collection *collection);
/* All of PEBS but its key figures. */
void section_pebs(struct document *document, const struct collection *collection);
/* Only where the recording has context switches. Sorts their tasks. */
void section_offcpu(struct document *document, struct collection *collection,
		    const struct report_options *options);
/* Warnings below the tables that are there. */
void section_validity(struct document *document, const struct collection *collection);
void section_top(struct document *document, const struct collection *collection,
		 const struct report_options *options);

#endif
