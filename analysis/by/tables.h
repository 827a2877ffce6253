/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in the order asked for, those of one key in those of the key before. */
#ifndef ANALYSIS_BY_TABLES_H
#define ANALYSIS_BY_TABLES_H

#include "state.h"

/* The columns that the request leaves open. */
void by_choose_columns(struct by *by);

/* 0, or -1 if memory is short */
int by_make_table_columns(struct by *by);

void by_tables(struct document *document, const struct by *by);

#endif
