/* SPDX-License-Identifier: BSD-3-Clause */
/* See made_rows.h. Each row is the only one of a table like the one that it is of. */
#include "made_rows.h"

#include <errno.h>
#include <string.h>

#include "statistics/table.h"

static void drop_row(struct document *document)
{
	struct table *table = &document->tables[0];

	while (table->row_count)
		row_free(&table->rows[--table->row_count], table->column_count);
	document->member_count = 0;
}

static void print_all(struct document *document, const struct made_rows *made, row_printer *print, void *data)
{
	for (size_t n = 0; n < made->count && !document->failed; n++) {
		made->make(document, n, made->data);
		if (document->failed)
			return;
		print(&document->tables[0], &document->tables[0].rows[0], data);
		drop_row(document);
	}
}

void made_rows_print(struct output *output, const struct document *document, const struct table *table,
		     row_printer *print, void *data)
{
	struct document one = { .absent_means = document->absent_means, .dependence = document->dependence };

	memcpy(one.given, document->given, sizeof(one.given));
	table_begin(&one, table->name, table->title, table->row_title, table->columns, table->column_count);
	for (size_t n = 0; n < table->made_count && !one.failed; n++)
		print_all(&one, &table->made[n], print, data);
	if (one.failed && !output->failed)
		output->failed = ENOMEM;
	document_free(&one);
}
