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

/* Around the mean that is known: no cancellation as in the difference of two large sums */
static double deviation(const struct histogram *histogram, uint64_t count, double mean)
{
	double squares = 0;
	uint32_t value;

	if (count < 2)
		return 0;
	for (value = histogram_next(histogram, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(histogram, value + 1)) {
		double distance = value - mean;

		squares +=
			distance * distance * (double)histogram_count(histogram, (uint16_t)value);
	}
	return sqrt(squares / (double)(count - 1));
}

void histogram_summarize(const struct histogram *histogram, struct histogram_summary *summary)
{
	uint32_t value;

	memset(summary, 0, sizeof(*summary));
	for (value = histogram_next(histogram, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(histogram, value + 1)) {
		uint64_t count = histogram_count(histogram, (uint16_t)value);

		if (summary->count == 0)
			summary->min = value;
		summary->max = value;
		summary->count += count;
		summary->sum += count * value;
	}
	if (summary->count == 0)
		return;
	summary->mean = (double)summary->sum / (double)summary->count;
	summary->deviation = deviation(histogram, summary->count, summary->mean);
}

static uint64_t count_all(const struct histogram *histogram)
{
	uint64_t count = 0;
	size_t i, j;

	for (i = 0; i < BLOCKS; i++) {
		if (!histogram->block[i])
			continue;
		for (j = 0; j < HISTOGRAM_BLOCK; j++)
			count += histogram->block[i][j];
	}
	return count;
}

/* ceil(count * numerator / denominator) without an overflow */
static uint64_t nearest_rank(uint64_t count, uint32_t numerator, uint32_t denominator)
{
	uint64_t whole = count / denominator * numerator;
	uint64_t rest = (count % denominator * numerator + denominator - 1) / denominator;

	return whole + rest > 0 ? whole + rest : 1;
}

uint32_t histogram_percentile(const struct histogram *histogram, uint32_t numerator,
			      uint32_t denominator)
{
	uint64_t count = count_all(histogram);
	uint64_t rank, seen = 0;
	uint32_t value;

	if (count == 0 || denominator == 0 || numerator > denominator)
		return 0;
	rank = nearest_rank(count, numerator, denominator);
	for (value = histogram_next(histogram, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(histogram, value + 1)) {
		seen += histogram_count(histogram, (uint16_t)value);
		if (seen >= rank)
			break;
	}
	return value;
}
