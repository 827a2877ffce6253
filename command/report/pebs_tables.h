/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tables of one PEBS event share. */
#ifndef REPORT_PEBS_TABLES_H
#define REPORT_PEBS_TABLES_H

#include "document/table.h"
#include "pebs_collect.h"
#include "command/validity/validity.h"

struct pebs_table_of {
	const struct pebs_event *event;
	const struct precis_event *view; /* how it was configured */
	uint32_t populations; /* of the accesses that anything is known of */
	int is_one_of_several;
};

/* A table whose name and title tell the event where there are several. 'topics': of validity.h */
void pebs_table_begin(struct document *document, const struct pebs_table_of *of, const char *name,
		      const char *title, const char *row_title, const struct column *columns,
		      size_t column_count, uint32_t topics);

/* Where accesses got their data from, what other caches said, and how long that took. */
void pebs_tables_of_sources(struct document *document, const struct pebs_table_of *of);

#endif
