/* SPDX-License-Identifier: BSD-3-Clause */
/* See series.h. */
#include "series.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "statistics/quantiles.h"

struct counts series_run(const struct series *series, uint32_t n)
{
	const struct run *run = &series->runs[n];
	struct counts sum;

	memset(&sum, 0, sizeof(sum));
	for (uint32_t thread = 0; thread < run->threads; thread++)
		counts_add(&sum, run_counts(run, thread, series->member));
	return sum;
}

struct counts series_all(const struct series *series)
{
	struct counts sum;

	memset(&sum, 0, sizeof(sum));
	for (uint32_t n = 0; n < series->count; n++) {
		const struct counts counts = series_run(series, n);

		counts_add(&sum, &counts);
	}
	return sum;
}

uint64_t series_observed(const struct series *series, const struct counts *counts)
{
	switch (series->event->expected) {
	case MODE_USER:
		return counts->user_mode;
	case MODE_KERNEL:
		return counts->kernel_mode;
	default:
		return counts->samples;
	}
}

uint64_t series_of_kernel(const struct series *series, const struct counts *counts)
{
	if (series->event->place == PLACE_NOWHERE || series->event->expected != MODE_USER)
		return series_observed(series, counts);
	return counts->right + counts->wrong + counts->between;
}

double series_expected(const struct series *series, const struct counts *counts)
{
	return (double)counts->truth / event_mean_period(series->event, series->period);
}

int series_has_truth(const struct series *series, struct metric_result *result)
{
	const struct counts all = series_all(series);

	if (series->event->quantity != QUANTITY_CPU_TIME &&
	    !kernel_knows(series->kernel, series->event->quantity)) {
		*result = metric_absent("how many there are is not known of this kernel");
		return 0;
	}
	if (series_expected(series, &all) < 1) {
		*result = metric_absent("less than one sample is expected");
		return 0;
	}
	return 1;
}

struct metric_result metric_absent(const char *format, ...)
{
	struct metric_result result;
	va_list arguments;

	memset(&result, 0, sizeof(result));
	va_start(arguments, format);
	vsnprintf(result.says, sizeof(result.says), format, arguments);
	va_end(arguments);
	return result;
}

struct metric_result metric_plain(double value, uint64_t n)
{
	return (struct metric_result){
		.is_there = 1, .value = value, .low = NAN, .high = NAN, .floor = NAN, .n = n,
	};
}

struct metric_result metric_share(uint64_t k, uint64_t n)
{
	struct metric_result result;
	struct interval interval;

	if (!n)
		return metric_absent("there is no such sample");
	result = metric_plain(100.0 * (double)k / (double)n, n);
	interval = interval_of_share(k, n);
	result.low = 100 * interval.low;
	result.high = 100 * interval.high;
	return result;
}

/* What one sample more or less makes of a metric that has that value in a run */
static double step_of(enum metric_step step, const struct series *series, const struct counts *counts,
		      double value)
{
	switch (step) {
	case STEP_EVENTS:
		return 100 / series_expected(series, counts);
	case STEP_PERIOD:
		return value / series_expected(series, counts);
	case STEP_SAMPLES:
		return 100 / (double)counts->samples;
	case STEP_ONE:
		return 1;
	default:
		return 0;
	}
}

void run_values_add(struct run_values *runs, enum metric metric, const struct series *series,
		    const struct counts *counts, double value)
{
	runs->steps += step_of(metric_info(metric)->step, series, counts, value);
	runs->values[runs->count++] = value;
}

struct moments run_values_moments(const struct run_values *runs)
{
	const double step = runs->steps / runs->count;
	struct moments moments = { mean_of(runs->values, runs->count), 0, runs->count };

	if (runs->count > 1)
		moments.variance = fmax(pow(deviation_of(runs->values, runs->count), 2), step * step);
	return moments;
}

struct metric_result metric_mean(const struct run_values *runs)
{
	const struct moments moments = run_values_moments(runs);
	struct metric_result result = metric_plain(moments.mean, moments.count);

	metric_student(&result, sqrt(moments.variance / moments.count), moments.count);
	return result;
}

void metric_student(struct metric_result *result, double error, uint32_t count)
{
	const double reach = count > 1 && error > 0 ? student_upper(0.025, count - 1) * error : NAN;

	result->low = result->value - reach;
	result->high = result->value + reach;
	if (isnan(reach))
		snprintf(result->says, sizeof(result->says), "%s",
			 count > 1 ? "all runs are alike: how far off they may be is not known" :
				     "one run has no interval");
}
