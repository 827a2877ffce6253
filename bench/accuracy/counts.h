/* SPDX-License-Identifier: BSD-3-Clause */
/* What is counted of one event in one thread of one run: all that figures are made of. */
#ifndef ACCURACY_COUNTS_H
#define ACCURACY_COUNTS_H

#include "events.h"

/* Instructions of a kernel, at most */
#define SITES_MOST 128u
/* Instructions from the one that does what is counted to the one that the sample names: so many, or more */
#define SKIDS 4u
#define LAGS 16u

/* Which instructions samples name, one behind the other: what correlations with those before need. */
struct positions {
	uint64_t n;
	double sum, squares, products[LAGS];
	uint16_t first[LAGS], last[LAGS]; /* 'last': a ring, by n */
};

/* A sum that is as large, or larger, may have stopped there: files have numbers of 63 bits. */
#define COUNT_FULL ((uint64_t)INT64_MAX)

struct counts {
#define COUNT(name, meaning) uint64_t name;
#include "counts.def"
#undef COUNT
	uint64_t skid[SKIDS];
	uint64_t sites[SITES_MOST];
	struct positions positions;
};

/* What of a sample is judged */
struct seen_sample {
	uint64_t ip, address;
	uint32_t mode; /* MODE_*, or 0 for another */
};

/* Count a sample of a run with that kernel and memory. */
void counts_add_sample(struct counts *counts, const struct bench_event *event, const struct kernel *kernel,
		       const struct kernel_state *state, const struct seen_sample *sample);

/* Those of another thread or run; what positions say of each other is not added. */
void counts_add(struct counts *to, const struct counts *from);

/* The correlation of positions that far apart, from 1 to LAGS; NAN if nothing varies, or there are too few */
double positions_correlation(const struct positions *positions, uint32_t lag);

/* The last ones, in their order: how many, LAGS at most */
uint32_t positions_last(const struct positions *positions, uint16_t last[LAGS]);
/* What of positions is not in 'sites', 'products' and 'first', from these and the last ones in their order */
void positions_restore(struct counts *counts, const uint16_t last[LAGS]);

#endif
