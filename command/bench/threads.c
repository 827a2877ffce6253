/* SPDX-License-Identifier: BSD-3-Clause */
/* See threads.h. */
#include "threads.h"

#include <inttypes.h>

#include "bench/accuracy/series.h"
#include "figure.h"
#include "sweep_table.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Figures, each with its interval where it has one */
static const enum metric figures[] = { METRIC_exact, METRIC_error, METRIC_error_rms, METRIC_lost,
				       METRIC_time_overhead };

static const struct column columns[] = {
	SWEEP_COLUMNS,
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

static void begin(const struct bench_cell *cell, struct document *document)
{
	row_begin(document, "%" PRIu32, cell->threads);
}

static void heading(const struct bench_cell *first, const struct bench_event *member,
		    struct document *document)
{
	row_heading(document, "%s with %s, period %" PRIu64, member->name, first->kernel->name,
		    first->period);
}

static void cells_of(const struct bench_cell *cell, const struct series *series, struct document *document)
{
	cell_count(document, cell->done);
	cell_count(document, series_all(series).samples);
	for (size_t n = 0; n < COUNT_OF(figures); n++)
		figure_metric_cells(figures[n], series, document);
}

void present_threads(const struct bench_cells *cells, int is_text, struct document *document)
{
	static const struct sweep_table table = {
		.by = SWEEP_THREADS, .name = "threads", .title = "Threads", .row_title = "threads",
		.columns = columns, .column_count = COUNT_OF(columns),
		.begin = begin, .heading = heading, .cells = cells_of,
		.note = "Exact: of threads and runs. Error: of all threads together, where errors of "
			"opposite sign cancel; rms: of each thread, where they do not. Overhead: CPU time "
			"of all threads by that without sampling, less 1. Intervals are of 95%.",
	};

	present_sweeps(&table, cells, is_text, document);
}
