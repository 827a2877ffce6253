/* SPDX-License-Identifier: BSD-3-Clause */
/* See published.h. */
#include "published.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The set-up that all rows of published.def have in common */
#define PAPER_RUNS 5u
#define PAPER_THREADS 1u

#define ZEN_2 "AMD Zen 2"
#define ZEN_3 "AMD Zen 3"
#define CASCADE_LAKE "Intel Cascade Lake, less surely"
#define AMD_ANY "AMD Zen 2 and Zen 3"
#define INTEL_ANY "Intel Skylake and Cascade Lake"

static const struct published rows[] = {
#define PUBLISHED(event, together, kernel, metric, relation, value, machine, where, period)        \
	{ #event, kernel, machine, where, together, METRIC_##metric, PUBLISHED_##relation, value,  \
	  period },
#include "published.def"
#undef PUBLISHED
};

const struct published *published_at(size_t n)
{
	return n < sizeof(rows) / sizeof(rows[0]) ? &rows[n] : NULL;
}

/* How many events are measured at the same time */
static uint32_t together_of(const struct series *series)
{
	return series->count && series->runs[0].events ? series->runs[0].events : 1;
}

static int is_of(const struct published *row, const struct series *series, enum metric metric)
{
	return row->metric == metric && row->together == together_of(series) &&
	       strcmp(row->event, series->event->name) == 0;
}

/* The kernel whose rows stand beside it: its own, or the first one that there is; NULL: there is no row */
static const char *kernel_of(const struct series *series, enum metric metric)
{
	const char *first = NULL;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		if (!is_of(&rows[n], series, metric))
			continue;
		if (strcmp(rows[n].kernel, series->kernel->name) == 0)
			return rows[n].kernel;
		first = first ? first : rows[n].kernel;
	}
	return first;
}

/* By which factor, in logarithms, a period is another */
static double distance(uint64_t period, uint64_t other)
{
	return fabs(log((double)period / (double)other));
}

size_t published_beside(const struct series *series, enum metric metric,
			const struct published *found[PUBLISHED_MOST])
{
	const char *kernel = kernel_of(series, metric);
	double nearest = INFINITY;
	size_t count = 0;

	for (size_t n = 0; kernel && n < sizeof(rows) / sizeof(rows[0]); n++) {
		const double by = distance(rows[n].period, series->period);

		if (!is_of(&rows[n], series, metric) || strcmp(rows[n].kernel, kernel) != 0 || by > nearest)
			continue;
		if (by < nearest)
			count = 0;
		nearest = by;
		if (count < PUBLISHED_MOST)
			found[count++] = &rows[n];
	}
	return count;
}

/* What is said so far, and one thing more */
__attribute__((format(printf, 2, 3))) static void add(char says[PUBLISHED_SAYS], const char *format, ...)
{
	const size_t used = strlen(says);
	va_list arguments;
	char what[128];

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	snprintf(says + used, PUBLISHED_SAYS - used, "%s%s", used ? ", " : "not comparable: ", what);
}

/*
 * Turns that are not as many, of the same kernel, are another length; of another one they say nothing
 * more.
 */
static void compare_turns(const struct series *series, char says[PUBLISHED_SAYS])
{
	const struct run *run = &series->runs[0];
	const uint64_t turns = run->thread[0].outer * run->inner;
	const uint64_t papers = series->kernel->paper_outer * series->kernel->inner;

	if (turns != papers)
		add(says, "other number of turns (%" PRIu64 ", there %" PRIu64 ")", turns, papers);
}

int published_is_comparable(const struct series *series, const struct published *published,
			    char says[PUBLISHED_SAYS])
{
	*says = '\0';
	if (strcmp(published->kernel, series->kernel->name) != 0)
		add(says, "other kernel (there %s)", published->kernel);
	else
		compare_turns(series, says);
	if (published->period != series->period)
		add(says, "other period (there %" PRIu64 ")", published->period);
	if (series->count != PAPER_RUNS)
		add(says, "other number of runs (%" PRIu32 ", there %u)", series->count, PAPER_RUNS);
	if (series->runs[0].threads != PAPER_THREADS)
		add(says, "other number of threads (%" PRIu32 ", there %u)", series->runs[0].threads,
		    PAPER_THREADS);
	if (*says)
		return 0;
	snprintf(says, PUBLISHED_SAYS, "comparable");
	return 1;
}
