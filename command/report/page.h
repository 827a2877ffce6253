/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as a document: what was read, the key figures, the tables of all analyses, warnings. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "sections.h"

void page_make(struct document *document, const struct reported *reported);

#endif
