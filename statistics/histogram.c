/* SPDX-License-Identifier: BSD-3-Clause */
/* See histogram.h. */
#include "statistics/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS (HISTOGRAM_VALUES / HISTOGRAM_BLOCK)

void histogram_free(struct histogram *histogram)
{
	size_t i;

	for (i = 0; i < BLOCKS; i++)
		free(histogram->block[i]);
	memset(histogram, 0, sizeof(*histogram));
}

uint64_t *histogram_block(struct histogram *histogram, uint16_t value)
{
	uint64_t **block = &histogram->block[value / HISTOGRAM_BLOCK];

	if (!*block)
		*block = calloc(HISTOGRAM_BLOCK, sizeof(**block));
	return *block;
}

int histogram_merge(struct histogram *histogram, const struct histogram *other, uint64_t times)
{
	size_t i, j;

	for (i = 0; i < BLOCKS; i++) {
		uint64_t *block;

		if (!other->block[i])
			continue;
		block = histogram_block(histogram, (uint16_t)(i * HISTOGRAM_BLOCK));
		if (!block)
			return -1;
		for (j = 0; j < HISTOGRAM_BLOCK; j++)
			block[j] += times * other->block[i][j];
	}
	return 0;
}

uint32_t histogram_next(const struct histogram *histogram, uint32_t from)
{
	while (from < HISTOGRAM_VALUES) {
		const uint64_t *block = histogram->block[from / HISTOGRAM_BLOCK];

		if (!block)
			from = (from / HISTOGRAM_BLOCK + 1) * HISTOGRAM_BLOCK;
		else if (block[from % HISTOGRAM_BLOCK] == 0)
			from++;
		else
			return from;
	}
	return HISTOGRAM_VALUES;
}
