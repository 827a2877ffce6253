/* SPDX-License-Identifier: BSD-3-Clause */
/* Long form, a line for each figure: section,row,column,value,n,low,high. */
#include <inttypes.h>

#include "quote.h"
#include "print.h"

static void begin_line(struct output *output, const char *section, const char *row,
		       const char *column)
{
	output_csv(output, section);
	output_text(output, ",");
	output_csv(output, row);
	output_text(output, ",");
	output_csv(output, column);
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
		output_format(output, "%.9f,%" PRIu64 ",", cell->decimal, cell->n);
		if (cell->is_given)
			output_text(output, ",");
		else
			output_format(output, "%.9f,%.9f", cell->low, cell->high);
		break;
	case CELL_ADDRESS:
		output_format(output, "0x%" PRIx64 ",,,", cell->count);
		break;
	case CELL_TEXT:
		output_csv(output, cell->text);
		output_text(output, ",,,");
		break;
	case CELL_FLAG:
		output_text(output, "true,,,");
		break;
	case CELL_OF:
		output_csv(output, cell->text);
		output_format(output, ",%" PRIu64 ",,", cell->count);
		break;
	case CELL_ABSENT:
	case CELL_BAR:
		output_text(output, ",,,");
		break;
	}
}

static void print_cell(struct output *output, const struct table *table, const struct row *row,
		       size_t n)
{
	const struct cell *cell = &row->cells[n];

	for (size_t i = 0; i < cell->member_count; i++) {
		begin_line(output, table->name, row->name, cell->members[i].name);
		print_value(output, &cell->members[i].value);
		output_text(output, "\n");
	}
	if (cell->member_count)
		return;
	begin_line(output, table->name, row->name, table->columns[n].name);
	print_value(output, cell);
	output_text(output, "\n");
}

static void print_coverage(struct output *output, const struct table *table,
			   const struct coverage *coverage)
{
	begin_line(output, table->name, coverage->field, "present");
	output_format(output, "%" PRIu64 ",%" PRIu64 ",,\n", coverage->present, coverage->of);
	for (size_t i = 0; i < coverage->absence_count; i++) {
		const struct absence *absence = &coverage->absences[i];

		output_csv(output, table->name);
		output_format(output, ",%s,\"%s: %s\",", coverage->field, absence->reason,
			      absence->detail);
		output_format(output, "%" PRIu64 ",%" PRIu64 ",,\n", absence->samples,
			      coverage->of);
	}
}

static void print_table(struct output *output, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		for (size_t n = 0; n < table->column_count; n++) {
			if (table->columns[n].name)
				print_cell(output, table, &table->rows[i], n);
		}
	}
	for (size_t i = 0; i < table->coverage_count; i++)
		print_coverage(output, table, &table->coverages[i]);
	for (size_t i = 0; i < table->note_count; i++) {
		begin_line(output, table->name, "", "note");
		output_csv(output, table->notes[i].text);
		output_text(output, ",,,\n");
	}
}

void report_print_csv(struct output *output, const struct document *document)
{
	output_text(output, "section,row,column,value,n,low,high\n");
	for (size_t i = 0; i < document->count; i++)
		print_table(output, &document->tables[i]);
}
