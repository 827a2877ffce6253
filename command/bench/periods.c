/* SPDX-License-Identifier: BSD-3-Clause */
/* See periods.h. */
#include "periods.h"

#include <inttypes.h>
#include <math.h>

#include "bench/accuracy/series.h"
#include "figure.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct column columns[] = {
	{ "event", NULL, COLUMN_LEFT },
	{ "kernel", NULL, COLUMN_LEFT },
	{ "period", NULL, 0 },
	{ "threads", NULL, 0 },
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

static void row(const struct bench_cell *cell, const struct series *series, int is_text,
		struct document *document)
{
	const double share = value_of(METRIC_largest_share, series);
	const double uniformity = value_of(METRIC_uniformity, series);
	const double homogeneity = series_homogeneity(series);

	if (is_text)
		row_begin(document, "%" PRIu64, series->period);
	else
		row_begin(document, "%s/%s/%s/%" PRIu64 "/%" PRIu32, cell->event->name, series->event->name,
			  cell->kernel->name, cell->period, cell->threads);
	row_in(document, "rows");
	cell_text(document, "%s", series->event->name);
	cell_text(document, "%s", cell->kernel->name);
	cell_count(document, series->period);
	cell_count(document, cell->threads);
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

/* The rows of one member of all cells that have the event and the kernel of cell 'first' */
static void rows_of(const struct bench_cells *cells, size_t first, const struct bench_event *const *members,
		    uint32_t member, int is_text, struct document *document)
{
	const struct bench_cell *cell = &cells->cells[first];
	struct series sweep[SWEEP_MOST];
	char threads[THREADS_WORDS];
	const uint32_t count = cell_sweep(cells, cell, SWEEP_PERIODS, members, member, sweep);

	for (size_t n = first, any = 0; n < cells->count; n++) {
		struct series series = cell_series(&cells->cells[n], members, member);

		if (!cell_is_beside(cell, &cells->cells[n], SWEEP_PERIODS))
			continue;
		series.sweep = sweep;
		series.sweep_count = count;
		row(&cells->cells[n], &series, is_text, document);
		if (!any++)
			row_heading(document, "%s with %s%s", members[member]->name, cell->kernel->name,
				    threads_words(cell->threads, threads));
	}
}

void present_periods(const struct bench_cells *cells, int is_text, struct document *document)
{
	int any = 0;

	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_event *members[EVENTS_MOST];
		const uint32_t count = (uint32_t)event_members(cells->cells[n].event, members);
		struct series sweep[SWEEP_MOST];

		if (!cell_is_first(cells, &cells->cells[n], SWEEP_PERIODS) ||
		    cell_sweep(cells, &cells->cells[n], SWEEP_PERIODS, members, 0, sweep) < 2)
			continue;
		if (!any++)
			table_begin(document, "periods", "Periods", "period", columns, COUNT_OF(columns));
		for (uint32_t member = 0; member < count; member++)
			rows_of(cells, n, members, member, is_text, document);
	}
	if (any)
		table_note(
			document,
			"A turn: events of what is counted in it. Divisor: the greatest that period, events "
			"of a turn and of an outer turn have in common; "
			"positions: how many of a turn's a fixed period visits then. "
			"Largest: share of the instruction that has most, of those that should have "
			"the same. p: how likely chance alone makes shares that are so far from "
			"uniform, and so different between periods.");
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
