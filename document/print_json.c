/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One object with a member for each table: its rows, coverage of fields, notes. Facts are members by
 * themselves.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <precis/precis.h>

#include "json.h"
#include "made_rows.h"
#include "print.h"

#define SHARE_DIGITS 9
#define MEAN_DIGITS 6
#define EFFECTIVE_DIGITS 6
#define KEY_ROOM 256u

static void print_share(struct json *json, const char *key, const struct cell *cell)
{
	json_object(json, key);
	json_decimal(json, "value", cell->decimal, SHARE_DIGITS);
	json_decimal(json, "low", share_has_interval(cell) ? cell->low : NAN, SHARE_DIGITS);
	json_decimal(json, "high", share_has_interval(cell) ? cell->high : NAN, SHARE_DIGITS);
	json_number(json, "n", cell->n);
	if (cell->is_weighted || cell->is_dependent)
		json_decimal(json, "effective_n", cell->effective, EFFECTIVE_DIGITS);
	if (cell->is_in_step && !cell->is_given)
		json_text(json, "no_interval", "in step");
	json_object_end(json);
}

static void print_of(struct json *json, const char *key, const struct cell *cell)
{
	json_object(json, key);
	json_number(json, "n", cell->count);
	json_text(json, "what", cell->text);
	json_object_end(json);
}

/* null, and beside it why */
static void print_absent(struct json *json, const char *key, const struct cell *cell)
{
	char why[KEY_ROOM];

	json_text(json, key, NULL);
	if (!key || !cell->reason)
		return;
	snprintf(why, sizeof(why), "%s_reason", key);
	json_text(json, why, cell->reason);
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
		json_bool(json, key, cell->count != 0);
		break;
	case CELL_OF:
		print_of(json, key, cell);
		break;
	case CELL_ABSENT:
		print_absent(json, key, cell);
		break;
	case CELL_BAR:
	case CELL_MEMBERS:
	case CELL_ENTRIES:
		json_text(json, key, NULL);
		break;
	}
}

static void print_cell(struct json *json, const char *key, const struct cell *cell);

static void print_members(struct json *json, const struct cell *cell)
{
	for (size_t i = 0; i < cell->member_count; i++)
		print_cell(json, cell->members[i].name, &cell->members[i].value);
}

/* As deep as members nest: DOCUMENT_DEPTH */
static void print_cell(struct json *json, const char *key, const struct cell *cell)
{
	if (cell->kind == CELL_ENTRIES) {
		json_array(json, key);
		print_members(json, cell);
		json_array_end(json);
	} else if (cell->kind == CELL_MEMBERS || cell->member_count) {
		json_object(json, key);
		print_members(json, cell);
		json_object_end(json);
	} else {
		print_value(json, key, cell);
	}
}

static void print_row(struct json *json, const struct table *table, const struct row *row)
{
	json_text(json, "row", row->name);
	for (size_t n = 0; n < table->column_count; n++) {
		if (table->columns[n].name)
			print_cell(json, table->columns[n].name, &row->cells[n]);
	}
}

/* There are many of them: a line for each, not for each of its members */
static void print_made_row(const struct table *table, const struct row *row, void *data)
{
	struct json *json = data;
	const int indent = json->indent;

	json_object(json, NULL);
	json->indent = 0;
	print_row(json, table, row);
	json_object_end(json);
	json->indent = indent;
}

static void print_rows(struct json *json, const struct document *document, const struct table *table)
{
	json_array(json, "rows");
	for (size_t i = 0; i < table->row_count; i++) {
		json_object(json, NULL);
		print_row(json, table, &table->rows[i]);
		json_object_end(json);
	}
	made_rows_print(json->output, document, table, print_made_row, json);
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

static void print_table(struct json *json, const struct document *document, const struct table *table)
{
	json_object(json, table->name);
	if (table->is_list)
		print_values(json, table);
	else
		print_rows(json, document, table);
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

static void print_facts(struct json *json, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		if (*table->rows[i].name)
			print_cell(json, table->rows[i].name, &table->rows[i].cells[0]);
	}
}

static int are_of_one_array(const struct table *table, const struct table *other)
{
	return table->entry_of && other->entry_of && strcmp(table->entry_of, other->entry_of) == 0;
}

static void print_entry(struct json *json, const struct document *document, size_t number)
{
	const struct table *table = &document->tables[number];

	if (!number || !are_of_one_array(table, table - 1))
		json_array(json, table->entry_of);
	json_object(json, NULL);
	print_facts(json, table);
	json_object_end(json);
	if (number + 1 == document->count || !are_of_one_array(table, table + 1))
		json_array_end(json);
}

void document_print_json(struct output *output, const struct document *document)
{
	struct json json = { .output = output, .indent = 1 };

	json_object(&json, NULL);
	if (!document->is_bare)
		json_text(&json, "precis", precis_version());
	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = &document->tables[i];

		if (table->entry_of)
			print_entry(&json, document, i);
		else if (table->is_facts)
			print_facts(&json, table);
		else
			print_table(&json, document, table);
	}
	json_object_end(&json);
}
