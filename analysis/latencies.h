/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies that may need more than 16 bits, as those of PEBS, and what they weigh.
 *
 * Up to 65535 cycles each value is counted by itself. Of those beyond, which a
 * load has but in the rarest cases, number, sum and maximum are kept: a
 * percentile among them is not known, and is not told.
 */
#ifndef ANALYSIS_LATENCIES_H
#define ANALYSIS_LATENCIES_H

#include "statistics/table.h"
#include "statistics/histogram.h"
#include "statistics/mean.h"
#include "statistics/weighted.h"

/* Zeroed memory is empty. */
struct latencies {
	struct histogram exact;
	/* Likewise the sum of what the samples of each value weigh; NULL: each weighs 'base' */
	struct histogram *weights;
	uint64_t base;
	uint64_t beyond, largest; /* of the values that the histogram has no place for */
	double sum_beyond;        /* exact below 2^53 */
	uint64_t weight_beyond;   /* if not each weighs 'base': of these values, and times them */
	double weighed_beyond;
	struct weighted all;      /* the samples, which latencies_weigh() is told of */
};

void latencies_free(struct latencies *latencies);

/* Some that were allocated, and their memory; NULLs are none. */
void latencies_free_all(struct latencies **latencies, size_t count);

/* So many of a value, each as by latencies_add(). 0, or -1 if memory is short */
int latencies_add_times(struct latencies *latencies, uint64_t value, uint64_t times);

/* The low half of what counts this value; NULL: nothing does so far, and latencies_add() sees to it */
static inline uint32_t *latencies_cell(const struct latencies *latencies, uint64_t value)
{
	if (__builtin_expect(value < HISTOGRAM_VALUES, 1))
		return histogram_cell(&latencies->exact, (uint16_t)value);
	return NULL;
}

/* A value that weighs 'base', as all before it. 0, or -1 if memory is short */
static inline int latencies_add(struct latencies *latencies, uint64_t value)
{
	if (__builtin_expect(value < HISTOGRAM_VALUES, 1))
		return histogram_add(&latencies->exact, (uint16_t)value);
	return latencies_add_times(latencies, value, 1);
}

/* So many of a value, each as by latencies_add_weighed(), which weigh that together. 0, or -1 likewise */
int latencies_add_times_weighed(struct latencies *latencies, uint64_t value, uint64_t times,
				uint64_t weight);

/* One that weighs otherwise, or may. None by latencies_add() may follow. 0, or -1 likewise */
static inline int latencies_add_weighed(struct latencies *latencies, uint64_t value,
					uint64_t weight)
{
	if (__builtin_expect(value >= HISTOGRAM_VALUES || !latencies->weights, 0))
		return latencies_add_times_weighed(latencies, value, 1, weight);
	return histogram_add(&latencies->exact, (uint16_t)value) |
	       histogram_add_times(latencies->weights, (uint16_t)value, weight);
}

/* What samples weigh that were added one by one, or will be. */
static inline void latencies_weigh(struct latencies *latencies, const struct weighted *samples)
{
	weighted_add(&latencies->all, samples);
}

/* 0, or -1 if memory is short */
int latencies_merge(struct latencies *latencies, const struct latencies *other);

/* An array of them, NULLs being empty: what only the other has goes over. 0, or -1 likewise */
int latencies_merge_all(struct latencies **latencies, struct latencies **others, size_t count);

uint64_t latencies_count(const struct latencies *latencies);

/*
 * The samples of one value. Sums of squares are known of all values together alone: each has its share
 * of them as if the samples of a value weighed the same.
 */
struct weighted latencies_at(const struct latencies *latencies, uint16_t value, double factor);

/* That share, of all values the same */
double latencies_factor(const struct latencies *latencies);

/* Figures of all values. HISTOGRAM_VALUES: beyond the histogram, or not known */
enum { LATENCY_MEDIAN, LATENCY_P95, LATENCY_P99, LATENCY_PERCENTILES };

struct latency_percentile {
	uint32_t value, low, high; /* the 95% interval, as of cells_latencies() */
	int is_bounded; /* is it known not to be below all samples? */
};

struct latency_figures {
	double mean;
	struct interval of_mean; /* ends NAN: not known */
	uint64_t largest;
	struct latency_percentile percentile[LATENCY_PERCENTILES];
};

/* There is one or more. */
void latencies_tell_at(const struct latencies *latencies, struct confidence confidence,
		       struct latency_figures *told);

/* A latency in cycles: how many samples have one, and of these the mean and so on */
#define LATENCY_COLUMNS                                                                            \
	{ "latency_n", "n", COLUMN_N }, { "latency_mean", "mean", 0 },                             \
		{ "latency_median", "median", 0 }, { "latency_p95", "p95", 0 },                    \
		{ "latency_p99", "p99", 0 }, { "latency_max", "max", 0 },                          \
		{ "latency_median_low", NULL, 0 }, { "latency_median_high", NULL, 0 },             \
		{ "latency_p95_low", NULL, 0 }, { "latency_p95_high", NULL, 0 },                   \
		{ "latency_p99_low", NULL, 0 }, { "latency_p99_high", NULL, 0 },                   \
		{ "latency_mean_low", NULL, 0 }, { "latency_mean_high", NULL, 0 }

/*
 * Their cells. Ends of 95% intervals are absent where they are not known. A value is
 * within that of a percentile if the share of values up to it may be that percentage, by
 * weighted_interval() (Woodruff, "Confidence Intervals for Medians and Other Position Measures", Journal
 * of the American Statistical Association 47, 1952). That of the mean is spread_interval().
 */
void cells_latencies(struct document *document, const struct latencies *latencies);

/* Those of a key figure: percentiles with their intervals, in text of median and p99 alone, and n. */
#define KEY_LATENCY_COLUMNS                                                                        \
	{ "median", "median", 0 }, { "p95", "p95", 0 }, { "p99", "p99", 0 },                       \
		{ "n", "n", COLUMN_N }, { "median_low", NULL, 0 },                                 \
		{ "median_high", NULL, 0 }, { "p95_low", NULL, 0 }, { "p95_high", NULL, 0 },       \
		{ "p99_low", NULL, 0 }, { "p99_high", NULL, 0 }
void cells_latencies_in_short(struct document *document, const struct latencies *latencies);

/* A line below the table if percentiles are not told. */
void note_latencies(struct document *document, const struct latencies *latencies);

#endif
