/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A matrix as text: a mark in a cell, what a row means below it. One that is wider than the output is
 * folded: what its further columns have stands below, and who they are at the end.
 */
#include <stdio.h>
#include <string.h>

#include "matrix.h"
#include "wrap.h"

#define THING_WIDTH 24
#define UNIT_WIDTH 8
#define LEGEND_COLUMN 6u
#define LABEL_ROOM 16

static const char marks[] = { [MATRIX_NO] = '-', [MATRIX_YES] = 'x', [MATRIX_UNKNOWN] = '?' };

/* The first of those that are alike stands for all of them. */
static int is_first(const struct matrix *matrix, uint32_t column)
{
	return matrix->columns[column].alike == column;
}

/* "I10" @return its length */
static int label_of(const struct matrix *matrix, uint32_t column, char label[LABEL_ROOM])
{
	return snprintf(label, LABEL_ROOM, "%c%u", *matrix->columns[column].facts[MATRIX_FAMILY],
			matrix->columns[column].label);
}

/* @return the column behind the last one that stands beside 'first'; there is one at least */
static uint32_t fold(const struct matrix *matrix, uint32_t first, size_t line)
{
	size_t at = THING_WIDTH + UNIT_WIDTH;
	char label[LABEL_ROOM];
	uint32_t n = first;

	for (; n < matrix->column_count; n++) {
		if (!is_first(matrix, n))
			continue;
		at += 1 + (size_t)label_of(matrix, n, label);
		if (at > line && n > first)
			break;
	}
	return n;
}

static void print_heading(struct output *output, const struct matrix *matrix, uint32_t first,
			  uint32_t end)
{
	char label[LABEL_ROOM];

	output_format(output, "%-*s%-*s", THING_WIDTH, "", UNIT_WIDTH,
		      matrix->names->row_facts[MATRIX_UNIT]);
	for (uint32_t n = first; n < end; n++) {
		if (!is_first(matrix, n))
			continue;
		label_of(matrix, n, label);
		output_format(output, " %s", label);
	}
	output_text(output, "\n");
}

static void print_row(struct output *output, const struct matrix *matrix, uint32_t row,
		      uint32_t first, uint32_t end)
{
	const char *const *facts = matrix->rows[row].facts;
	struct wrap wrap;

	output_format(output, "  %-*s%-*s", THING_WIDTH - 2, facts[MATRIX_THING], UNIT_WIDTH,
		      facts[MATRIX_UNIT]);
	for (uint32_t n = first; n < end; n++) {
		char label[LABEL_ROOM];

		if (is_first(matrix, n))
			output_format(output, "%*c", 1 + label_of(matrix, n, label),
				      marks[matrix->columns[n].cells[row].verdict]);
	}
	output_text(output, "\n");
	if (first)
		return;
	output_text(output, "    ");
	wrap = wrap_begin(output, 4);
	wrap_text(&wrap, facts[MATRIX_MEANING]);
	output_text(output, "\n");
}

static void print_block(struct output *output, const struct matrix *matrix, uint32_t first,
			uint32_t end)
{
	const char *group = "";

	print_heading(output, matrix, first, end);
	for (uint32_t row = 0; row < matrix->row_count; row++) {
		if (strcmp(group, matrix->rows[row].facts[MATRIX_GROUP]) != 0)
			output_format(output, "%s\n", matrix->rows[row].facts[MATRIX_GROUP]);
		group = matrix->rows[row].facts[MATRIX_GROUP];
		print_row(output, matrix, row, first, end);
	}
	output_text(output, "\n");
}

/* Is there another one that is like it? */
static int has_next(const struct matrix *matrix, uint32_t column)
{
	for (uint32_t other = column + 1; other < matrix->column_count; other++) {
		if (matrix->columns[other].alike == matrix->columns[column].alike)
			return 1;
	}
	return 0;
}

static void print_names(struct output *output, const struct matrix *matrix, uint32_t first)
{
	struct wrap wrap = wrap_begin(output, LEGEND_COLUMN);
	char text[128];

	for (uint32_t n = first; n < matrix->column_count; n++) {
		const char *const *facts = matrix->columns[n].facts;

		if (matrix->columns[n].alike != first)
			continue;
		snprintf(text, sizeof(text), "%s%s%s", facts[MATRIX_NAME],
			 *facts[MATRIX_DOUBT] ? "*" : "", has_next(matrix, n) ? "," : "");
		wrap_text(&wrap, text);
	}
	output_text(output, "\n");
}

static void print_line(struct output *output, const char *text)
{
	struct wrap wrap = wrap_begin(output, 0);

	wrap_text(&wrap, text);
	output_text(output, "\n");
}

void matrix_print_text(struct output *output, const struct matrix *matrix)
{
	uint32_t first = 0, end;

	for (size_t i = 0; i < MATRIX_HEAD_LINES; i++)
		print_line(output, matrix->names->head[i]);
	output_text(output, "\n");
	do {
		end = fold(matrix, first, output->width);
		print_block(output, matrix, first, end);
		first = end;
	} while (first < matrix->column_count);
	for (uint32_t n = 0; n < matrix->column_count; n++) {
		char label[LABEL_ROOM];

		if (!is_first(matrix, n))
			continue;
		label_of(matrix, n, label);
		output_format(output, "%-*s", (int)LEGEND_COLUMN, label);
		print_names(output, matrix, n);
	}
	print_line(output, matrix->names->foot);
}
