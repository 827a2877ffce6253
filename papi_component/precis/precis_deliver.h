/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_deliver.h
 * @brief The samples of one ring to whoever asked for them, and what has become of them.
 */
#ifndef PRECIS_DELIVER_H
#define PRECIS_DELIVER_H

#include "precis_counter.h"

/** A run begins: what waits from before is thrown away, and the statistics are of this run alone. */
int precis_deliver_begin(struct precis_counter *counter);
/**
 * Deliver what waits. 'context' is the interrupted one in a signal handler, else NULL; 'whose' those
 * are whose callbacks are called. @return how many samples were delivered
 */
uint64_t precis_deliver(struct precis_counter *counter, const void *whose, void *context);
/**
 * Of a sink that wants a context 'precis_deliver' gives one sample and returns 1: then the call that it has
 * asked for is made, and took so many ns.
 */
void precis_deliver_called(struct precis_counter *counter, uint64_t ns);
/** A signal has come, or the helper thread: it is counted. */
void precis_deliver_woken(struct precis_counter *counter);

/** Of the thread that delivers */
void precis_statistics_of(const struct precis_counter *counter, struct precis_papi_statistics *statistics);

/** To precis_papi_sampling's callback */
extern const struct precis_sink precis_callback_sink;

#endif
