/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of PEBS. */
#ifndef ANALYSIS_PEBS_TABLES_H
#define ANALYSIS_PEBS_TABLES_H

#include "counts.h"

/* All tables, event by event. */
void pebs_tables(struct document *document, const struct pebs *pebs);

#endif
