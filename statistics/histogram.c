/* SPDX-License-Identifier: BSD-3-Clause */
/* See histogram.h. */
#include "statistics/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS (HISTOGRAM_VALUES / HISTOGRAM_BLOCK)

void histogram_free(struct histogram *histogram)
{
	for (size_t i = 0; i < BLOCKS; i++) {
		free(histogram->block[i]);
		if (histogram->high)
			free(histogram->high[i]);
	}
	free(histogram->high);
	memset(histogram, 0, sizeof(*histogram));
}

static uint32_t *block_at(uint32_t **blocks, uint16_t value)
{
	uint32_t **block = &blocks[value / HISTOGRAM_BLOCK];

	if (!*block)
		*block = calloc(HISTOGRAM_BLOCK, sizeof(**block));
	return *block;
}

uint32_t *histogram_block(struct histogram *histogram, uint16_t value)
{
	return block_at(histogram->block, value);
}

int histogram_carry(struct histogram *histogram, uint16_t value, uint32_t times)
{
	uint32_t *block;

	if (!histogram->high)
		histogram->high = calloc(BLOCKS, sizeof(*histogram->high));
	block = histogram->high ? block_at(histogram->high, value) : NULL;
	if (!block)
		return -1;
	block[value % HISTOGRAM_BLOCK] += times;
	return 0;
}

int histogram_carry_cell(struct histogram *histogram, const uint32_t *cell, uint32_t times)
{
	for (uint32_t n = 0; n < BLOCKS; n++) {
		const uint32_t *block = histogram->block[n];

		if (block && (uintptr_t)cell - (uintptr_t)block < HISTOGRAM_BLOCK * sizeof(*block))
			return histogram_carry(
				histogram,
				(uint16_t)(n * HISTOGRAM_BLOCK + (uint32_t)(cell - block)), times);
	}
	return -1;
}

/* Do low halves of all of the block, each with the other's, stay below 2^32? */
static int fits(const uint32_t *block, const uint32_t *other)
{
	uint32_t carries = 0;

	for (size_t n = 0; n < HISTOGRAM_BLOCK; n++)
		carries |= block[n] + other[n] < other[n];
	return !carries;
}

static int merge_values(struct histogram *histogram, const struct histogram *other, uint32_t first,
			uint64_t times)
{
	for (uint32_t value = first; value < first + HISTOGRAM_BLOCK; value++) {
		const uint64_t count = histogram_count(other, (uint16_t)value);

		if (count && histogram_add_times(histogram, (uint16_t)value, count * times) < 0)
			return -1;
	}
	return 0;
}

int histogram_merge(struct histogram *histogram, const struct histogram *other, uint64_t times)
{
	for (uint32_t n = 0; n < BLOCKS; n++) {
		const uint32_t first = n * HISTOGRAM_BLOCK;
		uint32_t *block;

		if (!other->block[n])
			continue;
		block = histogram_block(histogram, (uint16_t)first);
		if (!block)
			return -1;
		if (times == 1 && !other->high && fits(block, other->block[n])) {
			for (size_t at = 0; at < HISTOGRAM_BLOCK; at++)
				block[at] += other->block[n][at];
		} else if (merge_values(histogram, other, first, times) < 0) {
			return -1;
		}
	}
	return 0;
}

/* How many values from there on were not added, up to the end of the block */
static uint32_t count_zeros(const uint32_t *block, uint32_t from)
{
	uint32_t at = from;

	while (at + 4 <= HISTOGRAM_BLOCK && !(block[at] | block[at + 1] | block[at + 2] | block[at + 3]))
		at += 4;
	while (at < HISTOGRAM_BLOCK && !block[at])
		at++;
	return at - from;
}

/* The same of a block of which some count has a high half */
static uint32_t count_zeros_of_both(const uint32_t *block, const uint32_t *high, uint32_t from)
{
	uint32_t at = from;

	while (at < HISTOGRAM_BLOCK && !block[at] && !high[at])
		at++;
	return at - from;
}

uint32_t histogram_seek(const struct histogram *histogram, uint32_t from)
{
	while (from < HISTOGRAM_VALUES) {
		const uint32_t n = from / HISTOGRAM_BLOCK, end = (n + 1) * HISTOGRAM_BLOCK;
		const uint32_t *block = histogram->block[n];
		const uint32_t *high = histogram->high ? histogram->high[n] : NULL;

		if (!block)
			from = end;
		else if (high)
			from += count_zeros_of_both(block, high, from % HISTOGRAM_BLOCK);
		else
			from += count_zeros(block, from % HISTOGRAM_BLOCK);
		if (from < end)
			return from;
	}
	return HISTOGRAM_VALUES;
}

uint32_t histogram_last(const struct histogram *histogram)
{
	for (uint32_t n = BLOCKS; n > 0; n--) {
		const uint32_t first = (n - 1) * HISTOGRAM_BLOCK;

		for (uint32_t at = HISTOGRAM_BLOCK; histogram->block[n - 1] && at > 0; at--) {
			if (histogram_count(histogram, (uint16_t)(first + at - 1)))
				return first + at - 1;
		}
	}
	return HISTOGRAM_VALUES;
}

struct histogram_sums histogram_sums_of(const struct histogram *histogram, uint32_t first)
{
	const uint32_t *block = histogram->block[first / HISTOGRAM_BLOCK];
	const uint32_t *high = histogram->high ? histogram->high[first / HISTOGRAM_BLOCK] : NULL;
	struct histogram_sums sums = { 0 };

	/* each value is as often in the sum as counts have been added when its own has */
	for (uint32_t at = HISTOGRAM_BLOCK; block && at > 0; at--) {
		sums.sum += sums.count;
		sums.count += block[at - 1];
		if (high)
			sums.count += (uint64_t)high[at - 1] << 32;
	}
	sums.sum += sums.count * first;
	return sums;
}
