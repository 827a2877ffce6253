/* SPDX-License-Identifier: BSD-3-Clause */
/* A table as text: aligned columns, folded where they are wider than the output. */
#ifndef DOCUMENT_TEXT_TABLE_H
#define DOCUMENT_TEXT_TABLE_H

#include "output.h"
#include "statistics/figures.h"

#define TEXT_BOLD "\033[1m"
#define TEXT_FAINT "\033[2m"
#define TEXT_RED "\033[31m"
#define TEXT_GREEN "\033[32m"
#define TEXT_YELLOW "\033[33m"
#define TEXT_BLUE "\033[34m"
#define TEXT_PLAIN "\033[0m"

/* Room for each cell but a text, which may be longer */
#define TEXT_CELL 256u

void text_style(struct output *output, const char *code);
void text_pad(struct output *output, size_t count);

/* A cell that is no text, as it stands in a column or a list; 'is_utf8': of what characters */
void text_format_cell(const struct cell *cell, int is_utf8, char text[TEXT_CELL]);

/* Titles and rows of the document's table of that number. */
void text_print_table(struct output *output, const struct document *document, size_t number);

#endif
