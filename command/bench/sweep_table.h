/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of all sweeps of one kind: cells that differ in one thing stand below each other. */
#ifndef BENCH_SWEEP_TABLE_H
#define BENCH_SWEEP_TABLE_H

#include "cells.h"
#include "statistics/table.h"

/* The first columns of each such table, which text has in headings and names of rows */
#define SWEEP_COLUMNS \
	{ "event", NULL, COLUMN_LEFT }, { "kernel", NULL, COLUMN_LEFT }, { "period", NULL, 0 }, \
		{ "threads", NULL, 0 }

struct sweep_table {
	enum sweep_by by;
	const char *name, *title, *row_title;
	const struct column *columns; /* SWEEP_COLUMNS, and more */
	size_t column_count;
	/* Of which sweeps, by their first cell; NULL: of those with two cells or more */
	int (*is_of)(const struct bench_cell *first);
	/* Begin a row, by the name that text has for it */
	void (*begin)(const struct bench_cell *cell, struct document *document);
	/* The heading of a sweep of that member */
	void (*heading)(const struct bench_cell *first, const struct bench_event *member,
			struct document *document);
	/* Cells of a row, behind those of SWEEP_COLUMNS */
	void (*cells)(const struct bench_cell *cell, const struct series *series, struct document *document);
	const char *note;
};

/* There is no table if it would have no row. */
void present_sweeps(const struct sweep_table *table, const struct bench_cells *cells, int is_text,
		    struct document *document);

#endif
