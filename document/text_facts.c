/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts as text. */
#include "text_facts.h"

#include <stdio.h>
#include <string.h>

#include "quote.h"
#include "text_table.h"
#include "wrap.h"

static int is_said(const struct row *row)
{
	const struct cell *cell = &row->cells[0];

	return row->label && (row->saying_count || cell->kind != CELL_ABSENT || cell->reason);
}

int text_has_facts(const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		if (is_said(&table->rows[i]))
			return 1;
	}
	return table->title != NULL;
}

static void print_value(const struct cell *cell, struct wrap *wrap)
{
	char text[TEXT_CELL];

	if (cell->text && cell->kind != CELL_OF) {
		wrap_text(wrap, cell->text);
	} else {
		text_format_cell(cell, wrap->output->is_utf8, text);
		wrap_text(wrap, text);
	}
	if (cell->unit)
		wrap_text(wrap, cell->unit);
	if (cell->kind == CELL_ABSENT && cell->reason) {
		snprintf(text, sizeof(text), "(%s)", cell->reason);
		wrap_text(wrap, text);
	}
}

static void print_saying(struct output *output, const struct saying *saying, int is_first,
			 struct wrap *wrap)
{
	if (saying->kind == SAYING_LINE && !is_first) {
		output_text(output, "\n");
		text_pad(output, wrap->column);
		*wrap = wrap_begin(output, wrap->column);
	}
	if (saying->kind == SAYING_WORD)
		wrap_word(wrap, saying->text);
	else
		wrap_text(wrap, saying->text);
}

/* A label that is too long for its column pushes what follows in its line. */
static struct wrap begin(struct output *output, const struct table *table, const struct row *row)
{
	size_t width = plain_width(row->label), column = table->label_width;

	text_pad(output, table->indent);
	output_plain(output, row->label);
	text_pad(output, (width < column ? column - width : 0) + 1);
	return wrap_begin_hanging(output, table->indent + (width < column ? column : width) + 1,
				  table->indent + column + 1);
}

void text_print_facts(struct output *output, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];
		struct wrap wrap;

		if (!is_said(row))
			continue;
		wrap = begin(output, table, row);
		if (!row->saying_count)
			print_value(&row->cells[0], &wrap);
		for (size_t n = 0; n < row->saying_count; n++)
			print_saying(output, &row->sayings[n], !n, &wrap);
		output_text(output, "\n");
	}
}
