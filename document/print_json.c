/* SPDX-License-Identifier: BSD-3-Clause */
/* One object with a member for each table: its rows, coverage of fields, notes. */
#include <math.h>
#include <string.h>

#include <precis/precis.h>

#include "json.h"
#include "print.h"

#define SHARE_DIGITS 9
#define MEAN_DIGITS 6

static void print_share(struct json *json, const char *key, const struct cell *cell)
{
	json_object(json, key);
	json_decimal(json, "value", cell->decimal, SHARE_DIGITS);
	json_decimal(json, "low", cell->is_given ? NAN : cell->low, SHARE_DIGITS);
	json_decimal(json, "high", cell->is_given ? NAN : cell->high, SHARE_DIGITS);
	json_number(json, "n", cell->n);
	json_object_end(json);
}

static void print_of(struct json *json, const char *key, const struct cell *cell)
{
	json_object(json, key);
	json_number(json, "n", cell->count);
	json_text(json, "what", cell->text);
	json_object_end(json);
}

static void print_value(struct json *json, const char *key, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_COUNT:
		json_number(json, key, cell->count);
		break;
	case CELL_DECIMAL:
		json_decimal(json, key, cell->decimal, MEAN_DIGITS);
		break;
	case CELL_SHARE:
		print_share(json, key, cell);
		break;
	case CELL_ADDRESS:
		json_hex(json, key, cell->count);
		break;
	case CELL_TEXT:
		json_text(json, key, cell->text);
		break;
	case CELL_FLAG:
		json_bool(json, key, 1);
		break;
	case CELL_OF:
		print_of(json, key, cell);
		break;
	case CELL_ABSENT:
	case CELL_BAR:
		json_text(json, key, NULL);
		break;
	}
}

static void print_cell(struct json *json, const char *key, const struct cell *cell)
{
	if (!cell->member_count) {
		print_value(json, key, cell);
		return;
	}
	json_object(json, key);
	for (size_t i = 0; i < cell->member_count; i++)
		print_value(json, cell->members[i].name, &cell->members[i].value);
	json_object_end(json);
}

static void print_rows(struct json *json, const struct table *table)
{
	json_array(json, "rows");
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		json_object(json, NULL);
		json_text(json, "row", row->name);
		for (size_t n = 0; n < table->column_count; n++) {
			if (table->columns[n].name)
				print_cell(json, table->columns[n].name, &row->cells[n]);
		}
		json_object_end(json);
	}
	json_array_end(json);
}

static int is_same_group(const struct row *row, const struct row *other)
{
	return row->group && other->group && strcmp(row->group, other->group) == 0;
}

static void print_values(struct json *json, const struct table *table)
{
	json_object(json, "values");
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		if (row->group && (!i || !is_same_group(row, row - 1)))
			json_array(json, row->group);
		print_cell(json, row->group ? NULL : row->name, &row->cells[0]);
		if (row->group && (i + 1 == table->row_count || !is_same_group(row, row + 1)))
			json_array_end(json);
	}
	json_object_end(json);
}

static void print_coverage(struct json *json, const struct coverage *coverage)
{
	json_object(json, NULL);
	json_text(json, "field", coverage->field);
	json_number(json, "present", coverage->present);
	json_number(json, "of", coverage->of);
	json_array(json, "absent");
	for (size_t i = 0; i < coverage->absence_count; i++) {
		const struct absence *absence = &coverage->absences[i];

		json_object(json, NULL);
		json_text(json, "reason", absence->reason);
		json_text(json, "detail", absence->detail);
		json_number(json, "samples", absence->samples);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void print_table(struct json *json, const struct table *table)
{
	json_object(json, table->name);
	if (table->is_list)
		print_values(json, table);
	else
		print_rows(json, table);
	json_array(json, "coverage");
	for (size_t i = 0; i < table->coverage_count; i++)
		print_coverage(json, &table->coverages[i]);
	json_array_end(json);
	json_array(json, "notes");
	for (size_t i = 0; i < table->note_count; i++)
		json_text(json, NULL, table->notes[i].text);
	json_array_end(json);
	json_object_end(json);
}

void report_json_tables(struct json *json, const struct document *document)
{
	for (size_t i = 0; i < document->count; i++)
		print_table(json, &document->tables[i]);
}

void report_print_json(struct output *output, const struct document *document)
{
	struct json json = { .output = output, .indent = 1 };

	json_object(&json, NULL);
	json_text(&json, "precis", precis_version());
	report_json_tables(&json, document);
	json_object_end(&json);
}
