/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of metrics, the verdict by its bounds, and what several of them are computed by (metrics.h). */
#include "metrics.h"

#include <math.h>
#include <string.h>

enum origin { PAPER, OURS };

static const struct metric_info infos[METRIC_COUNT] = {
#define METRIC(name, unit, origin, side, bound, step, meaning)                                     \
	[METRIC_##name] = { #name, unit, meaning, origin == PAPER, METRIC_##side, bound, STEP_##step },
#include "metrics.def"
#undef METRIC
};

const struct metric_info *metric_info(enum metric metric)
{
	return &infos[metric];
}

enum metric metric_named(const char *name, size_t length)
{
	enum metric metric = 0;

	while (metric < METRIC_COUNT &&
	       (strncmp(infos[metric].name, name, length) != 0 || infos[metric].name[length]))
		metric++;
	return metric;
}

/*
 * Worse is what certainly is: all of the interval lies beyond the bound, or what has none lies beyond it
 * by more than chance makes.
 */
enum metric_verdict metric_verdict(enum metric metric, const struct metric_result *result, double bound)
{
	const enum metric_side side = infos[metric].side;
	const double chance = isnan(result->floor) || !isnan(result->low) ? 0 : result->floor;
	const double low = isnan(result->low) ? result->value - chance : result->low;
	const double high = isnan(result->high) ? result->value + chance : result->high;

	if (side == METRIC_NONE || !result->is_there)
		return VERDICT_NONE;
	if (side == METRIC_LEAST)
		return high < bound ? VERDICT_WORSE : VERDICT_OK;
	return low > bound || high < -bound ? VERDICT_WORSE : VERDICT_OK;
}

double mean_of(const double *values, uint32_t count)
{
	double sum = 0;

	for (uint32_t n = 0; n < count; n++)
		sum += values[n];
	return sum / count;
}

double deviation_of(const double *values, uint32_t count)
{
	const double mean = mean_of(values, count);
	double squares = 0;

	if (count < 2)
		return NAN;
	for (uint32_t n = 0; n < count; n++)
		squares += (values[n] - mean) * (values[n] - mean);
	return sqrt(squares / (count - 1));
}
