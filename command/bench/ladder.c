/* SPDX-License-Identifier: BSD-3-Clause */
/* See ladder.h. */
#include "ladder.h"

#include <inttypes.h>

#include <precis/fields.h>

#include "figure.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const enum metric figures[] = { METRIC_load_ns, METRIC_load_cycles, METRIC_sampled_latency,
				       METRIC_latency_error };

static const struct column columns[] = {
	{ "event", NULL, COLUMN_LEFT },
	{ "kernel", NULL, COLUMN_LEFT },
	{ "period", NULL, 0 },
	{ "threads", NULL, 0 },
	{ "kib", "KiB", 0 },
	{ "load_ns", NULL, 0 },
	{ "load_ns_low", NULL, 0 },
	{ "load_ns_high", NULL, 0 },
	{ NULL, "timed ns", COLUMN_LEFT },
	{ "load_cycles", NULL, 0 },
	{ "load_cycles_low", NULL, 0 },
	{ "load_cycles_high", NULL, 0 },
	{ NULL, "timed cycles", COLUMN_LEFT },
	{ "sampled_latency", NULL, 0 },
	{ "sampled_latency_low", NULL, 0 },
	{ "sampled_latency_high", NULL, 0 },
	{ NULL, "sampled cycles", COLUMN_LEFT },
	{ "latency_error", NULL, 0 },
	{ "latency_error_low", NULL, 0 },
	{ "latency_error_high", NULL, 0 },
	{ NULL, "more, %", COLUMN_LEFT },
	{ "says", "sampled: which, or why not", COLUMN_LEFT },
};

static void row(const struct bench_cell *cell, const struct series *series, int is_text,
		struct document *document)
{
	if (is_text)
		row_begin(document, "%s", cell->kernel->name);
	else
		row_begin(document, "%s/%s/%s/%" PRIu64 "/%" PRIu32, cell->event->name, series->event->name,
			  cell->kernel->name, cell->period, cell->threads);
	row_in(document, "rows");
	cell_text(document, "%s", series->event->name);
	cell_text(document, "%s", cell->kernel->name);
	cell_count(document, cell->period);
	cell_count(document, cell->threads);
	cell_count(document, cell->kernel->bytes / 1024);
	for (size_t n = 0; n < COUNT_OF(figures); n++)
		figure_metric_cells(figures[n], series, document);
	words_cell(document, metric_of(METRIC_sampled_latency, series).says);
}

/* The rows of one member of all cells of the sweep whose first one is cell 'first' */
static void rows_of(const struct bench_cells *cells, size_t first, const struct bench_event *const *members,
		    uint32_t member, int is_text, struct document *document)
{
	const struct bench_cell *cell = &cells->cells[first];
	char threads[THREADS_WORDS];
	int any = 0;

	for (size_t n = first; n < cells->count; n++) {
		const struct bench_cell *other = &cells->cells[n];
		const struct series series = cell_series(other, members, member);

		if (!cell_is_beside(cell, other, SWEEP_LADDER))
			continue;
		row(other, &series, is_text, document);
		if (!any++)
			row_heading(document, "%s, period %" PRIu64 "%s", members[member]->name, cell->period,
				    threads_words(cell->threads, threads));
	}
}

void present_ladder(const struct bench_cells *cells, int is_text, struct document *document)
{
	int any = 0;

	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_cell *cell = &cells->cells[n];
		const struct bench_event *members[EVENTS_MOST];
		const uint32_t count = (uint32_t)event_members(cell->event, members);

		if (!cell->kernel->turn[QUANTITY_CHAINED] || !cell_is_first(cells, cell, SWEEP_LADDER))
			continue;
		if (!any++)
			table_begin(document, "ladder", "Latency ladder", "kernel", columns,
				    COUNT_OF(columns));
		for (uint32_t member = 0; member < count; member++)
			rows_of(cells, n, members, member, is_text, document);
	}
	if (any)
		table_note(document,
			   "Timed: without sampling, CPU time by loads, of which each waits for the one "
			   "before; cycles by a chain of additions that is timed beside them. Sampled: the "
			   "median, which begins and ends elsewhere than what is timed.");
}
