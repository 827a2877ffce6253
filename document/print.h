/* SPDX-License-Identifier: BSD-3-Clause */
/* A report's document as text, JSON, CSV. None of these knows a section by name. */
#ifndef DOCUMENT_PRINT_H
#define DOCUMENT_PRINT_H

#include "json.h"
#include "output.h"
#include "table.h"

void report_print_text(struct output *output, const struct document *document);
void report_print_json(struct output *output, const struct document *document);
void report_print_csv(struct output *output, const struct document *document);

/* The tables as members of an object that is open. */
void report_json_tables(struct json *json, const struct document *document);

#endif
