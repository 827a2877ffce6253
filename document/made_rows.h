/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a table that are made when they are printed (table_makes_rows()): one at a time is in memory. */
#ifndef DOCUMENT_MADE_ROWS_H
#define DOCUMENT_MADE_ROWS_H

#include "output.h"
#include "statistics/figures.h"

typedef void row_printer(const struct table *table, const struct row *row, void *data);

/* Each of them. Where memory is too short for one the output has failed. */
void made_rows_print(struct output *output, const struct document *document, const struct table *table,
		     row_printer *print, void *data);

#endif
