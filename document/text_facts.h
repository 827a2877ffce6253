/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts as text: labels in one column, what is said of them in the next. */
#ifndef DOCUMENT_TEXT_FACTS_H
#define DOCUMENT_TEXT_FACTS_H

#include "output.h"
#include "statistics/figures.h"

/* Does text have anything of that list? */
int text_has_facts(const struct table *table);

void text_print_facts(struct output *output, const struct table *table);

#endif
