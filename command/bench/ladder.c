/* SPDX-License-Identifier: BSD-3-Clause */
/* See ladder.h. */
#include "ladder.h"

#include <inttypes.h>

#include "bench/accuracy/judge.h"
#include "figure.h"
#include "sweep_table.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const enum metric figures[] = { METRIC_load_ns, METRIC_load_cycles, METRIC_sampled_latency,
				       METRIC_latency_error };

static const struct column columns[] = {
	SWEEP_COLUMNS,
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

static int has_chains(const struct bench_cell *first)
{
	return first->kernel->turn[QUANTITY_CHAINED] != 0;
}

static void begin(const struct bench_cell *cell, struct document *document)
{
	row_begin(document, "%s", cell->kernel->name);
}

static void heading(const struct bench_cell *first, const struct bench_event *member,
		    struct document *document)
{
	char threads[THREADS_WORDS];

	row_heading(document, "%s, period %" PRIu64 "%s", member->name, first->period,
		    threads_words(first->threads, threads));
}

static void cells_of(const struct bench_cell *cell, const struct series *series, struct document *document)
{
	cell_count(document, cell->kernel->bytes / 1024);
	for (size_t n = 0; n < COUNT_OF(figures); n++)
		figure_metric_cells(figures[n], series, document);
	words_cell(document, metric_of(METRIC_sampled_latency, series).says);
}

void present_ladder(const struct bench_cells *cells, int is_text, struct document *document)
{
	static const struct sweep_table table = {
		.by = SWEEP_LADDER, .name = "ladder", .title = "Latency ladder", .row_title = "kernel",
		.columns = columns, .column_count = COUNT_OF(columns),
		.is_of = has_chains, .begin = begin, .heading = heading, .cells = cells_of,
		.note = "Timed: without sampling, CPU time by loads, of which each waits for the one "
			"before; cycles by a chain of additions that is timed beside them. Sampled: the "
			"median, which begins and ends elsewhere than what is timed.",
	};

	present_sweeps(&table, cells, is_text, document);
}
