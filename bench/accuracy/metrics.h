/* SPDX-License-Identifier: BSD-3-Clause */
/* What counts say of an event's samples: each metric is a figure or a reason why there is none. */
#ifndef ACCURACY_METRICS_H
#define ACCURACY_METRICS_H

#include "measure.h"

enum metric {
#define METRIC(name, unit, origin, side, bound, step, meaning) METRIC_##name,
#include "metrics.def"
#undef METRIC
	METRIC_COUNT
};

enum metric_side { METRIC_NONE, METRIC_MOST, METRIC_LEAST };

/* What one sample more or less makes of it (metrics.def) */
enum metric_step { STEP_UNTOLD, STEP_EVENTS, STEP_PERIOD, STEP_SAMPLES, STEP_ONE };

struct metric_info {
	const char *name, *unit, *meaning;
	int is_papers;
	enum metric_side side;
	double bound;
	enum metric_step step;
};

const struct metric_info *metric_info(enum metric metric);
/* METRIC_COUNT: there is no such */
enum metric metric_named(const char *name, size_t length);

/* Of a series, at most */
#define RUNS_MOST 1000u

/* Runs of the same: an event of a set, a kernel, a period, a number of threads */
struct series {
	const struct kernel *kernel;
	const struct bench_event *event;
	uint32_t member; /* which of the events that were measured at the same time */
	uint64_t period;
	uint32_t threads; /* at the same time */
	const struct run *runs, *bare; /* with the events, and without any; 'bare' may be NULL */
	uint32_t count;
	/*
	 * Those of the same event and kernel with all periods, this one among them; NULL: there is but
	 * this
	 */
	const struct series *sweep;
	uint32_t sweep_count;
};

enum metric_verdict {
	VERDICT_NONE,  /* it has no bound */
	VERDICT_OK,    /* not certainly worse */
	VERDICT_WORSE
};

#define METRIC_SAYS 160

struct metric_result {
	int is_there;
	double value;
	double low, high; /* of 95%; NAN: there is none */
	double floor;     /* what chance, or one sample more or less, makes; NAN: that is not told */
	uint64_t n;       /* samples, or runs, that it comes from */
	enum metric_verdict verdict;
	char says[METRIC_SAYS]; /* why it is not there; else what may be said of it, or "" */
};

/* By another bound than the table's */
enum metric_verdict metric_verdict(enum metric metric, const struct metric_result *result, double bound);

/* The paper's formulas */
double mean_of(const double *values, uint32_t count);
/* The sample's standard deviation, n - 1; NAN of fewer than 2 */
double deviation_of(const double *values, uint32_t count);

#endif
