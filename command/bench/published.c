/* SPDX-License-Identifier: BSD-3-Clause */
/* See published.h. What may be compared is computed from the set-ups (bench/accuracy/published.h). */
#include "published.h"

#include <inttypes.h>
#include <math.h>

#include "bench/accuracy/judge.h"
#include "bench/accuracy/published.h"
#include "figure.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct column columns[] = {
	{ "event", NULL, COLUMN_LEFT },
	{ "kernel", NULL, COLUMN_LEFT },
	{ "period", NULL, 0 },
	{ "threads", NULL, 0 },
	{ "metric", NULL, COLUMN_LEFT },
	{ "measured", NULL, 0 },
	{ "published", NULL, 0 },
	{ "relation", NULL, COLUMN_LEFT },
	{ NULL, "here", 0 },
	{ NULL, "published", 0 },
	{ "unit", "unit", COLUMN_LEFT },
	{ "machine", "machine", COLUMN_LEFT },
	{ "where", "where", COLUMN_LEFT },
	{ "comparable", NULL, COLUMN_LEFT },
	{ "says", "comparable", COLUMN_LEFT },
};

static void value_cells(const struct metric_result *here, const struct published *there, const char *unit,
			struct document *document)
{
	static const char *const relations[] = { [PUBLISHED_IS] = "is", [PUBLISHED_LEAST] = "at least" };

	cell_known(document, here->is_there ? here->value : NAN);
	cell_known(document, there->value);
	if (there->relation == PUBLISHED_NONE)
		cell_absent(document);
	else
		cell_text(document, "%s", relations[there->relation]);
	figure_cell(document, "", here->is_there ? here->value : NAN, unit);
	figure_cell(document, there->relation == PUBLISHED_LEAST ? ">= " : "", there->value, unit);
}

/* Each row has a name of its own, but in text, where it stands below what it is of. */
static void row(const struct bench_cell *cell, const struct series *series, const struct published *there,
		size_t number, int is_text, struct document *document)
{
	const struct metric_result here = metric_of(there->metric, series);
	const struct metric_info *info = metric_info(there->metric);
	char says[PUBLISHED_SAYS];
	const int is_comparable = published_is_comparable(series, there, says);

	if (is_text)
		row_begin(document, "%s", info->name);
	else
		row_begin(document, "%s/%s/%s/%" PRIu64 "/%" PRIu32 "/%s/%zu", cell->event->name,
			  series->event->name, cell->kernel->name, cell->period, cell->threads, info->name,
			  number + 1);
	row_in(document, "rows");
	cell_text(document, "%s", series->event->name);
	cell_text(document, "%s", cell->kernel->name);
	cell_count(document, cell->period);
	cell_count(document, cell->threads);
	cell_text(document, "%s", info->name);
	value_cells(&here, there, info->unit, document);
	cell_text(document, "%s", info->unit);
	cell_text(document, "%s", there->machine);
	cell_text(document, "%s", there->where);
	cell_bool(document, is_comparable);
	if (here.is_there)
		cell_text(document, "%s", says);
	else
		cell_text(document, "%s; here: %s", says, here.says);
}

/* Rows of a series; the first of all begins the table. How many */
static size_t rows_of(const struct bench_cell *cell, const struct series *series,
		      const struct bench_arguments *arguments, int is_first, struct document *document)
{
	const int is_text = arguments->format == PAGE_TEXT;
	char threads[THREADS_WORDS];
	size_t rows = 0;

	for (enum metric metric = 0; series->count && metric < METRIC_COUNT; metric++) {
		const struct published *found[PUBLISHED_MOST];
		const size_t count = is_asked(arguments->metrics, metric) ?
					     published_beside(series, metric, found) : 0;

		if (is_first && !rows && count)
			table_begin(document, "published", "Published", "metric", columns,
				    COUNT_OF(columns));
		for (size_t n = 0; n < count; n++) {
			row(cell, series, found[n], n, is_text, document);
			if (!rows++)
				row_heading(document, "%s with %s, period %" PRIu64 "%s", series->event->name,
					    cell->kernel->name, cell->period,
					    threads_words(cell->threads, threads));
		}
	}
	return rows;
}

void present_published(const struct bench_cells *cells, const struct bench_arguments *arguments,
		       struct document *document)
{
	size_t rows = 0;

	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_event *members[EVENTS_MOST];
		const uint32_t count = (uint32_t)event_members(cells->cells[n].event, members);

		for (uint32_t member = 0; member < count; member++) {
			const struct series series = cell_series(&cells->cells[n], members, member);

			rows += rows_of(&cells->cells[n], &series, arguments, !rows, document);
		}
	}
	if (rows)
		table_note(document,
			   "Of Sasongko et al., Precise Event Sampling on AMD Versus Intel, IEEE TPDS "
			   "34(5), 2023, by the same formulas. Their samplers are others: of IBS a "
			   "driver that takes the whole CPU, of PEBS a patched kernel. --full --runs 5 "
			   "has their set-up.");
}
