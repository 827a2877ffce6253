/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of places. */
#ifndef ANALYSIS_TOP_TABLES_H
#define ANALYSIS_TOP_TABLES_H

#include "places.h"

/* All is read. */
void top_tables(struct document *document, const struct top *top);

/* What is to be looked at first of it */
void top_findings(struct findings *findings, const struct top *top);

/* The place with its symbol, or its address, and its file; to be freed. NULL: memory is short */
char *top_place_text(const struct top *top, const struct heavy_entry *place);
int top_place_has_symbol(const struct top *top, const struct heavy_entry *place);

/* Its function, of a program; to be freed. NULL: it has no name, is the kernel's, or memory is short */
char *top_place_function(const struct top *top, const struct heavy_entry *place);

/* Its samples, among all of its event */
struct weighted top_place_samples(const struct heavy_entry *place, const struct weighted *all);

/* The first rows of the table, for which 'rows' has room: at most 'top'. How many */
size_t top_sort_places(const struct heavy *heavy, const struct heavy_entry **rows, uint32_t top);

/* For qsort(), of pointers to places: the heaviest first; of the same weight by names */
int top_compare_places(const void *a, const void *b);

#endif
