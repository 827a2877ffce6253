/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table as text. Its columns are as wide as what is in them. A table that is wider than the
 * output is folded: below the columns that fit stand the others, beside the rows' names again. A
 * long text that begins in time is broken between its words and goes on in its own column.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "quote.h"
#include "text_table.h"
#include "wrap.h"

#define INDENT 2u
#define BAR_LENGTH 40u
#define BAR_LEAST 10u
#define UNBROKEN SIZE_MAX /* a line that is as long as it needs to be */
#define TEXT_LEAST 20u /* a text is broken rather than folded if that many columns are left */

struct layout {
	size_t line; /* columns of the output */
	size_t name_width, width[TABLE_COLUMNS_MOST], gap;
	size_t bar; /* length of a full bar */
	int is_utf8;
};

void text_style(struct output *output, const char *code)
{
	if (output->colour)
		output_text(output, code);
}

void text_pad(struct output *output, size_t count)
{
	for (; count; count--)
		output_bytes(output, " ", 1);
}

static void format_share(const struct cell *cell, char text[TEXT_CELL])
{
	int used = snprintf(text, TEXT_CELL, "%.2f%%", 100 * cell->decimal);

	if (share_has_interval(cell))
		snprintf(text + used, TEXT_CELL - (size_t)used, " [%.2f,%.2f]", 100 * cell->low,
			 100 * cell->high);
	else if (cell->is_few && !cell->is_given)
		snprintf(text + used, TEXT_CELL - (size_t)used, " [too few]");
	else if (cell->is_in_step && !cell->is_given)
		snprintf(text + used, TEXT_CELL - (size_t)used, " [in step]");
}

static void format_end(double end, char text[TEXT_CELL])
{
	if (isnan(end))
		strcpy(text, "-");
	else
		snprintf(text, TEXT_CELL, "%.0f", end);
}

static void format_count(const struct cell *cell, char text[TEXT_CELL])
{
	char low[TEXT_CELL], high[TEXT_CELL];
	int used = snprintf(text, TEXT_CELL, "%" PRIu64, cell->count);

	if (!cell->is_between || (size_t)used >= TEXT_CELL)
		return;
	format_end(cell->low, low);
	format_end(cell->high, high);
	snprintf(text + used, TEXT_CELL - (size_t)used, " [%.16s,%.16s]", low, high);
}

/* With an interval as many digits as it may have */
static void format_decimal(const struct cell *cell, char text[TEXT_CELL])
{
	if (!cell->is_between)
		snprintf(text, TEXT_CELL, "%.1f", cell->decimal);
	else if (isnan(cell->low) || isnan(cell->high))
		snprintf(text, TEXT_CELL, "%.3g", cell->decimal);
	else
		snprintf(text, TEXT_CELL, "%.3g [%.3g,%.3g]", cell->decimal, cell->low, cell->high);
}

static void format_of(const struct cell *cell, char text[TEXT_CELL])
{
	int used = snprintf(text, TEXT_CELL, "%" PRIu64 " %s", cell->count, cell->text);

	if (cell->is_weighted && (size_t)used < TEXT_CELL)
		snprintf(text + used, TEXT_CELL - (size_t)used, ", eff. %.0f", cell->effective);
}

/* Each as high as it is of the highest; what is not 0 is never the space. What has no room is left out. */
static void format_trend(const struct cell *cell, int is_utf8, char text[TEXT_CELL])
{
	static const char blocks[] = "\xe2\x96\x81"; /* U+2581, the lowest of eight */
	static const char heights[] = ".:-=+*#@";
	const size_t each = is_utf8 ? sizeof(blocks) - 1 : 1, levels = sizeof(heights) - 1;
	uint64_t most = 0;
	char *at = text;

	for (size_t n = 0; n < cell->member_count; n++)
		most = cell->members[n].value.count > most ? cell->members[n].value.count : most;
	for (size_t n = 0; n < cell->member_count && at + each < text + TEXT_CELL; n++) {
		const double part = (double)cell->members[n].value.count / (double)(most ? most : 1);
		size_t level = (size_t)ceil(part * (double)levels);

		if (!level) {
			*at++ = ' ';
		} else if (is_utf8) {
			memcpy(at, blocks, each);
			at[each - 1] = (char)(at[each - 1] + (char)(level - 1));
			at += each;
		} else {
			*at++ = heights[level - 1];
		}
	}
	*at = '\0';
}

void text_format_cell(const struct cell *cell, int is_utf8, char text[TEXT_CELL])
{
	switch (cell->kind) {
	case CELL_ABSENT:
		strcpy(text, "-");
		break;
	case CELL_COUNT:
		format_count(cell, text);
		break;
	case CELL_DECIMAL:
		format_decimal(cell, text);
		break;
	case CELL_SHARE:
		format_share(cell, text);
		break;
	case CELL_ADDRESS:
		snprintf(text, TEXT_CELL, "0x%" PRIx64, cell->count);
		break;
	case CELL_OF:
		format_of(cell, text);
		break;
	case CELL_TEXT:
	case CELL_FLAG:
	case CELL_BAR:
	case CELL_MEMBERS:
	case CELL_ENTRIES:
		text[0] = '\0';
		if (cell->is_trend)
			format_trend(cell, is_utf8, text);
		break;
	}
}

static int is_text(const struct cell *cell)
{
	return cell->kind == CELL_TEXT || cell->kind == CELL_FLAG;
}

static size_t bar_length(const struct cell *cell, const struct layout *layout)
{
	return (size_t)(cell->decimal * (double)layout->bar + 0.5);
}

static size_t cell_width(const struct cell *cell, const struct layout *layout)
{
	char text[TEXT_CELL];

	if (is_text(cell))
		return plain_width(cell->text);
	if (cell->kind == CELL_BAR)
		return bar_length(cell, layout);
	text_format_cell(cell, layout->is_utf8, text);
	return plain_width(text);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t line_of(const struct table *table, const struct layout *layout)
{
	size_t line = INDENT + layout->name_width;

	for (size_t n = 0; n < table->column_count; n++) {
		if (table->columns[n].title)
			line += layout->gap + layout->width[n];
	}
	return line;
}

static void widen(struct layout *layout, const struct table *table)
{
	layout->name_width = larger(layout->name_width, plain_width(table->row_title));
	for (size_t n = 0; n < table->column_count; n++) {
		const char *title = table->columns[n].title;

		if (title)
			layout->width[n] = larger(layout->width[n], plain_width(title));
	}
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		layout->name_width = larger(layout->name_width, plain_width(row->name));
		for (size_t n = 0; n < table->column_count; n++)
			layout->width[n] =
				larger(layout->width[n], cell_width(&row->cells[n], layout));
	}
}

/* Does a table continue the one before it in the same columns? */
static int is_aligned(const struct table *table)
{
	return table->is_continued && table->columns == table[-1].columns;
}

/* Of a table, and of those around it that are aligned with it */
static void measure(const struct document *document, const struct table *table,
		    struct layout *layout)
{
	const struct table *end = document->tables + document->count;

	layout->name_width = 0;
	memset(layout->width, 0, sizeof(layout->width));
	while (is_aligned(table))
		table--;
	do {
		widen(layout, table++);
	} while (table < end && is_aligned(table));
}

/* Where there is no room: narrow gaps, then shorter bars, then long names on lines of their own */
static void lay_out(const struct document *document, const struct table *table,
		    const struct output *output, struct layout *layout)
{
	const size_t line = table->is_listing ? UNBROKEN : output->width;
	size_t over;

	layout->line = line;
	layout->is_utf8 = output->is_utf8;
	layout->gap = 2;
	layout->bar = BAR_LENGTH;
	measure(document, table, layout);
	if (line_of(table, layout) > line)
		layout->gap = 1;
	if (line_of(table, layout) > line) {
		over = line_of(table, layout) - line;
		layout->bar = over < BAR_LENGTH - BAR_LEAST ? BAR_LENGTH - over : BAR_LEAST;
		measure(document, table, layout);
	}
	if (line_of(table, layout) > line && layout->name_width > line / 2)
		layout->name_width = line / 2;
}

static int goes_left(const struct column *column)
{
	return (column->role & COLUMN_LEFT) != 0;
}

/* @return the column behind the last one that stands beside 'first' */
static size_t fold(const struct table *table, const struct layout *layout, size_t first)
{
	size_t at = INDENT + layout->name_width, n;
	int any = 0;

	for (n = first; n < table->column_count; n++) {
		size_t need = layout->gap + layout->width[n];

		if (!table->columns[n].title)
			continue;
		if (any && at + need > layout->line &&
		    !(goes_left(&table->columns[n]) &&
		      at + layout->gap + TEXT_LEAST <= layout->line))
			break;
		at += need;
		any = 1;
	}
	return n;
}

static int is_last(const struct table *table, size_t column, size_t end)
{
	for (size_t n = column + 1; n < end; n++) {
		if (table->columns[n].title)
			return 0;
	}
	return 1;
}

static void print_aligned(struct output *output, const char *text, size_t width, int is_left,
			  int is_last)
{
	size_t fill = width > plain_width(text) ? width - plain_width(text) : 0;

	if (!is_left)
		text_pad(output, fill);
	output_text(output, text);
	if (is_left && !is_last)
		text_pad(output, fill);
}

/* One that is too long has lines of its own. */
static void print_name(struct output *output, const char *name, const struct layout *layout)
{
	size_t width = plain_width(name);
	struct wrap wrap;

	text_pad(output, INDENT);
	if (width <= layout->name_width) {
		output_plain(output, name);
		text_pad(output, layout->name_width - width);
		return;
	}
	wrap = wrap_begin_hanging(output, INDENT, 2 * INDENT);
	wrap_text(&wrap, name);
	output_text(output, "\n");
	text_pad(output, INDENT + layout->name_width);
}

static void print_titles(struct output *output, const struct table *table,
			 const struct layout *layout, size_t first, size_t end)
{
	text_style(output, TEXT_FAINT);
	print_name(output, table->row_title, layout);
	for (size_t n = first; n < end; n++) {
		const struct column *column = &table->columns[n];

		if (!column->title || (!*column->title && is_last(table, n, end)))
			continue;
		text_pad(output, layout->gap);
		print_aligned(output, column->title, layout->width[n], goes_left(column),
			      is_last(table, n, end));
	}
	text_style(output, TEXT_PLAIN);
	output_text(output, "\n");
}

/* It goes on in its own column: under its first word. */
static void print_text(struct output *output, const struct cell *cell, size_t at, size_t fill)
{
	struct wrap wrap = wrap_begin(output, at);

	wrap_text(&wrap, cell->text);
	text_pad(output, fill);
}

static void print_bar(struct output *output, size_t length, size_t fill)
{
	for (; length; length--)
		output_bytes(output, "#", 1);
	text_pad(output, fill);
}

static void print_left(struct output *output, const struct cell *cell, const struct layout *layout,
		       size_t n, size_t at, int is_last)
{
	size_t width = cell_width(cell, layout), fill = is_last ? 0 : layout->width[n] - width;
	char text[TEXT_CELL];

	if (is_text(cell) && layout->line == UNBROKEN) {
		output_plain(output, cell->text);
		text_pad(output, fill);
	} else if (is_text(cell)) {
		print_text(output, cell, at, fill);
	} else if (cell->kind == CELL_BAR) {
		print_bar(output, bar_length(cell, layout), fill);
	} else {
		text_format_cell(cell, layout->is_utf8, text);
		if (cell->kind == CELL_ABSENT)
			text[0] = '\0';
		print_aligned(output, text, layout->width[n], 1, is_last);
	}
}

static void print_right(struct output *output, const struct cell *cell, const struct layout *layout,
			size_t n, int is_empty)
{
	char text[TEXT_CELL];

	if (is_empty) {
		text_pad(output, layout->width[n]);
		return;
	}
	text_pad(output, layout->width[n] - cell_width(cell, layout));
	if (is_text(cell)) {
		output_plain(output, cell->text);
		return;
	}
	text_format_cell(cell, layout->is_utf8, text);
	output_text(output, text);
}

static void print_heading(struct output *output, const char *heading)
{
	if (!heading)
		return;
	text_style(output, TEXT_BLUE);
	text_pad(output, INDENT);
	output_plain(output, heading);
	text_style(output, TEXT_PLAIN);
	output_text(output, "\n");
}

/* Behind the last text that is there nothing is aligned any more. */
static size_t end_of_row(const struct table *table, const struct row *row, size_t end)
{
	while (table->is_listing && end && (!table->columns[end - 1].title ||
	       (goes_left(&table->columns[end - 1]) && row->cells[end - 1].kind == CELL_ABSENT)))
		end--;
	return end;
}

static void print_row(struct output *output, const struct table *table, const struct row *row,
		      const struct layout *layout, size_t first, size_t end)
{
	static const char *const heats[] = { TEXT_GREEN, TEXT_RED };
	const int is_warm = row->heat > 0;
	size_t at = INDENT + layout->name_width;

	print_heading(output, row->heading);
	end = end_of_row(table, row, end);
	if (is_warm)
		text_style(output, heats[row->heat > 1]);
	print_name(output, row->name, layout);
	for (size_t n = first; n < end; n++) {
		if (!table->columns[n].title)
			continue;
		text_pad(output, layout->gap);
		at += layout->gap;
		if (goes_left(&table->columns[n]))
			print_left(output, &row->cells[n], layout, n, at, is_last(table, n, end));
		else
			print_right(output, &row->cells[n], layout, n, row->heat < 0);
		at += layout->width[n];
	}
	if (is_warm)
		text_style(output, TEXT_PLAIN);
	output_text(output, "\n");
}

/* The next cell in which nothing is, for a reason, from *at on; NULL past the last */
static const struct cell *next_reason(const struct table *table, size_t *at)
{
	for (; *at < table->row_count * table->column_count; ++*at) {
		size_t n = *at % table->column_count;
		const struct cell *cell = &table->rows[*at / table->column_count].cells[n];

		if (table->columns[n].title && cell->kind == CELL_ABSENT && cell->reason)
			return cell;
	}
	return NULL;
}

static int is_told_before(const struct table *table, size_t at, const char *reason)
{
	const struct cell *cell;

	for (size_t before = 0; (cell = next_reason(table, &before)) && before < at; before++) {
		if (strcmp(cell->reason, reason) == 0)
			return 1;
	}
	return 0;
}

/* Why there is a "-", each reason once, below the table */
static void print_reasons(struct output *output, const struct table *table)
{
	const struct cell *cell;

	for (size_t at = 0; (cell = next_reason(table, &at)); at++) {
		struct wrap wrap = wrap_begin_hanging(output, INDENT, 2 * INDENT);

		if (is_told_before(table, at, cell->reason))
			continue;
		text_style(output, TEXT_FAINT);
		text_pad(output, INDENT);
		wrap_text(&wrap, "-:");
		wrap_text(&wrap, cell->reason);
		output_text(output, "\n");
		text_style(output, TEXT_PLAIN);
	}
}

void text_print_table(struct output *output, const struct document *document, size_t number)
{
	const struct table *table = &document->tables[number];
	struct layout layout;
	size_t first = 0, end;

	if (!table->row_count)
		return;
	lay_out(document, table, output, &layout);
	do {
		end = fold(table, &layout, first);
		print_titles(output, table, &layout, first, end);
		for (size_t i = 0; i < table->row_count; i++)
			print_row(output, table, &table->rows[i], &layout, first, end);
		first = end;
	} while (first < table->column_count);
	print_reasons(output, table);
}
