/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies that may need more than 16 bits, as those of PEBS.
 *
 * Up to 65535 cycles each value is counted by itself. Of those beyond, which a
 * load has but in the rarest cases, number, sum and maximum are kept: a
 * percentile among them is not known, and is not told.
 */
#ifndef ANALYSIS_LATENCIES_H
#define ANALYSIS_LATENCIES_H

#include "statistics/table.h"
#include "statistics/histogram.h"

/* Zeroed memory is empty. */
struct latencies {
	struct histogram exact;
	uint64_t beyond, largest; /* of the values that the histogram has no place for */
	double sum_beyond;        /* exact below 2^53 */
};

void latencies_free(struct latencies *latencies);

/* Some that were allocated, and their memory; NULLs are none. */
void latencies_free_all(struct latencies **latencies, size_t count);

/* Out of line part of latencies_add(). */
void latencies_add_beyond(struct latencies *latencies, uint64_t value);

/* What counts this value; NULL: none does so far, latencies_add() does whatever is to be done */
static inline uint64_t *latencies_cell(const struct latencies *latencies, uint64_t value)
{
	if (__builtin_expect(value < HISTOGRAM_VALUES, 1))
		return histogram_cell(&latencies->exact, (uint16_t)value);
	return NULL;
}

/* 0, or -1 if memory is short */
static inline int latencies_add(struct latencies *latencies, uint64_t value)
{
	if (__builtin_expect(value < HISTOGRAM_VALUES, 1))
		return histogram_add(&latencies->exact, (uint16_t)value);
	latencies_add_beyond(latencies, value);
	return 0;
}

/* 0, or -1 if memory is short */
int latencies_merge(struct latencies *latencies, const struct latencies *other);

/* An array of them, NULLs being empty: what only the other has goes over. 0, or -1 likewise */
int latencies_merge_all(struct latencies **latencies, struct latencies **others, size_t count);

uint64_t latencies_count(const struct latencies *latencies);

/* A latency in cycles: how many samples have one, and of these the mean and so on */
#define LATENCY_COLUMNS                                                                            \
	{ "latency_n", "n", COLUMN_N }, { "latency_mean", "mean", 0 },                             \
		{ "latency_median", "median", 0 }, { "latency_p95", "p95", 0 },                    \
		{ "latency_p99", "p99", 0 }, { "latency_max", "max", 0 }

/* Their cells */
void cells_latencies(struct document *document, const struct latencies *latencies);

/* Those of a key figure: median, p95, p99, n. */
void cells_latencies_in_short(struct document *document, const struct latencies *latencies);

/* A line below the table if percentiles are not told. */
void note_latencies(struct document *document, const struct latencies *latencies);

#endif
