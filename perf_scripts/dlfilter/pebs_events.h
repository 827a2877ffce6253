/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel's precise events: which ones they are, and what the kernel's words of them mean. */
#ifndef DLFILTER_PEBS_EVENTS_H
#define DLFILTER_PEBS_EVENTS_H

#include "event.h"

/* The kind of an event, unless it is judged already, and the context of its words. */
void pebs_events_learn(struct event *event, const void *attr,
		       const struct precis_pebs_machine *known);

/*
 * Decode the kernel's words of a sample whose payload gave nothing, if they are words of an
 * event that has such.
 */
void pebs_words_decode(const struct events *events, struct event *event,
		       const struct dlfilter_sample *from, const uint64_t *wanted,
		       struct precis_sample *sample);

#endif
