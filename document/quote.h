/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings from recordings and catalogues, made safe for where they are printed. */
#ifndef QUOTE_H
#define QUOTE_H

#include "output.h"

/* A CSV cell (RFC 4180), escaped as <precis/escape.h> tells: in quotes if it has a quote or a comma. */
void output_csv(struct output *output, const char *text);

/* What begins such a cell, or an item of a list in one, without quotes: it has neither. */
void output_cell_bytes(struct output *output, const char *text, size_t count);

/* A JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD. */
void output_json(struct output *output, const char *text);

/* The same without the quotes. */
void output_json_inside(struct output *output, const char *text);

/* For a terminal, escaped likewise. */
void output_plain(struct output *output, const char *text);
void output_plain_bytes(struct output *output, const char *text, size_t count);

/* Columns of a terminal that it takes then: a character each. */
size_t plain_width(const char *text);
size_t plain_width_bytes(const char *text, size_t count);

#endif
