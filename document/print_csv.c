/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long form, a line for each figure: section,row,column,value,n,low,high, and of a document that
 * tells what absence means also unit,reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "made_rows.h"
#include "print.h"
#include "quote.h"

#define COLUMN_ROOM 256u
#define INDEX_ROOM 24u

/* The names on the way to a value: section, row, column, and what is inside */
struct place {
	const char *names[3 + DOCUMENT_DEPTH];
	size_t count;
};

struct csv {
	struct output *output;
	const struct document *document;
};

static void put_cell(const struct csv *csv, const char *text)
{
	output_csv(csv->output, text);
	output_text(csv->output, ",");
}

static void begin_line(const struct csv *csv, const char *section, const char *row,
		       const char *column)
{
	put_cell(csv, section);
	put_cell(csv, row);
	put_cell(csv, column);
}

static void end_line(const struct csv *csv, const char *unit, const char *reason)
{
	if (csv->document->absent_means) {
		output_text(csv->output, ",");
		put_cell(csv, unit ? unit : "");
		output_csv(csv->output, reason ? reason : "");
	}
	output_text(csv->output, "\n");
}

static void print_share(struct output *output, const struct cell *cell)
{
	output_format(output, "%.9f,%" PRIu64 ",", cell->decimal, cell->n);
	if (share_has_interval(cell))
		output_format(output, "%.9f,%.9f", cell->low, cell->high);
	else
		output_text(output, ",");
}

static void print_value(struct output *output, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_COUNT:
		output_format(output, "%" PRIu64 ",,,", cell->count);
		break;
	case CELL_DECIMAL:
		output_format(output, "%.6f,%" PRIu64 ",,", cell->decimal, cell->n);
		break;
	case CELL_SHARE:
		print_share(output, cell);
		break;
	case CELL_ADDRESS:
		output_format(output, "0x%" PRIx64 ",,,", cell->count);
		break;
	case CELL_TEXT:
		output_csv(output, cell->text);
		output_text(output, ",,,");
		break;
	case CELL_FLAG:
		output_text(output, cell->count ? "true,,," : "false,,,");
		break;
	case CELL_OF:
		output_csv(output, cell->text);
		output_format(output, ",%" PRIu64 ",,", cell->count);
		break;
	case CELL_ABSENT:
	case CELL_BAR:
	case CELL_MEMBERS:
	case CELL_ENTRIES:
		output_text(output, ",,,");
		break;
	}
}

static void print_line(const struct csv *csv, const char *section, const char *row,
		       const char *column, const struct cell *cell)
{
	const char *reason = cell->reason ? cell->reason : csv->document->absent_means;

	begin_line(csv, section, row, column);
	print_value(csv->output, cell);
	end_line(csv, cell->unit, cell->kind == CELL_ABSENT ? reason : NULL);
}

static void join(const struct place *place, char column[COLUMN_ROOM])
{
	size_t used = 0;

	column[0] = '\0';
	for (size_t n = 2; n < place->count && used < COLUMN_ROOM; n++)
		used += (size_t)snprintf(column + used, COLUMN_ROOM - used, "%s%s",
					 n > 2 ? "." : "", place->names[n]);
}

/* A place of one or two names has the column "value". */
static void print_placed(const struct csv *csv, const struct table *table,
			 const struct place *place, const struct cell *cell)
{
	char column[COLUMN_ROOM];

	join(place, column);
	print_line(csv, place->count > 1 ? place->names[0] : table->name,
		   place->names[place->count > 1], *column ? column : "value", cell);
}

static int is_nest(const struct cell *cell)
{
	return cell->kind == CELL_MEMBERS || cell->kind == CELL_ENTRIES || cell->member_count;
}

/*
 * What is in a list of single values is told by the list; of others each has its number. As deep as
 * members nest: DOCUMENT_DEPTH
 */
static void print_inside(const struct csv *csv, const struct table *table,
			 const struct place *place, const struct cell *cell)
{
	char number[INDEX_ROOM];

	if (!is_nest(cell)) {
		print_placed(csv, table, place, cell);
		return;
	}
	for (size_t i = 0; i < cell->member_count; i++) {
		const struct member *member = &cell->members[i];
		struct place inside = *place;

		snprintf(number, sizeof(number), "%zu", i);
		if (member->name || is_nest(&member->value))
			inside.names[inside.count++] = member->name ? member->name : number;
		print_inside(csv, table, &inside, &member->value);
	}
}

/* @param number  of the list among the entries of its array */
static void print_facts(const struct csv *csv, const struct table *table, size_t number)
{
	char text[INDEX_ROOM];

	snprintf(text, sizeof(text), "%zu", number);
	for (size_t i = 0; i < table->row_count; i++) {
		struct place place = { .count = 0 };

		if (!*table->rows[i].name)
			continue;
		if (table->entry_of) {
			place.names[place.count++] = table->entry_of;
			place.names[place.count++] = text;
		}
		place.names[place.count++] = table->rows[i].name;
		print_inside(csv, table, &place, &table->rows[i].cells[0]);
	}
}

static void print_cell(const struct csv *csv, const struct table *table, const struct row *row,
		       size_t n)
{
	const struct cell *cell = &row->cells[n];
	char column[COLUMN_ROOM];

	for (size_t i = 0; i < cell->member_count; i++) {
		const struct member *member = &cell->members[i];

		/* of a list each has its number */
		snprintf(column, sizeof(column), "%s.%zu", table->columns[n].name, i);
		print_line(csv, table->name, row->name, member->name ? member->name : column,
			   &member->value);
	}
	if (!cell->member_count)
		print_line(csv, table->name, row->name, table->columns[n].name, cell);
}

static void print_coverage(const struct csv *csv, const struct table *table,
			   const struct coverage *coverage)
{
	begin_line(csv, table->name, coverage->field, "present");
	output_format(csv->output, "%" PRIu64 ",%" PRIu64 ",,", coverage->present, coverage->of);
	end_line(csv, NULL, NULL);
	for (size_t i = 0; i < coverage->absence_count; i++) {
		const struct absence *absence = &coverage->absences[i];

		output_csv(csv->output, table->name);
		output_format(csv->output, ",%s,\"%s: %s\",", coverage->field, absence->reason,
			      absence->detail);
		output_format(csv->output, "%" PRIu64 ",%" PRIu64 ",,", absence->samples,
			      coverage->of);
		end_line(csv, NULL, NULL);
	}
}

static void print_row(const struct table *table, const struct row *row, void *data)
{
	const struct csv *csv = data;

	for (size_t n = 0; n < table->column_count; n++) {
		if (table->columns[n].name)
			print_cell(csv, table, row, n);
	}
}

static void print_table(struct csv *csv, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		print_row(table, &table->rows[i], csv);
	made_rows_print(csv->output, csv->document, table, print_row, csv);
	for (size_t i = 0; i < table->coverage_count; i++)
		print_coverage(csv, table, &table->coverages[i]);
	for (size_t i = 0; i < table->note_count; i++) {
		begin_line(csv, table->name, "", "note");
		output_csv(csv->output, table->notes[i].text);
		output_text(csv->output, ",,,");
		end_line(csv, NULL, NULL);
	}
}

void document_print_csv(struct output *output, const struct document *document)
{
	struct csv csv = { output, document };
	size_t number = 0;

	output_text(output, "section,row,column,value,n,low,high");
	output_text(output, document->absent_means ? ",unit,reason\n" : "\n");
	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = &document->tables[i];

		if (!table->is_facts) {
			print_table(&csv, table);
			continue;
		}
		/* entries of one array stand one behind the other */
		number = table->entry_of && i && table[-1].entry_of ? number + 1 : 0;
		print_facts(&csv, table, number);
	}
}
