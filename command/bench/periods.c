/* SPDX-License-Identifier: BSD-3-Clause */
/* See periods.h. */
#include "periods.h"

#include <inttypes.h>
#include <math.h>

#include "bench/accuracy/judge.h"
#include "bench/accuracy/series.h"
#include "figure.h"
#include "sweep_table.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct column columns[] = {
	SWEEP_COLUMNS,
	{ "kind", "why", COLUMN_LEFT },
	{ "turn", "a turn", 0 },
	{ "outer", NULL, 0 },
	{ "divisor", "divisor", 0 },
	{ "positions", "positions", 0 },
	{ "samples", "samples", 0 },
	{ "largest_share", NULL, 0 },
	{ "uniformity", NULL, 0 },
	{ "homogeneity", NULL, 0 },
	{ NULL, "largest", 0 },
	{ NULL, "p uniform", 0 },
	{ NULL, "p as others", 0 },
	{ "verdict", "verdict", COLUMN_LEFT },
};

/* Which of the periods of a kernel an event samples in step with it */
static void verdict_cell(const struct series *series, struct document *document)
{
	const struct metric_result resonance = metric_of(METRIC_resonance, series);

	if (!resonance.is_there)
		cell_text(document, "%s", resonance.says);
	else
		cell_text(document, "%s", resonance.verdict == VERDICT_WORSE ? "in step" : "not in step");
}

static void step_cells(const struct series *series, struct document *document)
{
	const struct period_step step = series_step(series);

	if (!step.divisor) {
		for (uint32_t n = 0; n < 4; n++)
			cell_absent(document);
		return;
	}
	cell_count(document, step.turn);
	cell_count(document, step.outer);
	cell_count(document, step.divisor);
	cell_count(document, step.turn / step.divisor);
}

static double value_of(enum metric metric, const struct series *series)
{
	const struct metric_result result = metric_of(metric, series);

	return result.is_there ? result.value : NAN;
}

static void begin(const struct bench_cell *cell, struct document *document)
{
	row_begin(document, "%" PRIu64, cell->period);
}

static void heading(const struct bench_cell *first, const struct bench_event *member,
		    struct document *document)
{
	char threads[THREADS_WORDS];

	row_heading(document, "%s with %s%s", member->name, first->kernel->name,
		    threads_words(first->threads, threads));
}

static void cells_of(const struct bench_cell *cell, const struct series *series, struct document *document)
{
	const double share = value_of(METRIC_largest_share, series);
	const double uniformity = value_of(METRIC_uniformity, series);
	const double homogeneity = series_homogeneity(series);

	cell_text(document, "%s", period_kind_name(cell->kind, series->event));
	step_cells(series, document);
	cell_count(document, series_all(series).samples);
	cell_known(document, share);
	cell_known(document, uniformity);
	cell_known(document, homogeneity);
	figure_cell(document, "", share, "%");
	figure_cell(document, "", uniformity, "p");
	figure_cell(document, "", homogeneity, "p");
	verdict_cell(series, document);
}

void present_periods(const struct bench_cells *cells, int is_text, struct document *document)
{
	static const struct sweep_table table = {
		.by = SWEEP_PERIODS, .name = "periods", .title = "Periods", .row_title = "period",
		.columns = columns, .column_count = COUNT_OF(columns),
		.begin = begin, .heading = heading, .cells = cells_of,
		.note = "A turn: events of what is counted in it. Divisor: the greatest that period, events "
			"of a turn and of an outer turn have in common; "
			"positions: how many of a turn's a fixed period visits then. "
			"Largest: share of the instruction that has most, of those that should have "
			"the same. p: how likely chance alone makes shares that are so far from "
			"uniform, and so different between periods.",
	};

	present_sweeps(&table, cells, is_text, document);
}

static void refuse(const struct bench_event *event, uint64_t period, struct document *document)
{
	const char *why = period_refused(event, period);

	if (why)
		table_note(document, "%s is not sampled with period %" PRIu64 ": %s", event->name, period,
			   why);
}

void present_refused(const struct bench_cells *cells, const struct bench_arguments *arguments,
		     struct document *document)
{
	const struct bench_event *event;

	for (size_t n = 0; (event = event_at(n)); n++) {
		for (uint32_t p = 0; cells->events[n].is_yes && p < arguments->period_count; p++) {
			if (arguments->periods[p].kind == PERIOD_GIVEN)
				refuse(event, arguments->periods[p].period, document);
		}
	}
}
