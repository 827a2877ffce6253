/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a metric of one series better or worse than the same of another one? */
#ifndef ACCURACY_COMPARE_H
#define ACCURACY_COMPARE_H

#include "metrics.h"
#include "statistics/two_samples.h"

enum comparison_state {
	COMPARED,
	COMPARED_ONLY_BEFORE, /* the other has none */
	COMPARED_ONLY_AFTER,
	COMPARED_NEITHER,
	COMPARED_DEGENERATE, /* there is a difference, but no interval: runs all alike, or fewer than two */
	COMPARED_NOT         /* the metric is not one that can be judged so */
};

/* What the difference is, if it is one */
enum comparison_sense {
	SENSE_BETTER,
	SENSE_WORSE,
	SENSE_DIFFERS /* neither is better, or which one is, is not known */
};

struct comparison {
	enum comparison_state state;
	/*
	 * what is compared: of means that of the runs, which need not be the metric of all of them
	 * together
	 */
	struct metric_result before, after;
	struct tested tested; /* where it was compared; NAN: not known */
	enum comparison_sense sense;
	char says[METRIC_SAYS]; /* why it was not; else "" */
};

/* Both are of the same event with the same kernel and period. */
void metric_compare(enum metric metric, const struct series *before, const struct series *after,
		    struct comparison *comparison);

/* Has the metric a row in judged.def? */
int metric_is_told_how_to_judge(enum metric metric);

#endif
