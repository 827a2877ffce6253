/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See compare.h. Runs are what is independent: the metric of each run by itself is a value, and what
 * these values differ by is what chance makes.
 */
#include "compare.h"

#include <stdio.h>
#include <string.h>

#include "judge.h"
#include "series.h"

enum kind { UNTOLD, NOT, MEAN, SHARE };
enum best { LESS, MORE, NEAR_0, NEITHER };

static const struct judged {
	enum kind kind;
	enum best best;
	const char *why;
} judged[METRIC_COUNT] = {
#define JUDGED(metric, kind, best, why) [METRIC_##metric] = { kind, best, why },
#include "judged.def"
#undef JUDGED
};

int metric_is_told_how_to_judge(enum metric metric)
{
	return judged[metric].kind != UNTOLD;
}

/* --- runs --- */

static struct series one_run(const struct series *series, uint32_t n)
{
	struct series one = *series;

	one.runs = &series->runs[n];
	one.bare = series->bare ? &series->bare[n] : NULL;
	one.count = 1;
	return one;
}

/* The metric of each run by itself */
struct side {
	struct run_values runs;
	double step;  /* what one sample of each thread makes, in the mean */
	double floor; /* what chance makes, likewise; 0: that is not told */
	struct moments moments;
};

static void take_runs(enum metric metric, const struct series *series, struct side *side)
{
	memset(side, 0, sizeof(*side));
	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const struct series run = one_run(series, n);
		const struct metric_result result = metric_of(metric, &run);
		const struct counts counts = series_run(&run, 0);

		if (!result.is_there)
			continue;
		run_values_add(&side->runs, metric, &run, &counts, result.value);
		side->floor += isnan(result.floor) ? 0 : result.floor;
	}
	if (!side->runs.count)
		return;
	side->step = side->runs.steps / side->runs.count * series->runs[0].threads;
	side->floor /= side->runs.count;
	side->moments = run_values_moments(&side->runs);
}

/* --- means --- */

/*
 * Where it is not told what runs that are all alike may be off by the other side's variance is the best that
 * is known.
 */
static void widen(struct side *side, double other)
{
	if (!(side->moments.variance > 0))
		side->moments.variance = other;
}

/*
 * By how much both may be off for another cause than chance. What has its own counter misses up to one
 * sample at the end of each thread of each run. What chance makes of a sum of distances depends on how many
 * samples there are.
 */
static double beyond(enum metric metric, const struct series *series, const struct side sides[2])
{
	switch (metric_info(metric)->step) {
	case STEP_SAMPLES:
		return fabs(sides[1].floor - sides[0].floor);
	case STEP_EVENTS:
	case STEP_PERIOD:
		return event_is_direct(series->event) ? fmax(sides[0].step, sides[1].step) : 0;
	default:
		return 0;
	}
}

static void not_compared(struct comparison *comparison, enum comparison_state state, const char *why)
{
	comparison->state = state;
	snprintf(comparison->says, sizeof(comparison->says), "%s", why);
}

/* What is better of two signed figures is a matter of their distances from 0. */
static enum comparison_sense sense_of_distance(const struct side sides[2], double beyond_by)
{
	struct moments distances[2] = { sides[0].moments, sides[1].moments };
	struct tested tested;

	for (uint32_t n = 0; n < 2; n++)
		distances[n].mean = fabs(distances[n].mean);
	tested = welch_test(&distances[0], &distances[1], beyond_by);
	if (tested.interval.low > 0)
		return SENSE_WORSE;
	return tested.interval.high < 0 ? SENSE_BETTER : SENSE_DIFFERS;
}

static enum comparison_sense sense_of(enum best best, double difference)
{
	if (best != LESS && best != MORE)
		return SENSE_DIFFERS;
	return (difference < 0) == (best == LESS) ? SENSE_BETTER : SENSE_WORSE;
}

/* The mean of the runs, with Student's interval of the variance that is gone by */
static void show_mean(enum metric metric, const struct side *side, struct metric_result *result)
{
	const struct moments *moments = &side->moments;

	*result = metric_plain(moments->mean, moments->count);
	metric_student(result, sqrt(moments->variance / moments->count), moments->count);
	/* a number of times is never less than none */
	if (metric_info(metric)->step == STEP_ONE && result->low < 0)
		result->low = 0;
}

static void compare_means(enum metric metric, const struct series *before, const struct series *after,
			  struct comparison *comparison)
{
	static const struct tested unknown = { NAN, { NAN, NAN }, NAN };
	struct side sides[2];
	double by, variances[2];

	take_runs(metric, before, &sides[0]);
	take_runs(metric, after, &sides[1]);
	for (uint32_t n = 0; n < 2; n++)
		variances[n] = sides[n].moments.variance;
	for (uint32_t n = 0; n < 2; n++)
		widen(&sides[n], variances[1 - n]);
	show_mean(metric, &sides[0], &comparison->before);
	show_mean(metric, &sides[1], &comparison->after);
	comparison->tested = unknown;
	comparison->tested.difference = sides[1].moments.mean - sides[0].moments.mean;
	if (sides[0].moments.count < 2 || sides[1].moments.count < 2) {
		not_compared(comparison, COMPARED_DEGENERATE, "one run has no interval");
	} else if (!(sides[0].moments.variance > 0 && sides[1].moments.variance > 0)) {
		not_compared(comparison, COMPARED_DEGENERATE,
			     "all runs of both are alike: how far they may be off is not known");
	} else {
		by = beyond(metric, before, sides);
		comparison->tested = welch_test(&sides[0].moments, &sides[1].moments, by);
		comparison->sense = judged[metric].best == NEAR_0 ?
					    sense_of_distance(sides, by) :
					    sense_of(judged[metric].best, comparison->tested.difference);
	}
}

/* --- shares --- */

/* A share is told in percent of 'n'. */
static struct part part_of(const struct metric_result *result)
{
	const double k = result->value / 100 * (double)result->n;
	struct part part = { k > 0 ? (uint64_t)(k + 0.5) : 0, result->n };

	if (part.k > part.n)
		part.k = part.n;
	return part;
}

static void add_spread(enum metric metric, const struct series *series, double *statistic, double *degrees)
{
	struct part parts[RUNS_MOST];
	uint32_t count = 0;

	for (uint32_t n = 0; n < series->count && n < RUNS_MOST; n++) {
		const struct series run = one_run(series, n);
		const struct metric_result result = metric_of(metric, &run);

		if (result.is_there)
			parts[count++] = part_of(&result);
	}
	parts_spread(parts, count, statistic, degrees);
}

static void compare_shares(enum metric metric, const struct series *before, const struct series *after,
			   struct comparison *comparison)
{
	const struct part parts[] = { part_of(&comparison->before), part_of(&comparison->after) };
	struct tested *tested = &comparison->tested;
	double statistic = 0, degrees = 0;

	add_spread(metric, before, &statistic, &degrees);
	add_spread(metric, after, &statistic, &degrees);
	*tested = shares_test(&parts[0], &parts[1], statistic, degrees);
	tested->difference *= 100;
	tested->interval.low *= 100;
	tested->interval.high *= 100;
	comparison->sense = sense_of(judged[metric].best, tested->difference);
}

void metric_compare(enum metric metric, const struct series *before, const struct series *after,
		    struct comparison *comparison)
{
	memset(comparison, 0, sizeof(*comparison));
	comparison->before = metric_of(metric, before);
	comparison->after = metric_of(metric, after);
	if (!comparison->before.is_there || !comparison->after.is_there)
		not_compared(comparison,
			     comparison->before.is_there ? COMPARED_ONLY_BEFORE :
			     comparison->after.is_there	 ? COMPARED_ONLY_AFTER : COMPARED_NEITHER,
			     comparison->before.is_there ? comparison->after.says : comparison->before.says);
	else if (judged[metric].kind == MEAN)
		compare_means(metric, before, after, comparison);
	else if (judged[metric].kind == SHARE)
		compare_shares(metric, before, after, comparison);
	else
		not_compared(comparison, COMPARED_NOT,
			     judged[metric].kind == NOT ? judged[metric].why : "how is not told");
}
