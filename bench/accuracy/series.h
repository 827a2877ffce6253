/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts of a series, as metrics ask for them. */
#ifndef ACCURACY_SERIES_H
#define ACCURACY_SERIES_H

#include "metrics.h"
#include "statistics/fit.h"
#include "statistics/interval.h"
#include "statistics/two_samples.h"

/* What a metric is computed by */
typedef struct metric_result metric_function(const struct series *series);
metric_function paper_metric_accuracy, paper_metric_stability, paper_metric_largest_share,
	paper_metric_wrong_samples, paper_metric_wrong_mode_samples, paper_metric_time_overhead;
metric_function count_metric_exact, count_metric_error, count_metric_error_rms, count_metric_spread,
	count_metric_effective_period, count_metric_lost, count_metric_throttled, count_metric_unscheduled,
	count_metric_unexplained;
metric_function place_metric_wrong_rate, place_metric_skid_1, place_metric_skid_2, place_metric_skid_more,
	place_metric_outside, place_metric_wrong_mode, place_metric_wrong_address,
	place_metric_uniformity, place_metric_bias, place_metric_independence;
metric_function period_metric_resonance;
metric_function record_metric_period_spread, record_metric_memory, record_metric_records_per_interrupt;
metric_function ladder_metric_load_ns, ladder_metric_load_cycles, ladder_metric_sampled_latency,
	ladder_metric_latency_error;

/* Of all threads of run n, and of all runs */
struct counts series_run(const struct series *series, uint32_t n);
struct counts series_all(const struct series *series);

/* Samples in the modes in which what is counted happens */
uint64_t series_observed(const struct series *series, const struct counts *counts);

/*
 * Those of them that are compared with what the kernel does: where samples tell the instruction, those at its
 * own. What else is executed while the event is on, as a look at the clock, is no part of the truth.
 */
uint64_t series_of_kernel(const struct series *series, const struct counts *counts);

/* Samples that there should be */
double series_expected(const struct series *series, const struct counts *counts);

/* Is it known how many events there were? If not the result says why. */
int series_has_truth(const struct series *series, struct metric_result *result);

/* What instructions that do it once in each turn should have of the samples. How many of them there are */
uint32_t series_shares(const struct series *series, double shares[SITES_MOST]);

/* How these fit. 0: there is one instruction or no sample, and the result says so */
int series_fit(const struct series *series, struct fit *fit, struct metric_result *result);

/* The error of the runs, in percent */
struct deviation {
	double value; /* standard deviation */
	double low, high; /* its 95% interval, which has room for one sample more or less */
	double floor; /* what chance makes of it */
};

/* 0: it is not known, or what chance makes of it is not */
int series_deviation(const struct series *series, struct deviation *deviation);

/* A result that is not there, and why */
struct metric_result metric_absent(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One without an interval */
struct metric_result metric_plain(double value, uint64_t n);
/*
 * Student's interval of what is known by so many runs with that standard error; where that is 0, or of one
 * run, there is none, and the result says so.
 */
void metric_student(struct metric_result *result, double error, uint32_t count);
/* A share in percent, with its interval; absent where n is 0 */
struct metric_result metric_share(uint64_t k, uint64_t n);

/* A metric by what it is in each run */
struct run_values {
	double values[RUNS_MOST];
	double steps; /* the sum of what one sample makes in each */
	uint32_t count;
};

/* One run more, of these counts; RUNS_MOST at most */
void run_values_add(struct run_values *runs, enum metric metric, const struct series *series,
		    const struct counts *counts, double value);

/*
 * Mean and variance. Runs that are all alike do not say that there is no variance, only that it is not above
 * what one sample makes: where the metric tells that (metrics.def) it is that at the least, else it is 0.
 */
struct moments run_values_moments(const struct run_values *runs);

/* The mean of runs, with Student's interval by these moments: see metric_student() */
struct metric_result metric_mean(const struct run_values *runs);

#endif
