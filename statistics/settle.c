/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a document's rows is left once all is in it: those that have a figure. */
#include <stdlib.h>

#include "build.h"
#include "table.h"

static int has_share(const struct table *table, const struct row *row)
{
	for (size_t n = 0; n < table->column_count; n++) {
		if (row->cells[n].kind == CELL_SHARE)
			return 1;
	}
	return 0;
}

static int tells_shares(const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		if (has_share(table, &table->rows[i]))
			return 1;
	}
	return 0;
}

/* Where shares are told, 0 samples of no sample that could be are none; elsewhere 0 is a count. */
static int has_figure(const struct table *table, const struct row *row, int tells_shares)
{
	for (size_t n = 0; n < table->column_count; n++) {
		const struct cell *cell = &row->cells[n];

		if (cell->kind == CELL_ABSENT || cell->kind == CELL_BAR ||
		    table->columns[n].role & (COLUMN_N | COLUMN_OF))
			continue;
		if (cell->kind != CELL_COUNT || cell->count || !tells_shares)
			return 1;
	}
	return 0;
}

static void clear_denominators(const struct table *table, struct row *row)
{
	for (size_t n = 0; n < table->column_count; n++) {
		if (table->columns[n].role & COLUMN_OF && !has_share(table, row))
			row->cells[n].kind = CELL_ABSENT;
	}
}

static int has_mean(const struct table *table, const struct row *row)
{
	for (size_t n = 0; n < table->column_count; n++) {
		if (row->cells[n].kind == CELL_DECIMAL)
			return 1;
	}
	return 0;
}

/* Does any row tell what the table is about, or at least something that was measured? */
static int tells(const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		if (!row->is_sum && (!row->is_untold || has_mean(table, row)))
			return 1;
	}
	return 0;
}

static void settle(struct table *table)
{
	int shares = tells_shares(table) || table->coverage_count;
	size_t kept = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		struct row *row = &table->rows[i];

		if (!row->is_sum && !has_figure(table, row, shares)) {
			row_free(row, table->column_count);
			continue;
		}
		clear_denominators(table, row);
		table->rows[kept++] = *row;
	}
	table->row_count = kept;
	/* Why is in the coverage */
	while (table->coverage_count && table->row_count && !tells(table))
		row_free(&table->rows[--table->row_count], table->column_count);
}

/* Has it nothing to say, not even why? Below another one it is no table at all. */
static int is_idle(const struct table *table)
{
	return table->is_continued && !table->row_count && !table->coverage_count;
}

static int is_weighted(const struct cell *cell)
{
	return cell->is_weighted && !cell->is_of_sum;
}

static int is_unweighed(const struct cell *cell)
{
	return cell->is_unweighed;
}

static int has_cell(const struct table *table, int (*is_so)(const struct cell *cell))
{
	for (size_t i = 0; i < table->row_count; i++) {
		for (size_t n = 0; n < table->column_count; n++) {
			if (is_so(&table->rows[i].cells[n]))
				return 1;
		}
	}
	return 0;
}

/* Below the first table that has such a cell */
static void tell_of_cells(struct document *document, int (*is_so)(const struct cell *cell),
			  const char *text)
{
	size_t at = 0;
	char *copy;

	while (at < document->count &&
	       (document->tables[at].is_list || !has_cell(&document->tables[at], is_so)))
		at++;
	if (at == document->count)
		return;
	copy = build_text(document, "%s", text);
	if (copy)
		build_note(document, &document->tables[at], copy, 0);
}

void document_settle(struct document *document)
{
	size_t kept = 0;

	for (size_t i = 0; i < document->count && !document->failed; i++) {
		struct table *table = &document->tables[i];

		if (!table->is_list)
			settle(table);
		if (is_idle(table))
			table_free(table);
		else
			document->tables[kept++] = *table;
	}
	if (document->failed)
		return;
	document->count = kept;
	tell_of_cells(document, is_weighted,
		      "samples stand for different numbers of events: shares, means and percentiles "
		      "weigh each by its period, and eff. is how many samples of equal weight would "
		      "tell as much");
	tell_of_cells(document, is_unweighed,
		      "of some samples it is not known how many events they stand for: in figures "
		      "that these are of each sample counts as one");
}
