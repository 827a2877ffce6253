/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one number of keys in an order: by their parents, and in each by a figure. */
#ifndef ANALYSIS_BY_LEVELS_H
#define ANALYSIS_BY_LEVELS_H

#include "figures.h"

struct by_level {
	struct by_figures_of *rows;
	uint32_t count;
};

/* All of these rows, 'order' 0. 0, or -1 if memory is short; to be freed in any case */
int by_level_open(struct by_level *level, const struct by_rows *rows);
void by_level_free(struct by_level *level);

/*
 * The largest 'order' first, then the heaviest. What is not known (NAN) comes last. Rows alike in all
 * that by their keys, which are the same in every run.
 */
void by_level_sort(struct by_level *level, uint32_t keys);

/* Those in a parent, of 'keys' keys (NULL: all): the first, and how many there are */
uint32_t by_level_first(const struct by_level *level, const struct by_row *parent, uint32_t keys);
uint32_t by_level_count(const struct by_level *level, uint32_t first, const struct by_row *parent,
			uint32_t keys);

#endif
