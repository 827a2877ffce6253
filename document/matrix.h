/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has what: a row for each thing that may be had, a column for each who may have it, and in the
 * cells yes, no, or not known, the last two with their reason. In text, columns of one family that
 * are alike share one.
 */
#ifndef DOCUMENT_MATRIX_H
#define DOCUMENT_MATRIX_H

#include <stdint.h>

#include "output.h"

#define MATRIX_ROWS_MOST 32
#define MATRIX_COLUMNS_MOST 64
#define MATRIX_HEAD_LINES 2

enum matrix_verdict { MATRIX_NO, MATRIX_YES, MATRIX_UNKNOWN, MATRIX_VERDICTS };

struct matrix_cell {
	enum matrix_verdict verdict;
	const char *reason, *detail; /* why not; "" of a yes */
};

/* What is known of rows and columns, by number; "" is nothing. Strings outlive the matrix. */
enum matrix_row_fact { MATRIX_GROUP, MATRIX_THING, MATRIX_UNIT, MATRIX_MEANING, MATRIX_ROW_FACTS };
enum matrix_column_fact {
	MATRIX_FAMILY, /* its first letter begins the labels of text */
	MATRIX_KIND,
	MATRIX_NAME,
	MATRIX_MEMBERS,
	MATRIX_DOUBT, /* what is not certain of it */
	MATRIX_COLUMN_FACTS
};

struct matrix_row {
	const char *facts[MATRIX_ROW_FACTS];
};

struct matrix_column {
	const char *facts[MATRIX_COLUMN_FACTS];
	uint32_t alike; /* the first column of its family that has the same cells */
	uint32_t label; /* of that one: 1, 2, … in its family */
	struct matrix_cell cells[MATRIX_ROWS_MOST];
};

/* What the facts and the arrays of both are called in JSON */
struct matrix_names {
	const char *rows, *columns;
	const char *row_facts[MATRIX_ROW_FACTS], *column_facts[MATRIX_COLUMN_FACTS];
	const char *verdict; /* in CSV */
	const char *column;  /* in CSV: the names of columns */
	const char *head[MATRIX_HEAD_LINES], *foot; /* of text: paragraphs above and below */
};

struct matrix {
	const struct matrix_names *names;
	uint32_t row_count, column_count;
	struct matrix_row rows[MATRIX_ROWS_MOST];
	struct matrix_column columns[MATRIX_COLUMNS_MOST];
};

/* A new column that has its facts and cells gets its label. */
void matrix_label(struct matrix *matrix, uint32_t column);

void matrix_print_text(struct output *output, const struct matrix *matrix);
void matrix_print_json(struct output *output, const struct matrix *matrix);
void matrix_print_csv(struct output *output, const struct matrix *matrix);

#endif
