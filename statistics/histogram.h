/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A histogram of whole numbers from 0 to 65535, exact: one count for each value.
 *
 * It serves latencies (16-bit counters) and small counts alike. Counts are kept
 * in blocks of 256 values that are allocated when the first value falls into
 * them: 1 KiB each, 256 KiB for all. Of a count of 2^32 and more the high half is
 * kept apart, in blocks likewise.
 */
#ifndef STATISTICS_HISTOGRAM_H
#define STATISTICS_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_VALUES 65536u
#define HISTOGRAM_BLOCK 256u

/** Zeroed memory is an empty histogram. */
struct histogram {
	uint32_t *block[HISTOGRAM_VALUES / HISTOGRAM_BLOCK]; /* low halves; NULL: all zero */
	uint32_t **high; /* as many blocks; NULL: none is as large */
};

void histogram_free(struct histogram *histogram);

/** The block of a value, allocated if need be. @return NULL if memory is short */
uint32_t *histogram_block(struct histogram *histogram, uint16_t value);

/** The low half of a value's count; NULL if it and its neighbours were never added. */
static inline uint32_t *histogram_cell(const struct histogram *histogram, uint16_t value)
{
	uint32_t *block = histogram->block[value / HISTOGRAM_BLOCK];

	return block ? block + value % HISTOGRAM_BLOCK : NULL;
}

/** So many times 2^32 more of a value whose cell is there. @return 0, or -1 if memory is short */
int histogram_carry(struct histogram *histogram, uint16_t value, uint32_t times);

/** The same of the value that this cell of the histogram counts. */
int histogram_carry_cell(struct histogram *histogram, const uint32_t *cell, uint32_t times);

/** More into a cell. @return what is to be carried */
static inline uint32_t histogram_cell_add(uint32_t *cell, uint64_t times)
{
	const uint64_t sum = *cell + times;

	*cell = (uint32_t)sum;
	return (uint32_t)(sum >> 32);
}

/** Count a value so many times. @return 0, or -1 if memory is short */
static inline int histogram_add_times(struct histogram *histogram, uint16_t value, uint64_t times)
{
	uint32_t *cell = histogram_cell(histogram, value), carry;

	if (__builtin_expect(!cell, 0)) {
		if (!histogram_block(histogram, value))
			return -1;
		cell = histogram_cell(histogram, value);
	}
	carry = histogram_cell_add(cell, times);
	return __builtin_expect(carry != 0, 0) ? histogram_carry(histogram, value, carry) : 0;
}

/** Count a value. @return 0, or -1 if memory is short */
static inline int histogram_add(struct histogram *histogram, uint16_t value)
{
	return histogram_add_times(histogram, value, 1);
}

/** Add all values of another histogram so many times. @return 0, or -1 if memory is short */
int histogram_merge(struct histogram *histogram, const struct histogram *other, uint64_t times);

/** How often a value was added. */
static inline uint64_t histogram_count(const struct histogram *histogram, uint16_t value)
{
	const uint32_t *cell = histogram_cell(histogram, value);
	const uint32_t *high = histogram->high ? histogram->high[value / HISTOGRAM_BLOCK] : NULL;

	if (!cell)
		return 0;
	return *cell | (high ? (uint64_t)high[value % HISTOGRAM_BLOCK] << 32 : 0);
}

/** The largest value that was added at all. @return HISTOGRAM_VALUES if there is none */
uint32_t histogram_last(const struct histogram *histogram);

/** Of a block, HISTOGRAM_BLOCK values from 'first' on, how many were added, and their sum */
struct histogram_sums {
	uint64_t count, sum;
};
struct histogram_sums histogram_sums_of(const struct histogram *histogram, uint32_t first);

/** Out of line part of histogram_next(). */
uint32_t histogram_seek(const struct histogram *histogram, uint32_t from);

/**
 * The next value that was added at all, for walking over them in order.
 * @param from  the first candidate
 * @return HISTOGRAM_VALUES if there is none
 */
static inline uint32_t histogram_next(const struct histogram *histogram, uint32_t from)
{
	if (from < HISTOGRAM_VALUES && histogram_count(histogram, (uint16_t)from))
		return from;
	return histogram_seek(histogram, from);
}

#endif
