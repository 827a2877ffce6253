/* SPDX-License-Identifier: BSD-3-Clause */
/* See sweep_table.h. */
#include "sweep_table.h"

#include <inttypes.h>

static void row(const struct sweep_table *table, const struct bench_cell *cell, const struct series *series,
		int is_text, struct document *document)
{
	if (is_text)
		table->begin(cell, document);
	else
		row_begin(document, "%s/%s/%s/%" PRIu64 "/%" PRIu32, cell->event->name, series->event->name,
			  cell->kernel->name, cell->period, cell->threads);
	row_in(document, "rows");
	cell_text(document, "%s", series->event->name);
	cell_text(document, "%s", cell->kernel->name);
	cell_count(document, cell->period);
	cell_count(document, cell->threads);
	table->cells(cell, series, document);
}

/* The rows of one member of all cells of the sweep whose first one is cell 'first' */
static void rows_of(const struct sweep_table *table, const struct bench_cells *cells, size_t first,
		    const struct bench_event *const *members, uint32_t member, int is_text,
		    struct document *document)
{
	const struct bench_cell *cell = &cells->cells[first];
	struct series sweep[SWEEP_MOST];
	const uint32_t count = cell_sweep(cells, cell, table->by, members, member, sweep);
	int any = 0;

	for (size_t n = first; n < cells->count; n++) {
		struct series series = cell_series(&cells->cells[n], members, member);

		if (!cell_is_beside(cell, &cells->cells[n], table->by))
			continue;
		/* figures that are of several series are of several periods */
		if (table->by == SWEEP_PERIODS) {
			series.sweep = sweep;
			series.sweep_count = count;
		}
		row(table, &cells->cells[n], &series, is_text, document);
		if (!any++)
			table->heading(cell, members[member], document);
	}
}

static int is_of(const struct sweep_table *table, const struct bench_cells *cells,
		 const struct bench_cell *cell, const struct bench_event *const *members)
{
	struct series sweep[SWEEP_MOST];

	if (!cell_is_first(cells, cell, table->by))
		return 0;
	return table->is_of ? table->is_of(cell) : cell_sweep(cells, cell, table->by, members, 0, sweep) >= 2;
}

void present_sweeps(const struct sweep_table *table, const struct bench_cells *cells, int is_text,
		    struct document *document)
{
	int any = 0;

	for (size_t n = 0; n < cells->count; n++) {
		const struct bench_event *members[EVENTS_MOST];
		const uint32_t count = (uint32_t)event_members(cells->cells[n].event, members);

		if (!is_of(table, cells, &cells->cells[n], members))
			continue;
		if (!any++)
			table_begin(document, table->name, table->title, table->row_title, table->columns,
				    table->column_count);
		for (uint32_t member = 0; member < count; member++)
			rows_of(table, cells, n, members, member, is_text, document);
	}
	if (any)
		table_note(document, "%s", table->note);
}
