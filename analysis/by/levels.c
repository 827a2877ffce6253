/* SPDX-License-Identifier: BSD-3-Clause */
/* See levels.h. */
#define _GNU_SOURCE /* qsort_r() */
#include "levels.h"

#include <math.h>
#include <stdlib.h>

int by_level_open(struct by_level *level, const struct by_rows *rows)
{
	level->rows = calloc(rows->count + 1, sizeof(*level->rows));
	if (!level->rows)
		return -1;
	level->count = rows->count;
	for (uint32_t n = 0; n < rows->count; n++)
		level->rows[n] = (struct by_figures_of){ .row = by_row(rows, n), .number = n };
	return 0;
}

void by_level_free(struct by_level *level)
{
	free(level->rows);
}

static int compare_keys(const struct by_value *a, const struct by_value *b, uint32_t keys)
{
	for (uint32_t n = 0; n < keys; n++) {
		if (a[n].a != b[n].a)
			return a[n].a < b[n].a ? -1 : 1;
		if (a[n].b != b[n].b)
			return a[n].b < b[n].b ? -1 : 1;
	}
	return 0;
}

static int in_order(const void *a, const void *b, void *keys)
{
	const struct by_figures_of *left = a, *right = b;
	const uint32_t parents = *(const uint32_t *)keys - 1;
	int order = compare_keys(left->row->key, right->row->key, parents);

	if (!order && isnan(left->order) != isnan(right->order))
		order = isnan(left->order) ? 1 : -1;
	if (!order && left->order != right->order)
		order = left->order > right->order ? -1 : 1;
	if (!order && left->row->weight != right->row->weight)
		order = left->row->weight > right->row->weight ? -1 : 1;
	return order ? order : compare_keys(left->row->key, right->row->key, parents + 1);
}

void by_level_sort(struct by_level *level, uint32_t keys)
{
	qsort_r(level->rows, level->count, sizeof(*level->rows), in_order, &keys);
}

uint32_t by_level_first(const struct by_level *level, const struct by_row *parent, uint32_t keys)
{
	uint32_t low = 0, high = parent ? level->count : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_keys(level->rows[middle].row->key, parent->key, keys) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t by_level_count(const struct by_level *level, uint32_t first, const struct by_row *parent,
			uint32_t keys)
{
	uint32_t count = 0;

	if (!parent)
		return level->count;
	while (first + count < level->count &&
	       !compare_keys(level->rows[first + count].row->key, parent->key, keys))
		count++;
	return count;
}
