/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_periods.h
 * @brief Of how many of the event a sample is, where the period changes while others wait in the ring.
 */
#ifndef PRECIS_PERIODS_H
#define PRECIS_PERIODS_H

#include "precis_counter.h"

/** The event has been opened. */
void precis_periods_begin(struct precis_counter *counter);
/**
 * Of how many the sample is that was read last: of every sample in turn, delivered or not. 0: of a
 * frequency. Notes whether that is the period in force.
 */
uint64_t precis_period_of(struct precis_counter *counter, const struct precis_record *record);
/** Another period from the next sample on. @return 0, or -1 if the kernel refuses it */
int precis_period_change(struct precis_counter *counter, uint64_t period);

#endif
