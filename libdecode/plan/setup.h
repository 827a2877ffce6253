/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows from a setup, for prediction and advice alike. */
#ifndef PRECIS_PLAN_SETUP_H
#define PRECIS_PLAN_SETUP_H

#include <precis/plan.h>

#include "numbers.h"

#define PERIOD_MOST (UINT64_C(1) << 40)
#define REACH_OF_95 1.959963984540054 /* standard errors on each side, of the normal distribution */

/* Of each CPU, where PEBS records gather: PEBS_BUFFER_SIZE of arch/x86/events/intel/ds.c */
#define DEBUG_STORE 65536u

static inline double cpus_of(const struct precis_plan_setup *setup)
{
	return setup->cpus ? setup->cpus : 1;
}

/* Events a second, at most */
static inline double peak_of(const struct precis_plan_setup *setup)
{
	return setup->rate_peak > 0 ? setup->rate_peak : setup->rate;
}

/* Events from one sample to the next, in the mean */
static inline double step_of(const struct precis_plan_setup *setup)
{
	return (double)setup->period - setup->random_start;
}

/* Samples of an interrupt */
static inline double gathered_of(const struct precis_plan_setup *setup)
{
	return most_of(setup->samples_per_interrupt, 1);
}

/* By how many samples there may be more in a time of which so many are the mean: 4 standard deviations */
static inline double burst_of(double samples)
{
	return 4 * root_of(samples) + 1;
}

#endif
