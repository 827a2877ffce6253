/* SPDX-License-Identifier: BSD-3-Clause */
/* Building the document of a report. */
#define _GNU_SOURCE /* vasprintf() */
#include "table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/interval.h"

static void free_cell(struct cell *cell)
{
	for (size_t i = 0; i < cell->member_count; i++)
		free(cell->members[i].value.text);
	free(cell->members);
	free(cell->text);
}

void row_free(struct row *row, size_t columns)
{
	for (size_t n = 0; row->cells && n < columns; n++)
		free_cell(&row->cells[n]);
	free(row->cells);
	free(row->name);
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		row_free(&table->rows[i], table->column_count);
	for (size_t i = 0; i < table->coverage_count; i++)
		free(table->coverages[i].absences);
	for (size_t i = 0; i < table->note_count; i++)
		free(table->notes[i].text);
	free(table->rows);
	free(table->coverages);
	free(table->notes);
	free(table->own_name);
	free(table->own_title);
}

void document_free(struct document *document)
{
	for (size_t i = 0; i < document->count; i++)
		table_free(&document->tables[i]);
	free(document->tables);
	memset(document, 0, sizeof(*document));
}

/*
 * One more zeroed element at the end of *array, a pointer to elements of any
 * type. The arrays are as long as what is printed: realloc() for each is cheap enough.
 */
static void *append(struct document *document, void *array, size_t *count, size_t size)
{
	char *old, *more;

	memcpy(&old, array, sizeof(old));
	more = realloc(old, (*count + 1) * size);
	if (!more) {
		document->failed = 1;
		return NULL;
	}
	memcpy(array, &more, sizeof(more));
	return memset(more + size * (*count)++, 0, size);
}

static char *format_text(struct document *document, const char *format, va_list arguments)
{
	char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0) {
		document->failed = 1;
		return NULL;
	}
	return text;
}

static struct table *last_table(struct document *document)
{
	return document->failed || !document->count ? NULL : &document->tables[document->count - 1];
}

void table_begin(struct document *document, const char *name, const char *title,
		 const char *row_title, const struct column *columns, size_t column_count)
{
	struct table *table = append(document, &document->tables, &document->count, sizeof(*table));

	if (!table)
		return;
	table->name = name;
	table->title = title;
	table->row_title = row_title;
	table->columns = columns;
	table->column_count = column_count;
	table->event = TABLE_OF_ALL;
}

void table_continue(struct document *document, const char *name, const char *row_title,
		    const struct column *columns, size_t column_count)
{
	struct table *table;

	table_begin(document, name, "", row_title, columns, column_count);
	table = last_table(document);
	if (table)
		table->is_continued = 1;
}

void table_drop_empty(struct document *document)
{
	struct table *table = last_table(document);

	if (!table || table->row_count)
		return;
	table_free(table);
	document->count--;
}

static char *new_text(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static char *new_text(struct document *document, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = format_text(document, format, arguments);
	va_end(arguments);
	return text;
}

void table_of_event(struct document *document, uint32_t number)
{
	struct table *table = last_table(document);

	if (!table)
		return;
	table->event = number;
	table->own_name = new_text(document, "%s_%" PRIu32, table->name, number);
	table->own_title = new_text(document, "%s (event %" PRIu32 ")", table->title, number);
	if (!document->failed) {
		table->name = table->own_name;
		table->title = table->own_title;
	}
}

void list_begin(struct document *document, const char *name, const char *title)
{
	static const struct column value = { "value", "", COLUMN_LEFT };
	struct table *table;

	table_begin(document, name, title, "", &value, 1);
	table = last_table(document);
	if (table)
		table->is_list = 1;
}

void row_begin(struct document *document, const char *format, ...)
{
	struct table *table = last_table(document);
	va_list arguments;
	struct row *row;

	row = table ? append(document, &table->rows, &table->row_count, sizeof(*row)) : NULL;
	if (!row)
		return;
	va_start(arguments, format);
	row->name = format_text(document, format, arguments);
	va_end(arguments);
	row->cells = calloc(table->column_count, sizeof(*row->cells));
	if (!row->cells)
		document->failed = 1;
}

static struct row *last_row(struct document *document)
{
	struct table *table = last_table(document);

	return table && table->row_count ? &table->rows[table->row_count - 1] : NULL;
}

void table_about(struct document *document, uint32_t topics, uint32_t event)
{
	struct table *table = last_table(document);

	if (!table)
		return;
	table->topics = topics;
	table->event = event;
}

void row_in(struct document *document, const char *group)
{
	struct row *row = last_row(document);

	if (row)
		row->group = group;
}

void row_is_sum(struct document *document)
{
	struct row *row = last_row(document);

	if (row)
		row->is_sum = 1;
}

void row_is_untold(struct document *document)
{
	struct row *row = last_row(document);

	if (row)
		row->is_untold = 1;
}

/* @return the row's next cell; one that nobody reads if there is none */
static struct cell *next_cell(struct document *document, enum cell_kind kind)
{
	static struct cell nowhere;
	struct table *table = last_table(document);
	struct row *row = last_row(document);
	struct cell *cell = &nowhere;

	if (row && row->set < table->column_count)
		cell = &row->cells[row->set++];
	cell->kind = kind;
	return cell;
}

void cell_absent(struct document *document)
{
	next_cell(document, CELL_ABSENT);
}

void cell_count(struct document *document, uint64_t count)
{
	next_cell(document, CELL_COUNT)->count = count;
}

void cell_decimal(struct document *document, double decimal, uint64_t n)
{
	struct cell *cell = next_cell(document, n ? CELL_DECIMAL : CELL_ABSENT);

	cell->decimal = decimal;
	cell->n = n;
}

void cell_share_if(struct document *document, uint64_t k, uint64_t n, int is_given)
{
	struct cell *cell = next_cell(document, n ? CELL_SHARE : CELL_ABSENT);
	struct interval interval = interval_of_share(k, n);

	cell->is_given = is_given && k == n;
	cell->count = k;
	cell->n = n;
	cell->decimal = n ? (double)k / (double)n : 0;
	cell->low = interval.low;
	cell->high = interval.high;
}

void cell_share(struct document *document, uint64_t k, uint64_t n)
{
	const struct row *row = last_row(document);

	cell_share_if(document, k, n, row && row->is_untold);
}

void cell_share_by(struct document *document, enum precis_field field, uint64_t k, uint64_t n)
{
	const struct row *row = last_row(document);

	cell_share_if(document, k, n,
		      precis_fields_have(document->given, field) || (row && row->is_untold));
}

void cell_address(struct document *document, uint64_t address)
{
	next_cell(document, CELL_ADDRESS)->count = address;
}

void cell_bar(struct document *document, double share)
{
	next_cell(document, CELL_BAR)->decimal = share;
}

void cell_text(struct document *document, const char *format, ...)
{
	va_list arguments;
	char *text;

	if (document->failed)
		return;
	va_start(arguments, format);
	text = format_text(document, format, arguments);
	va_end(arguments);
	if (text)
		next_cell(document, CELL_TEXT)->text = text;
}

/* That text, which is the cell's from now on; without memory none */
static void take_text(struct document *document, enum cell_kind kind, uint64_t count,
		      const char *text)
{
	char *copy = document->failed ? NULL : new_text(document, "%s", text);
	struct cell *cell;

	if (!copy)
		return;
	cell = next_cell(document, kind);
	cell->text = copy;
	cell->count = count;
}

void cell_of(struct document *document, uint64_t n, const char *what)
{
	take_text(document, CELL_OF, n, what);
}

void cell_flag(struct document *document, const char *text)
{
	take_text(document, CELL_FLAG, 1, text);
}

static struct cell *new_member(struct document *document, const char *name, enum cell_kind kind)
{
	struct row *row = document->failed ? NULL : last_row(document);
	struct member *member;
	struct cell *cell;

	if (!row || !row->set)
		return NULL;
	cell = &row->cells[row->set - 1];
	member = append(document, &cell->members, &cell->member_count, sizeof(*member));
	if (!member)
		return NULL;
	member->name = name;
	member->value.kind = kind;
	return &member->value;
}

void member_count(struct document *document, const char *name, uint64_t count)
{
	struct cell *value = new_member(document, name, CELL_COUNT);

	if (value)
		value->count = count;
}

void member_text(struct document *document, const char *name, const char *text)
{
	struct cell *value = new_member(document, name, text ? CELL_TEXT : CELL_ABSENT);

	if (!value || !text)
		return;
	value->text = new_text(document, "%s", text);
	if (!value->text)
		value->kind = CELL_ABSENT;
}

static void add_note(struct document *document, struct table *table, char *text, int is_warning)
{
	struct note *note = append(document, &table->notes, &table->note_count, sizeof(*note));

	if (note)
		*note = (struct note){ .text = text, .is_warning = is_warning };
	else
		free(text);
}

void table_note(struct document *document, const char *format, ...)
{
	struct table *table = last_table(document);
	va_list arguments;
	char *text;

	if (!table)
		return;
	va_start(arguments, format);
	text = format_text(document, format, arguments);
	va_end(arguments);
	if (text)
		add_note(document, table, text, 0);
}

static void warn(struct document *document, struct table *table, const char *name,
		 const char *text)
{
	char *line = *name ? new_text(document, "%s: %s", name, text)
			   : new_text(document, "%s", text);

	if (line)
		add_note(document, table, line, 1);
}

void document_warn(struct document *document, uint32_t topics, uint32_t event, const char *name,
		   const char *text)
{
	int is_told = 0;

	for (size_t i = 0; i < document->count; i++) {
		struct table *table = &document->tables[i];

		if (!(table->topics & topics) ||
		    (table->event != TABLE_OF_ALL && table->event != event))
			continue;
		warn(document, table, table->event == TABLE_OF_ALL ? name : "", text);
		is_told = 1;
	}
	if (!is_told && document->count)
		warn(document, &document->tables[0], name, text);
}

void table_coverage(struct document *document, const char *field, uint64_t present, uint64_t of)
{
	struct table *table = last_table(document);
	struct coverage *coverage;

	coverage = table ? append(document, &table->coverages, &table->coverage_count,
				  sizeof(*coverage)) :
			   NULL;
	if (!coverage)
		return;
	coverage->field = field;
	coverage->present = present;
	coverage->of = of;
}

void coverage_absence(struct document *document, const char *reason, const char *detail,
		      uint64_t samples)
{
	struct table *table = last_table(document);
	struct coverage *coverage;
	struct absence *absence;

	if (!table || !table->coverage_count)
		return;
	coverage = &table->coverages[table->coverage_count - 1];
	absence = append(document, &coverage->absences, &coverage->absence_count,
			 sizeof(*absence));
	if (!absence)
		return;
	/* The most frequent first */
	while (absence > coverage->absences && absence[-1].samples < samples) {
		*absence = absence[-1];
		absence--;
	}
	absence->reason = reason;
	absence->detail = detail;
	absence->samples = samples;
}
