/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of tables that depend on what samples tell, kept as long as documents may refer to them. */
#ifndef ANALYSIS_BY_OWN_COLUMNS_H
#define ANALYSIS_BY_OWN_COLUMNS_H

#include "statistics/figures.h"

#define OWN_COLUMN_NAME 64u

struct by_own_columns {
	struct by_own_columns *next;
	struct column columns[TABLE_COLUMNS_MOST];
	uint32_t count;
	char names[TABLE_COLUMNS_MOST][OWN_COLUMN_NAME], titles[TABLE_COLUMNS_MOST][OWN_COLUMN_NAME];
};

/* The first of a list then; NULL if memory is short */
struct by_own_columns *own_columns_new(struct by_own_columns **list);
void own_columns_free(struct by_own_columns *list);

/* One more, if there is room; both texts are copied, and may be NULL. */
void own_columns_add(struct by_own_columns *columns, const char *name, const char *title, uint32_t role);

#endif
