/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between recordings, row by row: of several runs each, the first ones against the others. */
#ifndef ANALYSIS_BY_COMPARE_H
#define ANALYSIS_BY_COMPARE_H

#include "state.h"

/* The columns of its tables: how many; there is room for TABLE_COLUMNS_MOST */
uint32_t by_compare_columns(const struct by *by, struct column *columns);

void by_compare(struct document *document, const struct by *by);

/* The event at a place of its kind in the n-th recording (from 0); NULL: it has no sample of it */
const struct by_event *by_compared_event(const struct by *by, uint32_t recording, uint32_t kind,
					 uint32_t place);
uint32_t by_compared_places(const struct by *by, uint32_t kind);

/*
 * Why the n-th recording (from 1) cannot be compared with the first one, in 'room'.
 * @return 1, or 0 if it can
 */
int by_refuses(const struct by *by, uint32_t n, char *room, size_t bytes);

#endif
