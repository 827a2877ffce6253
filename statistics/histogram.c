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

static void add_block(uint64_t *block, const uint64_t *other, uint64_t times)
{
	if (times == 1) {
		for (size_t n = 0; n < HISTOGRAM_BLOCK; n++)
			block[n] += other[n];
		return;
	}
	for (size_t n = 0; n < HISTOGRAM_BLOCK; n++)
		block[n] += times * other[n];
}

/* A block that has no other counts so far; NULL if memory is short */
static uint64_t *copy_block(const uint64_t *other, uint64_t times)
{
	uint64_t *block = malloc(HISTOGRAM_BLOCK * sizeof(*block));

	for (size_t n = 0; block && n < HISTOGRAM_BLOCK; n++)
		block[n] = times * other[n];
	return block;
}

int histogram_merge(struct histogram *histogram, const struct histogram *other, uint64_t times)
{
	for (size_t n = 0; n < BLOCKS; n++) {
		if (!other->block[n])
			continue;
		if (histogram->block[n])
			add_block(histogram->block[n], other->block[n], times);
		else if (!(histogram->block[n] = copy_block(other->block[n], times)))
			return -1;
	}
	return 0;
}

/* How many values from there on were not added, up to the end of the block */
static uint32_t count_zeros(const uint64_t *block, uint32_t from)
{
	uint32_t at = from;

	while (at + 4 <= HISTOGRAM_BLOCK && !(block[at] | block[at + 1] | block[at + 2] | block[at + 3]))
		at += 4;
	while (at < HISTOGRAM_BLOCK && !block[at])
		at++;
	return at - from;
}

uint32_t histogram_seek(const struct histogram *histogram, uint32_t from)
{
	while (from < HISTOGRAM_VALUES) {
		const uint64_t *block = histogram->block[from / HISTOGRAM_BLOCK];
		const uint32_t end = (from / HISTOGRAM_BLOCK + 1) * HISTOGRAM_BLOCK;

		if (block)
			from += count_zeros(block, from % HISTOGRAM_BLOCK);
		else
			from = end;
		if (from < end)
			return from;
	}
	return HISTOGRAM_VALUES;
}

uint32_t histogram_last(const struct histogram *histogram)
{
	for (uint32_t n = BLOCKS; n > 0; n--) {
		const uint64_t *block = histogram->block[n - 1];

		for (uint32_t at = HISTOGRAM_BLOCK; block && at > 0; at--) {
			if (block[at - 1])
				return (n - 1) * HISTOGRAM_BLOCK + at - 1;
		}
	}
	return HISTOGRAM_VALUES;
}

struct histogram_sums histogram_sums_of(const struct histogram *histogram, uint32_t first)
{
	const uint64_t *block = histogram->block[first / HISTOGRAM_BLOCK];
	struct histogram_sums sums = { 0 };

	/* each value is as often in the sum as counts have been added when its own has */
	for (uint32_t at = HISTOGRAM_BLOCK; block && at > 0; at--) {
		sums.sum += sums.count;
		sums.count += block[at - 1];
	}
	sums.sum += sums.count * first;
	return sums;
}
