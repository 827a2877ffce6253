/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions that build documents have in common: memory, and where the end is. */
#ifndef STATISTICS_BUILD_H
#define STATISTICS_BUILD_H

#include <stdarg.h>

#include "figures.h"
#include "weighted.h"

/* One more zeroed element at the end of *array, a pointer to elements of any type. */
void *build_append(struct document *document, void *array, size_t *count, size_t size);

char *build_text_v(struct document *document, const char *format, va_list arguments);
char *build_text(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The last one of each; NULL: there is none, or memory was short */
struct table *build_table(struct document *document);
struct row *build_row(struct document *document);

struct note build_note_of(char *text, int is_warning);
/* A line below the table, whose text becomes its own. */
void build_note(struct document *document, struct table *table, char *text, int is_warning);

/* @return the row's next cell; one that nobody reads if there is none */
struct cell *build_cell(struct document *document, enum cell_kind kind);

/* The values of a share; 'is_given': as of cell_share_if() */
void build_share(const struct document *document, struct cell *cell, const struct weighted *part,
		 const struct weighted *whole, int is_given);

#endif
