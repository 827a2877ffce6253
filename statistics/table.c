/* SPDX-License-Identifier: BSD-3-Clause */
/* Building the tables and lists of a document. */
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "interval.h"

/* As deep as members nest: DOCUMENT_DEPTH */
static void free_cell(struct cell *cell)
{
	for (size_t i = 0; i < cell->member_count; i++)
		free_cell(&cell->members[i].value);
	free(cell->members);
	free(cell->text);
}

void row_free(struct row *row, size_t columns)
{
	for (size_t n = 0; row->cells && n < columns; n++)
		free_cell(&row->cells[n]);
	for (size_t n = 0; n < row->saying_count; n++)
		free(row->sayings[n].text);
	free(row->sayings);
	free(row->cells);
	free(row->label);
	free(row->heading);
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
	free(table->made);
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

void table_begin(struct document *document, const char *name, const char *title,
		 const char *row_title, const struct column *columns, size_t column_count)
{
	struct table *table =
		build_append(document, &document->tables, &document->count, sizeof(*table));

	if (!table)
		return;
	table->name = table->section = name;
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
	table = build_table(document);
	if (!table)
		return;
	table->is_continued = 1;
	if (document->count > 1)
		table->section = table[-1].section;
}

void table_is_listing(struct document *document)
{
	struct table *table = build_table(document);

	if (table)
		table->is_listing = 1;
}

void table_drop_empty(struct document *document)
{
	struct table *table = build_table(document);

	if (!table || table->row_count)
		return;
	table_free(table);
	document->count--;
}

void document_keep(struct document *document, int (*is_kept)(const struct table *table, void *data),
		   void *data)
{
	size_t kept = 0;

	for (size_t i = 0; i < document->count; i++) {
		struct table *table = &document->tables[i];

		if (is_kept(table, data))
			document->tables[kept++] = *table;
		else
			table_free(table);
	}
	document->count = kept;
}

void document_append(struct document *document, struct document *from)
{
	for (size_t i = 0; i < from->count; i++) {
		struct table *to = build_append(document, &document->tables, &document->count,
						sizeof(*to));

		if (to)
			*to = from->tables[i];
		else
			table_free(&from->tables[i]);
	}
	document->failed |= from->failed;
	from->count = 0;
}

void document_lead(struct document *document)
{
	struct table last;

	if (!document->count)
		return;
	last = document->tables[document->count - 1];
	memmove(&document->tables[1], &document->tables[0],
		(document->count - 1) * sizeof(*document->tables));
	document->tables[0] = last;
}

/* 'title' is the table's from now on. */
static void take_title(struct document *document, struct table *table, char *title)
{
	free(table->own_title);
	table->own_title = title;
	table->title = document->failed ? "" : title;
}

void table_titled(struct document *document, const char *format, ...)
{
	struct table *table = build_table(document);
	va_list arguments;

	if (!table)
		return;
	va_start(arguments, format);
	take_title(document, table, build_text_v(document, format, arguments));
	va_end(arguments);
}

void table_renamed(struct document *document, struct table *table, const char *name,
		   const char *title)
{
	char *own = build_text(document, "%s%s", table->name, name);

	for (size_t i = 0; table->is_facts && i < table->row_count; i++) {
		struct row *row = &table->rows[i];
		char *row_name = *row->name ? build_text(document, "%s%s", row->name, name) : NULL;

		if (!row_name)
			continue;
		free(row->name);
		row->name = row_name;
	}
	free(table->own_name);
	table->own_name = own;
	if (table->title)
		take_title(document, table, build_text(document, "%s%s", table->title, title));
	if (!document->failed)
		table->name = own;
}

void table_cut(struct document *document, struct table *table, size_t rows, size_t notes)
{
	const size_t rows_gone = table->row_count > rows ? table->row_count - rows : 0;
	const size_t notes_gone = table->note_count > notes ? table->note_count - notes : 0;

	for (size_t i = 0; i < rows_gone; i++)
		row_free(&table->rows[--table->row_count], table->column_count);
	for (size_t i = 0; i < notes_gone; i++)
		free(table->notes[--table->note_count].text);
	if (rows_gone)
		build_note(document, table,
			   build_text(document, "rows that are not shown: %zu", rows_gone), 0);
	if (notes_gone)
		build_note(document, table,
			   build_text(document, "notes that are not shown: %zu", notes_gone), 0);
}

static void number_table(struct document *document, struct table *table, uint32_t number,
			 char *title)
{
	table->own_name = build_text(document, "%s_%" PRIu32, table->name, number);
	take_title(document, table, title);
	if (!document->failed)
		table->name = table->own_name;
}

void table_of_event(struct document *document, uint32_t number)
{
	struct table *table = build_table(document);

	if (!table)
		return;
	table->event = number;
	number_table(document, table, number,
		     build_text(document, "%s (event %" PRIu32 ")", table->title, number));
}

void table_numbered(struct document *document, uint32_t number, const char *what)
{
	struct table *table = build_table(document);

	if (table)
		number_table(document, table, number,
			     build_text(document, "%s%s %" PRIu32, table->title, what, number));
}

void list_begin(struct document *document, const char *name, const char *title)
{
	static const struct column value = { "value", "", COLUMN_LEFT };
	struct table *table;

	table_begin(document, name, title, "", &value, 1);
	table = build_table(document);
	if (table)
		table->is_list = 1;
}

void row_begin(struct document *document, const char *format, ...)
{
	struct table *table = build_table(document);
	va_list arguments;
	struct row *row;

	row = table ? build_append(document, &table->rows, &table->row_count, sizeof(*row)) : NULL;
	if (!row)
		return;
	va_start(arguments, format);
	row->name = build_text_v(document, format, arguments);
	va_end(arguments);
	row->cells = calloc(table->column_count, sizeof(*row->cells));
	if (!row->cells)
		document->failed = 1;
}

void table_makes_rows(struct document *document, size_t count, row_maker *make, const void *data)
{
	struct table *table = build_table(document);
	struct made_rows *made =
		table ? build_append(document, &table->made, &table->made_count, sizeof(*made)) : NULL;

	if (made)
		*made = (struct made_rows){ make, data, count };
}

void table_about(struct document *document, uint32_t topics, uint32_t event)
{
	struct table *table = build_table(document);

	if (!table)
		return;
	table->topics = topics;
	table->event = event;
}

void row_in(struct document *document, const char *group)
{
	struct row *row = build_row(document);

	if (row)
		row->group = group;
}

void row_heading(struct document *document, const char *format, ...)
{
	struct row *row = build_row(document);
	va_list arguments;

	if (!row)
		return;
	free(row->heading);
	va_start(arguments, format);
	row->heading = build_text_v(document, format, arguments);
	va_end(arguments);
}

void row_heat(struct document *document, int heat)
{
	struct row *row = build_row(document);

	if (row)
		row->heat = heat;
}

void row_is_sum(struct document *document)
{
	struct row *row = build_row(document);

	if (row)
		row->is_sum = 1;
}

void row_is_untold(struct document *document)
{
	struct row *row = build_row(document);

	if (row)
		row->is_untold = 1;
}

static struct cell *last_cell(struct document *document)
{
	struct row *row = build_row(document);

	return row && row->set ? &row->cells[row->set - 1] : NULL;
}

void document_depend(struct document *document, double effect)
{
	document->dependence = effect;
}

struct confidence document_confidence(const struct document *document)
{
	return (struct confidence){ INTERVAL_Z, document->dependence ? document->dependence : 1 };
}

void cell_absent(struct document *document)
{
	build_cell(document, CELL_ABSENT);
}

void cell_count(struct document *document, uint64_t count)
{
	build_cell(document, CELL_COUNT)->count = count;
}

void cell_decimal(struct document *document, double decimal, uint64_t n)
{
	struct cell *cell = build_cell(document, n ? CELL_DECIMAL : CELL_ABSENT);

	cell->decimal = decimal;
	cell->n = n;
}

void cell_known(struct document *document, double decimal)
{
	cell_decimal(document, isnan(decimal) ? 0 : decimal, isnan(decimal) ? 0 : 1);
}

static void set_effective(struct cell *cell, const struct weighted *whole)
{
	cell->is_weighted = !weighted_are_counted(whole);
	cell->is_unweighed = !whole->least && whole->most;
	cell->effective = weighted_effective(whole);
}

void build_share(const struct document *document, struct cell *cell, const struct weighted *part,
		 const struct weighted *whole, int is_given)
{
	const struct confidence confidence = document_confidence(document);
	const struct interval interval = weighted_interval_at(part, whole, confidence);

	cell->is_in_step = isnan(confidence.effect);
	cell->is_dependent = confidence.effect > 1;
	cell->is_given = is_given && part->samples == whole->samples;
	set_effective(cell, whole);
	if (cell->is_dependent)
		cell->effective /= confidence.effect;
	cell->is_few = cell->is_weighted && cell->effective < WEIGHTED_FEWEST;
	cell->n = whole->samples;
	cell->decimal = weighted_share(part, whole);
	cell->low = interval.low;
	cell->high = interval.high;
}

void cell_share_if(struct document *document, const struct weighted *part,
		   const struct weighted *whole, int is_given)
{
	build_share(document, build_cell(document, whole->samples ? CELL_SHARE : CELL_ABSENT), part,
		    whole, is_given);
}

void cell_share(struct document *document, const struct weighted *part,
		const struct weighted *whole)
{
	const struct row *row = build_row(document);

	cell_share_if(document, part, whole, row && row->is_untold);
}

static struct cell *build_between(struct document *document, enum cell_kind kind, double value, double low,
				  double high)
{
	struct cell *cell = build_cell(document, isnan(value) ? CELL_ABSENT : kind);

	cell->decimal = value;
	cell->low = low;
	cell->high = high;
	return cell;
}

void cell_share_estimated(struct document *document, double share, struct interval interval, uint64_t n)
{
	struct cell *cell = build_between(document, CELL_SHARE, share, interval.low, interval.high);

	cell->is_in_step = isnan(interval.low) || isnan(interval.high);
	cell->n = n;
}

void cell_share_of_sum(struct document *document, const struct weighted *part,
		       const struct weighted *whole)
{
	struct cell *cell;

	cell_share(document, part, whole);
	cell = last_cell(document);
	if (!cell)
		return;
	cell->is_of_sum = 1;
	cell->is_given = !part->samples || part->samples == whole->samples;
}

int document_is_given(const struct document *document, uint32_t field)
{
	return document->given[field / 64] >> field % 64 & 1;
}

void cell_share_by(struct document *document, uint32_t field, const struct weighted *part,
		   const struct weighted *whole)
{
	const struct row *row = build_row(document);

	cell_share_if(document, part, whole,
		      document_is_given(document, field) || (row && row->is_untold));
}

void cell_address(struct document *document, uint64_t address)
{
	build_cell(document, CELL_ADDRESS)->count = address;
}

void cell_bar(struct document *document, double share)
{
	build_cell(document, CELL_BAR)->decimal = share;
}

void cell_text(struct document *document, const char *format, ...)
{
	va_list arguments;
	char *text;

	if (document->failed)
		return;
	va_start(arguments, format);
	text = build_text_v(document, format, arguments);
	va_end(arguments);
	if (text)
		build_cell(document, CELL_TEXT)->text = text;
}

/* That text, which is the cell's from now on; without memory none */
static struct cell *take_text(struct document *document, enum cell_kind kind, uint64_t count,
			      const char *text)
{
	char *copy = document->failed ? NULL : build_text(document, "%s", text);
	struct cell *cell;

	if (!copy)
		return NULL;
	cell = build_cell(document, kind);
	cell->text = copy;
	cell->count = count;
	return cell;
}

void cell_of(struct document *document, const struct weighted *whole, const char *what)
{
	struct cell *cell = take_text(document, CELL_OF, whole->samples, what);

	if (cell)
		set_effective(cell, whole);
}

void cell_flag(struct document *document, const char *text)
{
	take_text(document, CELL_FLAG, 1, text);
}

void cell_bool(struct document *document, int is_so)
{
	take_text(document, CELL_FLAG, is_so != 0, is_so ? "yes" : "no");
}

void cell_share_between(struct document *document, double share, double low, double high, uint64_t n)
{
	struct cell *cell = build_between(document, CELL_SHARE, share, low, high);

	cell->n = n;
	cell->low = low < 0 ? 0 : low; /* NAN stays */
	cell->high = high > 1 ? 1 : high;
	cell->is_given = isnan(low) || isnan(high);
}

void cell_decimal_between(struct document *document, double decimal, double low, double high, uint64_t n)
{
	struct cell *cell = build_between(document, CELL_DECIMAL, decimal, low, high);

	cell->n = n;
	cell->is_between = 1;
}

void cell_between(struct document *document, double low, double high)
{
	struct cell *cell = last_cell(document);

	if (!cell)
		return;
	cell->is_between = 1;
	cell->low = low;
	cell->high = high;
}

void cell_unit(struct document *document, const char *unit)
{
	struct cell *cell = last_cell(document);

	if (cell)
		cell->unit = unit;
}

void cell_why_absent(struct document *document, const char *reason)
{
	struct row *row = build_row(document);
	struct cell *cell;

	if (row && !row->set)
		cell_absent(document);
	cell = last_cell(document);
	if (cell && cell->kind == CELL_ABSENT)
		cell->reason = reason;
}

void table_note(struct document *document, const char *format, ...)
{
	struct table *table = build_table(document);
	va_list arguments;
	char *text;

	if (!table)
		return;
	va_start(arguments, format);
	text = build_text_v(document, format, arguments);
	va_end(arguments);
	if (text)
		build_note(document, table, text, 0);
}

/* Several recordings may have the same to be warned of. */
static void warn(struct document *document, struct table *table, const char *name,
		 const char *text)
{
	char *line = *name ? build_text(document, "%s: %s", name, text)
			   : build_text(document, "%s", text);
	struct note note;

	if (!line)
		return;
	note = build_note_of(line, 1);
	if (table_has_note(table, &note))
		free(line);
	else
		build_note(document, table, line, 1);
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
	struct table *table = build_table(document);
	struct coverage *coverage;

	coverage = table ? build_append(document, &table->coverages, &table->coverage_count,
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
	struct table *table = build_table(document);
	struct coverage *coverage;
	struct absence *absence;

	if (!table || !table->coverage_count)
		return;
	coverage = &table->coverages[table->coverage_count - 1];
	absence = build_append(document, &coverage->absences, &coverage->absence_count,
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
