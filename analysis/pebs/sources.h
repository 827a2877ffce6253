/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of one event: data sources, and latencies by them. */
#ifndef ANALYSIS_PEBS_SOURCES_H
#define ANALYSIS_PEBS_SOURCES_H

#include "figures.h"

/* Where accesses got their data from, what other caches said, and how long that took. */
void pebs_tables_of_sources(struct document *document, const struct pebs_table_of *of);

#endif
