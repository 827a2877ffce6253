/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions instruction by instruction, with what samples say of each. */
#ifndef ANALYSIS_ANNOTATE_ANNOTATE_H
#define ANALYSIS_ANNOTATE_ANNOTATE_H

#include "analysis/by/state.h"

/* The columns and keys that it wants. */
void annotate_choose_columns(struct by *by);

/* Does a sample of that key count instruction by instruction? Others only count in the sums. */
int annotate_wants(struct by *by, const struct by_value *key);

void annotate_tables(struct document *document, const struct by *by);

/* Has anything that was asked for a sample? */
int annotate_is_there(const struct by *by);

/* The names of all functions that have samples */
void annotate_each_name(const struct by *by, void (*tell)(void *data, const char *name), void *data);

#endif
