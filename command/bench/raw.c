/* SPDX-License-Identifier: BSD-3-Clause */
/* How it was measured: what raw counts need beside them to become results again (read.h). */
#include "raw.h"

#include <inttypes.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct column cell_columns[] = {
	{ "set", NULL, COLUMN_LEFT },
	{ "kernel", NULL, COLUMN_LEFT },
	{ "period", NULL, 0 },
	{ "threads", NULL, 0 },
	{ "why", NULL, COLUMN_LEFT },
	{ "inner", NULL, 0 },
	{ "outer", NULL, 0 },
	{ "runs", NULL, 0 },
	{ "unbound_threads", NULL, 0 },
	{ "reason", NULL, COLUMN_LEFT },
};

uint32_t raw_unbound_threads(const struct bench_cell *cell)
{
	uint32_t sum = 0;

	for (uint32_t run = 0; run < cell->done; run++)
		sum += cell->runs[run].unbound;
	return sum;
}

uint32_t raw_runs_again(const struct bench_cells *cells)
{
	uint32_t sum = cells->again;

	for (size_t n = 0; n < cells->count; n++) {
		for (uint32_t run = 0; run < cells->cells[n].done; run++)
			sum += cells->cells[n].runs[run].again;
	}
	return sum;
}

static void cell_row(const struct bench_cell *cell, struct document *document)
{
	row_begin(document, "%s/%s/%" PRIu64 "/%" PRIu32, cell->event->name, cell->kernel->name, cell->period,
		  cell->threads);
	row_in(document, "rows");
	cell_text(document, "%s", cell->event->name);
	cell_text(document, "%s", cell->kernel->name);
	cell_count(document, cell->period);
	cell_count(document, cell->threads);
	cell_text(document, "%s", period_kind_name(cell->kind, cell->event));
	cell_count(document, cell->inner);
	cell_count(document, cell->outer);
	cell_count(document, cell->done);
	cell_count(document, raw_unbound_threads(cell));
	if (*cell->reason)
		cell_text(document, "%s", cell->reason);
	else
		cell_absent(document);
}

static void count_row(struct document *document, const char *name, uint64_t count)
{
	row_begin(document, "%s", name);
	cell_count(document, count);
}

void raw_describe(const struct bench_cells *cells, const struct bench_arguments *arguments,
		  struct document *document)
{
	const uint32_t again = raw_runs_again(cells);

	list_begin(document, "measured", NULL);
	count_row(document, "runs", arguments->runs);
	row_begin(document, "threads");
	threads_cell(&arguments->threads, 0, document);
	row_begin(document, "cpu");
	if (arguments->cpu < 0)
		cell_absent(document);
	else
		cell_count(document, (uint64_t)arguments->cpu);
	count_row(document, "seed", arguments->seed);
	row_begin(document, "full");
	cell_bool(document, arguments->is_full);
	row_begin(document, "interrupted");
	cell_bool(document, cells->is_stopped);
	if (again)
		count_row(document, "runs_again", again);
	table_begin(document, "cells", NULL, "cell", cell_columns, COUNT_OF(cell_columns));
	for (size_t n = 0; n < cells->count; n++)
		cell_row(&cells->cells[n], document);
}
