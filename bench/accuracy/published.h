/* SPDX-License-Identifier: BSD-3-Clause */
/* What has been published of the same formulas, and whether a series may be compared with it. */
#ifndef ACCURACY_PUBLISHED_H
#define ACCURACY_PUBLISHED_H

#include "metrics.h"

enum published_relation {
	PUBLISHED_IS,
	PUBLISHED_LEAST, /* the value or more */
	PUBLISHED_NONE   /* no number: 'where' says why */
};

struct published {
	const char *event, *kernel, *machine, *where;
	uint32_t together; /* events that were measured at the same time */
	enum metric metric;
	enum published_relation relation;
	double value; /* in the metric's unit; NAN of PUBLISHED_NONE */
	uint64_t period;
};

/* Rows that may stand beside one figure, at most */
#define PUBLISHED_MOST 8u
#define PUBLISHED_SAYS 320

/* Row n; NULL past the last one. */
const struct published *published_at(size_t n);

/*
 * What there is of that event, measured with as many others, and of that metric: with the same kernel, or if
 * none is the first one of the table, and with the nearest period. How many.
 */
size_t published_beside(const struct series *series, enum metric metric,
			const struct published *found[PUBLISHED_MOST]);

/*
 * In what the set-up of a series differs from the published one: kernel, period, turns, runs, threads. 1,
 * or 0 and all of it, in words. A series has one run or more.
 */
int published_is_comparable(const struct series *series, const struct published *published,
			    char says[PUBLISHED_SAYS]);

#endif
