/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_kernel_cost.h
 * @brief What the kernel takes from the sampled thread for each sample, which the component cannot measure:
 * it is stated, or stands in a calibration of this machine ('precis plan --calibrate') that the
 * environment names.
 */
#ifndef PRECIS_KERNEL_COST_H
#define PRECIS_KERNEL_COST_H

#include "precis_counter.h"

/**
 * Set it, of an event that has been opened: what was stated, else with max_overhead what the calibration
 * says that the environment names. @return PAPI_OK or an error, noted
 */
int precis_kernel_cost(struct precis_counter *counter);
/** What the kernel took for the samples of these statistics; 0: not known */
uint64_t precis_kernel_cost_of(const struct precis_counter *counter,
			       const struct precis_papi_statistics *statistics);

#endif
