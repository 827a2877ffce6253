/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as a document: what was read, the key figures, the tables of all analyses, warnings. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "reading.h"
#include "sections.h"

/* One file that has been read: what it is goes into the document. 0, or -1 if memory is short */
int page_add(struct document *document, struct reported *reported);

/* All files, at least one, have been added, and what they counted is in that run. Findings come later. */
void page_finish(struct document *document, const struct analysis_run *run,
		 const struct reported *reported, size_t count);

#endif
