/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of transfers as cells of a table. */
#ifndef ANALYSIS_SHARING_CELLS_H
#define ANALYSIS_SHARING_CELLS_H

#include "state.h"
#include "statistics/table.h"

/* Columns of a sum of transfers: itself, and the ends of its interval, which text has with it */
#define SHARING_SUM_COLUMNS(name, title)                                                           \
	{ name, title, 0 }, { name "_low", NULL, 0 }, { name "_high", NULL, 0 }

/* The cells of these; 'unknown' as of sharing_interval() */
void sharing_cell_sum(struct document *document, const struct sharing *sharing,
		      const struct poisson_sum *sum, const struct poisson_sum *unknown);

/* Columns of how many, and how much, there were in a second, and of all bytes */
#define SHARING_RATE_COLUMNS                                                                       \
	{ "per_second", NULL, 0 }, { "per_second_low", NULL, 0 }, { "per_second_high", NULL, 0 },  \
		{ NULL, "per s", 0 }, { "bytes_per_second", NULL, 0 },                             \
		{ "bytes_per_second_low", NULL, 0 }, { "bytes_per_second_high", NULL, 0 },         \
		{ NULL, "MB/s", 0 },                                                               \
	{                                                                                          \
		"bytes", NULL, 0                                                                   \
	}

/* The cells of these, likewise */
void sharing_cells_rate(struct document *document, const struct sharing *sharing,
			const struct poisson_sum *sum, const struct poisson_sum *unknown);

/* A whole number; absent if it is NAN, and for a reason 'why', NULL: none */
void sharing_cell_rounded(struct document *document, double number, const char *why);

/* In percent; absent of nothing */
void sharing_cell_percent(struct document *document, double part, double whole);

#endif
