/* SPDX-License-Identifier: BSD-3-Clause */
/* A document as text, JSON, CSV. None of these knows what it is about. */
#ifndef DOCUMENT_PRINT_H
#define DOCUMENT_PRINT_H

#include "output.h"
#include "statistics/figures.h"

void document_print_text(struct output *output, const struct document *document);
void document_print_json(struct output *output, const struct document *document);
void document_print_csv(struct output *output, const struct document *document);

#endif
