/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies that may need more than 16 bits, as those of PEBS.
 *
 * Up to 65535 cycles each value is counted by itself. Of those beyond, which a
 * load has but in the rarest cases, number, sum and maximum are kept: a
 * percentile among them is not known, and is not told.
 */
#ifndef REPORT_LATENCIES_H
#define REPORT_LATENCIES_H

#include "document/table.h"
#include "statistics/histogram.h"

/* Zeroed memory is empty. */
struct latencies {
	struct histogram exact;
	uint64_t beyond, largest; /* of the values that the histogram has no place for */
	double sum_beyond;        /* exact below 2^53 */
};

void latencies_free(struct latencies *latencies);

/* 0, or -1 if memory is short */
int latencies_add(struct latencies *latencies, uint64_t value);
int latencies_merge(struct latencies *latencies, const struct latencies *other);

uint64_t latencies_count(const struct latencies *latencies);

/* The cells of LATENCY_COLUMNS (figures.h): n, mean, median, p95, p99, max. */
void cells_latencies(struct document *document, const struct latencies *latencies);

/* Those of a key figure: median, p95, p99, n. */
void cells_latencies_in_short(struct document *document, const struct latencies *latencies);

/* A line below the table if percentiles are not told. */
void note_latencies(struct document *document, const struct latencies *latencies);

#endif
