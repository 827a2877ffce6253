/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a run that tells samples apart, and their rows. */
#ifndef ANALYSIS_BY_EVENTS_H
#define ANALYSIS_BY_EVENTS_H

#include "state.h"

/* That of a kind and a place, made if need be; NULL if memory is short */
struct by_event *by_event_at(struct by_events *events, uint32_t kind, uint32_t place);

/* There will be samples of it. 0, or -1 if memory is short */
int by_event_open(const struct by *by, struct by_event *event);

void by_events_free(const struct by_events *events);

#endif
