/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis mix prints of a recording, section by section. */
#ifndef MIX_SECTIONS_H
#define MIX_SECTIONS_H

#include "mixed.h"

/* Columns of a table by dimensions, which outlive the document */
struct mix_columns_of {
	struct column column[TABLE_COLUMNS_MOST];
	size_t count;
};

#define MIX_STANDARD 3u /* tables where no dimensions are asked for */

struct mix_columns {
	struct mix_columns_of by, compared, standard[MIX_STANDARD];
};
void mix_columns_make(struct mix_columns *columns, const struct mix_arguments *arguments);

/* What methods are compared by: as asked for, or by mnemonic */
struct mix_pivot_of mix_compared_by(const struct mix_arguments *arguments);

/* The sections; each adds tables to the document. */
void section_mix_findings(struct mixed *mixed, struct document *document);
/* The recording, what was seen, totals */
void section_seen(struct mixed *mixed, struct document *document);
/* What of all that was seen is known, and what is not and why */
void section_known(const struct mixed *mixed, struct document *document);
/* By the dimensions that were asked for, or by some */
void section_mix(struct mixed *mixed, struct document *document, const struct mix_columns *columns);
/* Methods side by side */
void section_compared(struct mixed *mixed, struct document *document, const struct mix_columns *columns);
/* Hot blocks with their code */
void section_blocks(struct mixed *mixed, struct document *document);

/* The rows of a pivot, those with the most executions first: a cell of each, to be freed. 0, or -1 */
int mix_rows_sort(const struct mix_pivot *pivot, const double *counts, uint32_t **cells);

/* A row of a pivot's table with the names of a cell; rows of several dimensions go by their number, from 1 */
void mix_row_begin(const struct mix_pivot *pivot, uint32_t number, uint32_t cell,
		   struct document *document);

/* What stands above the names of such rows */
const char *mix_row_label(const struct mix_pivot_of *of);

#endif
