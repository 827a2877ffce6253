/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix as JSON and CSV, and which of its columns are alike. */
#include "matrix.h"

#include <string.h>

#include "json.h"
#include "quote.h"

static const char *const verdict_names[] = { [MATRIX_NO] = "no", [MATRIX_YES] = "yes",
					     [MATRIX_UNKNOWN] = "unknown" };

static int are_alike(const struct matrix *matrix, const struct matrix_column *a,
		     const struct matrix_column *b)
{
	if (strcmp(a->facts[MATRIX_FAMILY], b->facts[MATRIX_FAMILY]) != 0)
		return 0;
	for (uint32_t row = 0; row < matrix->row_count; row++) {
		if (a->cells[row].verdict != b->cells[row].verdict)
			return 0;
	}
	return 1;
}

void matrix_label(struct matrix *matrix, uint32_t column)
{
	struct matrix_column *columns = matrix->columns, *new = &columns[column];
	uint32_t labels = 0;

	for (new->alike = 0; new->alike < column; new->alike++) {
		const struct matrix_column *before = &columns[new->alike];

		if (are_alike(matrix, before, new)) {
			new->label = before->label;
			return;
		}
		if (strcmp(before->facts[MATRIX_FAMILY], new->facts[MATRIX_FAMILY]) == 0 &&
		    before->label > labels)
			labels = before->label;
	}
	new->label = labels + 1;
}

/* The other facts of JSON are never "". */
static void json_fact(struct json *json, const char *name, const char *fact)
{
	json_text(json, name, *fact ? fact : NULL);
}

static void json_columns(struct json *json, const struct matrix *matrix)
{
	json_array(json, matrix->names->columns);
	for (uint32_t n = 0; n < matrix->column_count; n++) {
		json_object(json, NULL);
		for (uint32_t i = 0; i < MATRIX_COLUMN_FACTS; i++)
			json_fact(json, matrix->names->column_facts[i],
				  matrix->columns[n].facts[i]);
		json_object_end(json);
	}
	json_array_end(json);
}

/* The names of those whose cell of that row has the verdict */
static void json_verdict(struct json *json, const struct matrix *matrix, uint32_t row,
			 enum matrix_verdict verdict)
{
	json_array(json, verdict_names[verdict]);
	for (uint32_t n = 0; n < matrix->column_count; n++) {
		if (matrix->columns[n].cells[row].verdict == verdict)
			json_text(json, NULL, matrix->columns[n].facts[MATRIX_NAME]);
	}
	json_array_end(json);
}

static void json_row(struct json *json, const struct matrix *matrix, uint32_t row)
{
	json_object(json, NULL);
	for (uint32_t i = 0; i < MATRIX_ROW_FACTS; i++)
		json_fact(json, matrix->names->row_facts[i], matrix->rows[row].facts[i]);
	json_verdict(json, matrix, row, MATRIX_YES);
	json_verdict(json, matrix, row, MATRIX_NO);
	json_verdict(json, matrix, row, MATRIX_UNKNOWN);
	json_object_end(json);
}

void matrix_print_json(struct output *output, const struct matrix *matrix)
{
	struct json json = { .output = output, .indent = 1 };

	json_object(&json, NULL);
	json_columns(&json, matrix);
	json_array(&json, matrix->names->rows);
	for (uint32_t row = 0; row < matrix->row_count; row++)
		json_row(&json, matrix, row);
	json_array_end(&json);
	json_object_end(&json);
}

/* What it is of stands first, what is said of it last. */
static void csv_line(struct output *output, const char *const row[MATRIX_ROW_FACTS],
		     const char *const column[MATRIX_COLUMN_FACTS], const char *name,
		     const char *const cell[3])
{
	const char *const cells[] = {
		row[MATRIX_GROUP], row[MATRIX_THING], row[MATRIX_UNIT],
		column[MATRIX_FAMILY], column[MATRIX_KIND], name, column[MATRIX_MEMBERS],
		cell[0], cell[1], cell[2],
		column[MATRIX_DOUBT], row[MATRIX_MEANING],
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		output_text(output, i ? "," : "");
		output_csv(output, cells[i]);
	}
	output_text(output, "\n");
}

void matrix_print_csv(struct output *output, const struct matrix *matrix)
{
	const struct matrix_names *names = matrix->names;
	const char *const head[3] = { names->verdict, "reason", "detail" };

	csv_line(output, names->row_facts, names->column_facts, names->column, head);
	for (uint32_t row = 0; row < matrix->row_count; row++) {
		for (uint32_t n = 0; n < matrix->column_count; n++) {
			const struct matrix_column *column = &matrix->columns[n];
			const struct matrix_cell *cell = &column->cells[row];
			const char *const said[3] = { verdict_names[cell->verdict], cell->reason,
						      cell->detail };

			csv_line(output, matrix->rows[row].facts, column->facts,
				 column->facts[MATRIX_NAME], said);
		}
	}
}
