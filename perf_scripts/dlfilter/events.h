/* SPDX-License-Identifier: BSD-3-Clause */
/* The events that samples belong to: what they carry, and what became of their samples. */
#ifndef DLFILTER_EVENTS_H
#define DLFILTER_EVENTS_H

#include "event.h"

void events_free(struct events *events);

/* The index of the first event of that name, added if there is none; -1: no memory. */
int events_name(struct events *events, const char *name, size_t length);

/* The event of a sample, its kind judged as far as possible; NULL: no memory. */
struct event *events_of(struct events *events, const struct dlfilter_sample *sample,
			const void *attr);

/* Say on stderr which samples could not be decoded. */
void events_complain(const struct events *events);

#endif
