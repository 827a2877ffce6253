/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for names: those that no row has any more go, and where rows have too many, the lighter rows. */
#ifndef ANALYSIS_BY_NAME_ROOM_H
#define ANALYSIS_BY_NAME_ROOM_H

#include "state.h"

/*
 * Between batches, when no sample waits that has a number of a name: if there are many, only those of rows
 * stay, and these are not more than fit. 0, 1 if rows had to go, or -1 if memory is short
 */
int by_names_bound(struct by *by);

/* The same, however few there are: of names that came from another run */
int by_names_settle(struct by *by);

/* Numbers of names in the rows' keys, which have others now: those of 'map', by the old ones */
void by_rows_rename(const struct by *by, struct by_rows *rows, uint32_t *map);

#endif
