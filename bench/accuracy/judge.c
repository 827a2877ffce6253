/* SPDX-License-Identifier: BSD-3-Clause */
/* The function of each metric, and what it says of a series. */
#include "judge.h"

#include "series.h"

static metric_function *const functions[METRIC_COUNT] = {
	[METRIC_accuracy] = paper_metric_accuracy,
	[METRIC_stability] = paper_metric_stability,
	[METRIC_largest_share] = paper_metric_largest_share,
	[METRIC_wrong_samples] = paper_metric_wrong_samples,
	[METRIC_wrong_mode_samples] = paper_metric_wrong_mode_samples,
	[METRIC_time_overhead] = paper_metric_time_overhead,
	[METRIC_exact] = count_metric_exact,
	[METRIC_error] = count_metric_error,
	[METRIC_error_rms] = count_metric_error_rms,
	[METRIC_spread] = count_metric_spread,
	[METRIC_effective_period] = count_metric_effective_period,
	[METRIC_period_spread] = record_metric_period_spread,
	[METRIC_wrong_rate] = place_metric_wrong_rate,
	[METRIC_skid_1] = place_metric_skid_1,
	[METRIC_skid_2] = place_metric_skid_2,
	[METRIC_skid_more] = place_metric_skid_more,
	[METRIC_outside] = place_metric_outside,
	[METRIC_wrong_mode] = place_metric_wrong_mode,
	[METRIC_wrong_address] = place_metric_wrong_address,
	[METRIC_uniformity] = place_metric_uniformity,
	[METRIC_bias] = place_metric_bias,
	[METRIC_independence] = place_metric_independence,
	[METRIC_resonance] = period_metric_resonance,
	[METRIC_lost] = count_metric_lost,
	[METRIC_throttled] = count_metric_throttled,
	[METRIC_unscheduled] = count_metric_unscheduled,
	[METRIC_unexplained] = count_metric_unexplained,
	[METRIC_memory] = record_metric_memory,
	[METRIC_records_per_interrupt] = record_metric_records_per_interrupt,
	[METRIC_load_ns] = ladder_metric_load_ns,
	[METRIC_load_cycles] = ladder_metric_load_cycles,
	[METRIC_sampled_latency] = ladder_metric_sampled_latency,
	[METRIC_latency_error] = ladder_metric_latency_error,
};

struct metric_result metric_of(enum metric metric, const struct series *series)
{
	struct metric_result result =
		series->count ? functions[metric](series) : metric_absent("no run was measured");

	result.verdict = metric_verdict(metric, &result, metric_info(metric)->bound);
	return result;
}
