/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure of two sides in a row of a table: both, how far apart they are, and whether that is sure. */
#ifndef ANALYSIS_COMPARED_H
#define ANALYSIS_COMPARED_H

#include "statistics/difference.h"
#include "statistics/table.h"

struct compared {
	struct estimate side[2];
	struct interval difference;
	const char *refused; /* why there is no verdict, whatever the interval; NULL: there may be one */
	const char *unknown; /* what a difference without an interval is called */
};

/* How it is told */
struct compared_as {
	const char *name;
	int is_share, digits;
	int is_scaled; /* text has thousands, millions, ... of it, as the larger side is */
	int better; /* 1: more of it is, -1: less, 0: neither */
};

#define COMPARED_COLUMNS 10u
extern const struct column compared_columns[COMPARED_COLUMNS];

/* Is there anything to compare? */
int compared_has_both(const struct compared *compared);

/* Is the difference sure? */
int compared_is_decided(const struct compared *compared);

/* A row's cells in these columns */
void compared_cells(struct document *document, const struct compared *compared,
		    const struct compared_as *as);

#endif
