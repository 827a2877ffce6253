/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stands beside which figure, and what may be compared: with the paper's own counts and set-up the
 * figures measured are the published ones, and each departure from that set-up is named.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/accuracy/judge.h"
#include "bench/accuracy/published.h"
#include "kernels_here.h"
#include "tests/support/tap.h"

#define RUNS 6u
#define PAPER_RUNS 5u
#define PERIOD 100000u

/* What a published figure may be off by: one of the paper's last digits, in points */
#define LAST_DIGIT 0.01

static const struct accuracy_row {
	int figure;
	const char *event, *misses;
	uint64_t expected, samples[PAPER_RUNS];
} counted[] = {
#define ACCURACY(figure, event, misses, expected, a, b, c, d, e, accuracy, deviation)              \
	{ figure, event, misses, expected, { a, b, c, d, e } },
#define OVERHEAD(...)
#include "published_counts.def"
#undef ACCURACY
#undef OVERHEAD
};

/* What the paper's sheets call our events */
static const struct {
	const char *sheet, *event;
} names[] = {
	{ "IBS fetch", "ibs_fetch" },
	{ "IBS op", "ibs_op" },
	{ "IBS op, misses", "ibs_l1_misses" },
	{ "PEBS instructions", "pebs_instructions" },
	{ "PEBS misses", "pebs_l1_misses" },
};

struct made {
	struct run runs[RUNS];
	struct series series;
};

static struct made make(const char *event, const char *kernel, uint32_t events, uint32_t threads)
{
	struct made made = { .series = { .period = PERIOD, .count = PAPER_RUNS } };

	made.series.event = event_named(event, strlen(event));
	made.series.kernel = kernel_named(kernel);
	CU_ASSERT_PTR_NOT_NULL_FATAL(made.series.event);
	CU_ASSERT_PTR_NOT_NULL_FATAL(made.series.kernel);
	for (uint32_t n = 0; n < RUNS; n++) {
		CU_ASSERT_EQUAL_FATAL(run_allocate(&made.runs[n], threads, events), 0);
		made.runs[n].inner = made.series.kernel->inner;
		for (uint32_t thread = 0; thread < threads; thread++)
			made.runs[n].thread[thread].outer = made.series.kernel->paper_outer;
	}
	return made;
}

static struct series series_of(const struct made *made)
{
	struct series series = made->series;

	series.runs = made->runs;
	return series;
}

static void unmake(struct made *made)
{
	for (uint32_t n = 0; n < RUNS; n++)
		run_free(&made->runs[n]);
}

static const char *event_of(const char *sheet)
{
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		if (strcmp(names[n].sheet, sheet) == 0)
			return names[n].event;
	}
	return "";
}

/* The row of that figure beside a series; NULL: there is none */
static const struct published *row_of(const struct series *series, enum metric metric, const char *where)
{
	const struct published *found[PUBLISHED_MOST];
	const size_t count = published_beside(series, metric, found);

	for (size_t n = 0; n < count; n++) {
		if (strcmp(found[n]->where, where) == 0)
			return found[n];
	}
	return NULL;
}

/* The paper's counts and set-up make the paper's figures, which then may be compared. */
static void same_counts(void)
{
	static const enum metric metrics[] = { METRIC_accuracy, METRIC_stability };

	if (!there_are_kernels())
		return;
	for (size_t n = 0; n < sizeof(counted) / sizeof(counted[0]); n++) {
		char kernel[32], where[32], says[PUBLISHED_SAYS];
		struct made made;
		struct series series;

		snprintf(kernel, sizeof(kernel), "accuracy%s", counted[n].misses + 2);
		snprintf(where, sizeof(where), "figure %d", counted[n].figure);
		made = make(event_of(counted[n].event), kernel, 1, 1);
		for (uint32_t run = 0; run < PAPER_RUNS; run++) {
			struct counts *counts = run_counts(&made.runs[run], 0, 0);

			counts->truth = counted[n].expected * PERIOD;
			counts->samples = counts->all = counted[n].samples[run];
		}
		series = series_of(&made);
		for (size_t m = 0; m < 2; m++) {
			const struct published *there = row_of(&series, metrics[m], where);
			/* the same formula, of which fetches have no truth of their own here */
			struct series known = series;

			CU_ASSERT_PTR_NOT_NULL_FATAL(there);
			known.event = event_named("pebs_instructions", 17);
			CU_ASSERT_DOUBLE_EQUAL(metric_of(metrics[m], &known).value, there->value, LAST_DIGIT);
			CU_ASSERT_EQUAL(published_is_comparable(&series, there, says), 1);
			CU_ASSERT_STRING_EQUAL(says, "comparable");
		}
		unmake(&made);
	}
}

/* One thing is another than there: that is said, and nothing else. */
static void is_named(struct made *made, const char *what)
{
	const struct series series = series_of(made);
	const struct published *found[PUBLISHED_MOST];
	const size_t count = published_beside(&series, METRIC_accuracy, found);
	char says[PUBLISHED_SAYS];

	CU_ASSERT_TRUE_FATAL(count > 0);
	CU_ASSERT_EQUAL(published_is_comparable(&series, found[0], says), 0);
	CU_ASSERT_STRING_EQUAL(says, what);
	unmake(made);
}

static void departures(void)
{
	struct made made;

	if (!there_are_kernels())
		return;
	made = make("ibs_op", "accuracy20", 1, 1);
	made.series.period = 100016;
	is_named(&made, "not comparable: other period (there 100000)");
	made = make("ibs_op", "alu20", 1, 1);
	is_named(&made, "not comparable: other kernel (there accuracy20)");
	made = make("ibs_op", "accuracy20", 1, 1);
	made.series.count = 6;
	is_named(&made, "not comparable: other number of runs (6, there 5)");
	made = make("ibs_op", "accuracy20", 1, 2);
	is_named(&made, "not comparable: other number of threads (2, there 1)");
	made = make("ibs_op", "accuracy20", 1, 1);
	made.runs[0].thread[0].outer = 100;
	is_named(&made, "not comparable: other number of turns (100000, there 1000000000)");
	made = make("pebs_loads", "multi_event", 5, 1);
	made.series.count = 2;
	made.series.period = 7;
	is_named(&made, "not comparable: other period (there 100000), other number of runs (2, there 5)");
}

/* Measured as one of several, an event stands beside the figure of as many; alone beside that of one. */
static void together(void)
{
	static const struct {
		uint32_t events;
		double accuracy;
	} rows[] = { { 1, 99.984 }, { 4, 99.98 }, { 5, 80.012 }, { 6, 66.812 } };

	if (!there_are_kernels())
		return;
	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct made made = make("pebs_loads", "multi_event", rows[n].events, 1);
		const struct series series = series_of(&made);
		const struct published *there = row_of(&series, METRIC_accuracy, "figure 12");

		CU_ASSERT_PTR_NOT_NULL_FATAL(there);
		CU_ASSERT_EQUAL(there->value, rows[n].accuracy);
		unmake(&made);
	}
}

/* The nearest period's figure stands beside it; where the paper has none a reason does. */
static void periods(void)
{
	static const struct {
		uint64_t period, nearest;
		double value;
	} rows[] = {
		{ 20000, 10000, 41.0232 }, { 10000, 10000, 41.0232 }, { 900000, 1000000, 89.26 },
		{ 1104, 1000, NAN }, { 112, 100, NAN },
	};

	if (!there_are_kernels())
		return;
	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct made made = make("ibs_l1_misses", "accuracy20", 1, 1);
		const struct published *found[PUBLISHED_MOST];
		struct series series;

		made.series.period = rows[n].period;
		series = series_of(&made);
		CU_ASSERT_EQUAL_FATAL(published_beside(&series, METRIC_accuracy, found), 1);
		CU_ASSERT_EQUAL(found[0]->period, rows[n].nearest);
		CU_ASSERT_EQUAL(found[0]->relation == PUBLISHED_NONE, isnan(rows[n].value) != 0);
		CU_ASSERT_TRUE(isnan(rows[n].value) || found[0]->value == rows[n].value);
		unmake(&made);
	}
}

/* What the paper has no figure of stands beside none: our own formulas, and events of software. */
static void no_counterpart(void)
{
	const struct published *found[PUBLISHED_MOST];

	if (!there_are_kernels())
		return;
	for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
		struct made op = make("ibs_op", "accuracy20", 1, 1),
			    page = make("page_faults", "touch", 1, 1);
		const struct series of_op = series_of(&op), of_page = series_of(&page);

		CU_ASSERT_EQUAL(published_beside(&of_page, metric, found), 0);
		CU_ASSERT_TRUE(metric_info(metric)->is_papers ||
			       published_beside(&of_op, metric, found) == 0);
		unmake(&op);
		unmake(&page);
	}
}

/* Each row is of an event, a kernel and a formula that there are, and has a number or none. */
static void table(void)
{
	const struct published *row;

	for (size_t n = 0; (row = published_at(n)); n++) {
		CU_ASSERT_PTR_NOT_NULL(event_named(row->event, strlen(row->event)));
		CU_ASSERT_TRUE(metric_info(row->metric)->is_papers);
		CU_ASSERT_EQUAL(isnan(row->value) != 0, row->relation == PUBLISHED_NONE);
		CU_ASSERT_TRUE(row->period > 0 && row->together > 0 && *row->where && *row->machine);
		if (!kernels_why_not() && strcmp(row->kernel, "module") != 0) {
			CU_ASSERT_PTR_NOT_NULL_FATAL(kernel_named(row->kernel));
			CU_ASSERT_NOT_EQUAL(kernel_named(row->kernel)->paper_outer, 0);
		}
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "rows", table },
		{ "the paper's counts make its figures, and are comparable", same_counts },
		{ "each departure from its set-up is named", departures },
		{ "several events at the same time", together },
		{ "periods", periods },
		{ "what has no counterpart", no_counterpart },
	};

	return tap_main("bench_published", cases, sizeof(cases) / sizeof(cases[0]));
}
