/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables for a screen of 100 columns. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <precis/escape.h>

#include "quote.h"
#include "wrap.h"
#include "print.h"

#define LINE 100u
#define CELL_ROOM 256u
#define BAR_LENGTH 40u
#define LIST_INDENT 13u

#define BOLD "\033[1m"
#define FAINT "\033[2m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

struct layout {
	size_t name_width, width[TABLE_COLUMNS_MOST], gap;
};

static void style(struct output *output, const char *code)
{
	if (output->colour)
		output_text(output, code);
}

/* Columns that a text takes: bytes but for those that continue a UTF-8 character */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

/* The same of a text that is yet to be escaped */
static size_t shown_width(const char *text)
{
	char part[CELL_ROOM];
	size_t left = strlen(text), width = 0, used;

	for (; left; text += used, left -= used) {
		part[precis_escape(text, left, 0, part, sizeof(part) - 1, &used)] = '\0';
		width += width_of(part);
	}
	return width;
}

static void pad(struct output *output, size_t count)
{
	for (; count; count--)
		output_bytes(output, " ", 1);
}

/* Cut a text to that many columns, with a sign that it was */
static void cut(char *text, size_t width)
{
	size_t at = 0, columns = 0;

	if (width_of(text) <= width || !width)
		return;
	while (columns < width - 1 || ((unsigned char)text[at] & 0xc0) == 0x80)
		columns += ((unsigned char)text[at++] & 0xc0) != 0x80;
	text[at++] = '~';
	text[at] = '\0';
}

static void format_bar(double share, char text[CELL_ROOM])
{
	size_t length = (size_t)(share * BAR_LENGTH + 0.5);

	memset(text, '#', length);
	text[length] = '\0';
}

static void format_share(const struct cell *cell, char text[CELL_ROOM])
{
	int used = snprintf(text, CELL_ROOM, "%.2f%%", 100 * cell->decimal);

	if (!cell->is_given)
		snprintf(text + used, CELL_ROOM - (size_t)used, " [%.2f,%.2f]", 100 * cell->low,
			 100 * cell->high);
}

/* Escaped: what is left of it can be cut and aligned */
static void format_cell(const struct cell *cell, char text[CELL_ROOM])
{
	size_t used;

	switch (cell->kind) {
	case CELL_ABSENT:
		strcpy(text, "-");
		break;
	case CELL_COUNT:
		snprintf(text, CELL_ROOM, "%" PRIu64, cell->count);
		break;
	case CELL_DECIMAL:
		snprintf(text, CELL_ROOM, "%.1f", cell->decimal);
		break;
	case CELL_SHARE:
		format_share(cell, text);
		break;
	case CELL_ADDRESS:
		snprintf(text, CELL_ROOM, "0x%" PRIx64, cell->count);
		break;
	case CELL_TEXT:
	case CELL_FLAG:
		text[precis_escape(cell->text, strlen(cell->text), 0, text, CELL_ROOM - 1, &used)] =
			'\0';
		break;
	case CELL_OF:
		snprintf(text, CELL_ROOM, "%" PRIu64 " %s", cell->count, cell->text);
		break;
	case CELL_BAR:
		format_bar(cell->decimal, text);
		break;
	}
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t line_of(const struct table *table, const struct layout *layout)
{
	size_t line = 2 + layout->name_width;

	for (size_t n = 0; n < table->column_count; n++) {
		if (table->columns[n].title)
			line += layout->gap + layout->width[n];
	}
	return line;
}

static void widen(struct layout *layout, const struct table *table)
{
	char text[CELL_ROOM];

	layout->name_width = larger(layout->name_width, width_of(table->row_title));
	for (size_t n = 0; n < table->column_count; n++) {
		const char *title = table->columns[n].title;

		if (title)
			layout->width[n] = larger(layout->width[n], width_of(title));
	}
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		layout->name_width = larger(layout->name_width, shown_width(row->name));
		for (size_t n = 0; n < table->column_count; n++) {
			format_cell(&row->cells[n], text);
			layout->width[n] = larger(layout->width[n], width_of(text));
		}
	}
}

/* Does a table continue the one before it in the same columns? */
static int is_aligned(const struct table *table)
{
	return table->is_continued && table->columns == table[-1].columns;
}

/* Of table i, and of those around it that are aligned with it */
static void lay_out(const struct document *document, size_t i, struct layout *layout)
{
	const struct table *table = &document->tables[i];
	const struct table *end = document->tables + document->count;

	memset(layout, 0, sizeof(*layout));
	while (is_aligned(table))
		table--;
	do {
		widen(layout, table++);
	} while (table < end && is_aligned(table));
	layout->gap = 2;
	if (line_of(&document->tables[i], layout) > LINE)
		layout->gap = 1;
}

static void print_aligned(struct output *output, const char *text, size_t width, int is_left,
			  int is_last)
{
	size_t fill = width > width_of(text) ? width - width_of(text) : 0;

	if (!is_left)
		pad(output, fill);
	output_text(output, text);
	if (is_left && !is_last)
		pad(output, fill);
}

static int goes_left(const struct column *column)
{
	return (column->role & COLUMN_LEFT) != 0;
}

static int is_last(const struct table *table, size_t column)
{
	for (size_t n = column + 1; n < table->column_count; n++) {
		if (table->columns[n].title)
			return 0;
	}
	return 1;
}

static void print_titles(struct output *output, const struct table *table,
			 const struct layout *layout)
{
	style(output, FAINT);
	pad(output, 2);
	print_aligned(output, table->row_title, layout->name_width, 1, 0);
	for (size_t n = 0; n < table->column_count; n++) {
		const struct column *column = &table->columns[n];

		if (!column->title || (!*column->title && is_last(table, n)))
			continue;
		pad(output, layout->gap);
		print_aligned(output, column->title, layout->width[n], goes_left(column),
			      is_last(table, n));
	}
	style(output, PLAIN);
	output_text(output, "\n");
}

static void print_row(struct output *output, const struct table *table, const struct row *row,
		      const struct layout *layout)
{
	size_t at = 2 + layout->name_width;
	char text[CELL_ROOM];

	pad(output, 2);
	output_plain(output, row->name);
	pad(output, layout->name_width - shown_width(row->name));
	for (size_t n = 0; n < table->column_count; n++) {
		const struct column *column = &table->columns[n];

		if (!column->title)
			continue;
		format_cell(&row->cells[n], text);
		if (goes_left(column) && row->cells[n].kind == CELL_ABSENT)
			text[0] = '\0';
		at += layout->gap;
		if (goes_left(column) && at < LINE)
			cut(text, LINE - at);
		pad(output, layout->gap);
		print_aligned(output, text, layout->width[n], goes_left(column), is_last(table, n));
		at += layout->width[n];
	}
	output_text(output, "\n");
}

static void print_table(struct output *output, const struct document *document, size_t number)
{
	const struct table *table = &document->tables[number];
	struct layout layout;

	lay_out(document, number, &layout);
	if (table->row_count)
		print_titles(output, table, &layout);
	for (size_t i = 0; i < table->row_count; i++)
		print_row(output, table, &table->rows[i], &layout);
}

static void print_wrapped(struct output *output, const char *text, size_t at, size_t column)
{
	struct wrap wrap = wrap_begin_hanging(output, at, column);

	wrap_text(&wrap, text);
	output_text(output, "\n");
}

/* Names and values; counts share lines */
static void print_list(struct output *output, const struct table *table)
{
	char text[CELL_ROOM], item[CELL_ROOM + 64];
	size_t at = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		format_cell(&row->cells[0], text);
		if (row->cells[0].kind != CELL_COUNT) {
			snprintf(item, sizeof(item), "  %-10s ", row->name);
			output_text(output, at ? "\n" : "");
			output_plain(output, item);
			print_wrapped(output,
				      row->cells[0].text ? row->cells[0].text : text,
				      LIST_INDENT, LIST_INDENT);
			at = 0;
			continue;
		}
		snprintf(item, sizeof(item), "  %s %s", row->name, text);
		if (at && at + width_of(item) > LINE) {
			output_text(output, "\n");
			at = 0;
		}
		output_plain(output, item);
		at += width_of(item);
	}
	output_text(output, at ? "\n" : "");
}

static void print_coverage(struct output *output, const struct coverage *coverage)
{
	char text[4096];
	size_t used;

	if (coverage->present == coverage->of)
		return;
	used = (size_t)snprintf(text, sizeof(text), "%s: in %" PRIu64 " of %" PRIu64 "; absent:",
				coverage->field, coverage->present, coverage->of);
	for (size_t i = 0; i < coverage->absence_count && used < sizeof(text); i++) {
		const struct absence *absence = &coverage->absences[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %" PRIu64 " %s (%s)",
					 i ? "," : "", absence->samples, absence->reason,
					 absence->detail);
	}
	style(output, FAINT);
	pad(output, 2);
	print_wrapped(output, text, 2, 4);
	style(output, PLAIN);
}

static void print_title(struct output *output, const struct table *table)
{
	style(output, BOLD);
	output_text(output, table->title);
	style(output, PLAIN);
	output_text(output, "\n");
}

/* A table that continues others need not say again what stands below one of them. */
static int is_told(const struct table *table, const char *text)
{
	while (table->is_continued) {
		table--;
		for (size_t n = 0; n < table->note_count; n++) {
			if (strcmp(table->notes[n].text, text) == 0)
				return 1;
		}
	}
	return 0;
}

static void print_note(struct output *output, const struct table *table, const struct note *note)
{
	if (is_told(table, note->text))
		return;
	style(output, table->is_list || note->is_warning ? YELLOW : FAINT);
	pad(output, 2);
	print_wrapped(output, note->text, 2, 4);
	style(output, PLAIN);
}

void report_print_text(struct output *output, const struct document *document)
{
	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = &document->tables[i];

		if (!table->is_continued) {
			output_text(output, i ? "\n" : "");
			print_title(output, table);
		}
		if (table->is_list)
			print_list(output, table);
		else
			print_table(output, document, i);
		for (size_t n = 0; n < table->note_count; n++)
			print_note(output, table, &table->notes[n]);
		for (size_t n = 0; n < table->coverage_count; n++)
			print_coverage(output, &table->coverages[n]);
	}
}
