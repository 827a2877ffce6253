/* SPDX-License-Identifier: BSD-3-Clause */
/* Of how many of the event a sample is, where the period changes while others wait in the ring. */
#ifndef PRECIS_PERIODS_H
#define PRECIS_PERIODS_H

#include "precis_counter.h"

/* The event has been opened. */
void precis_periods_begin(struct precis_counter *counter);
/* Of the record that was read last; 0: a frequency */
uint64_t precis_period_of(const struct precis_counter *counter);
/* Another period from the next sample on. @return 0, or -1 if the kernel refuses it */
int precis_period_change(struct precis_counter *counter, uint64_t period);

#endif
