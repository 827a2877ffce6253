/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_spread.h
 * @brief A sampled event that threads inherit. Linux maps no ring for one that follows a thread over all
 * CPUs (perf_mmap() in kernel/events/core.c), but for one of a thread on one CPU it does, and what
 * inherits that writes to the same ring: so the event is opened on each CPU, as perf record does.
 * The parts are counters like any other; the one that the EventSet knows is the first.
 */
#ifndef PRECIS_SPREAD_H
#define PRECIS_SPREAD_H

#include "precis_counter.h"

/** Is it such an event? */
int precis_is_spread(const struct precis_counter *counter);
/** Open it, as 'open' does one part, on each CPU of its PMU. @return PAPI_OK or an error, noted */
int precis_spread(struct precis_counter *counter, int (*open)(struct precis_counter *part));
/** Close and free the other parts. */
void precis_gather(struct precis_counter *counter);

#endif
