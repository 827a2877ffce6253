/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_overflow.h
 * @brief PAPI_overflow and PAPI_profil, and the sample that a handler may ask for; as PAPI calls them.
 */
#ifndef PRECIS_OVERFLOW_H
#define PRECIS_OVERFLOW_H

#include <signal.h>

#include "papi.h"
#include "papi_internal.h"

/** The handler of the component's signal: PAPI's dispatch_timer */
void precis_overflow_signal(int number, siginfo_t *info, void *context);
/** PAPI_overflow of the event at 'index'; a threshold of 0 ends it */
int precis_overflow_threshold(EventSetInfo_t *event_set, int index, int threshold);
/** PAPI_profil of it */
int precis_overflow_profile(EventSetInfo_t *event_set, int index, int threshold);
/** The EventSet stops: no more of PAPI_profil */
int precis_overflow_stop_profiling(ThreadInfo_t *thread, EventSetInfo_t *event_set);

#endif
