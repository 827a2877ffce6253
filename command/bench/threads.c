/* SPDX-License-Identifier: BSD-3-Clause */
/* See threads.h. */
#include "threads.h"

#include <inttypes.h>

#include "bench/accuracy/series.h"
#include "figure.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Figures, each with its interval where it has one */
static const enum metric figures[] = { METRIC_exact, METRIC_error, METRIC_error_rms, METRIC_lost,
				       METRIC_time_overhead };

static const struct column columns[] = {
	{ "event", NULL, COLUMN_LEFT },
	{ "kernel", NULL, COLUMN_LEFT },
	{ "period", NULL, 0 },
	{ "threads", NULL, 0 },
	{ "runs", "runs", 0 },
	{ "samples", "samples", 0 },
	{ "exact", NULL, 0 },
	{ "exact_low", NULL, 0 },
	{ "exact_high", NULL, 0 },
	{ NULL, "exact %", COLUMN_LEFT },
	{ "error", NULL, 0 },
	{ "error_low", NULL, 0 },
	{ "error_high", NULL, 0 },
	{ NULL, "error %", COLUMN_LEFT },
	{ "error_rms", NULL, 0 },
	{ "error_rms_low", NULL, 0 },
	{ "error_rms_high", NULL, 0 },
	{ NULL, "rms %", COLUMN_LEFT },
	{ "lost", NULL, 0 },
	{ "lost_low", NULL, 0 },
	{ "lost_high", NULL, 0 },
	{ NULL, "lost %", COLUMN_LEFT },
	{ "time_overhead", NULL, 0 },
	{ "time_overhead_low", NULL, 0 },
	{ "time_overhead_high", NULL, 0 },
	{ NULL, "overhead %", COLUMN_LEFT },
};

static void row(const struct bench_cell *cell, const struct series *series, int is_text,
		struct document *document)
{
	if (is_text)
		row_begin(document, "%" PRIu32, cell->threads);
	else
		row_begin(document, "%s/%s/%s/%" PRIu64 "/%" PRIu32, cell->event->name, series->event->name,
			  cell->kernel->name, cell->period, cell->threads);
	row_in(document, "rows");
	cell_text(document, "%s", series->event->name);
	cell_text(document, "%s", cell->kernel->name);
	cell_count(document, cell->period);
	cell_count(document, cell->threads);
	cell_count(document, cell->done);
	cell_count(document, series_all(series).samples);
	for (size_t n = 0; n < COUNT_OF(figures); n++)
		figure_metric_cells(figures[n], series, document);
}

/* The rows of one member of all cells of the sweep whose first one is cell 'first' */
static void rows_of(const struct bench_cells *cells, size_t first, const struct bench_event *const *members,
		    uint32_t member, int is_text, struct document *document)
{
	const struct bench_cell *cell = &cells->cells[first];
	int any = 0;

	for (size_t n = first; n < cells->count; n++) {
		const struct bench_cell *other = &cells->cells[n];
		const struct series series = cell_series(other, members, member);

		if (!cell_is_beside(cell, other, SWEEP_THREADS))
			continue;
		row(other, &series, is_text, document);
		if (!any++)
			row_heading(document, "%s with %s, period %" PRIu64, members[member]->name,
				    cell->kernel->name, cell->period);
	}
}

void present_threads(const struct bench_cells *cells, int is_text, struct document *document)
{
	int any = 0;

	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_event *members[EVENTS_MOST];
		const uint32_t count = (uint32_t)event_members(cells->cells[n].event, members);
		struct series sweep[SWEEP_MOST];

		if (!cell_is_first(cells, &cells->cells[n], SWEEP_THREADS) ||
		    cell_sweep(cells, &cells->cells[n], SWEEP_THREADS, members, 0, sweep) < 2)
			continue;
		if (!any++)
			table_begin(document, "threads", "Threads", "threads", columns, COUNT_OF(columns));
		for (uint32_t member = 0; member < count; member++)
			rows_of(cells, n, members, member, is_text, document);
	}
	if (any)
		table_note(document,
			   "Exact: of threads and runs. Error: of all threads together, where errors of "
			   "opposite sign cancel; rms: of each thread, where they do not. Overhead: CPU time "
			   "of all threads by that without sampling, less 1. Intervals are of 95%%.");
}
