/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which events are counted apart: each that is configured otherwise than all before it. Those of
 * several tasks or CPUs that are configured alike are one. No event is left out: memory grows with
 * the events of the file, all of which its reader holds, too.
 */
#ifndef ANALYSIS_EVENT_PLACES_H
#define ANALYSIS_EVENT_PLACES_H

#include <precis/precis.h>

/* Zeroed memory has none. */
struct event_places {
	uint32_t *number; /* by place - 1: that of the first of its events that had a sample */
	uint32_t count;
	uint32_t known;   /* by number of an event in the file: */
	uint32_t *alike;  /* the first event that is configured so */
	uint32_t *place;  /* of such a first one; 0: none so far */
	int failed;       /* memory was short */
};

/* From 1, in the order of first samples; 0 if memory is short. */
uint32_t event_place(struct event_places *places, struct precis_file *file,
		     const struct precis_event *view);

/* The same where there is but one event, of number 0. */
uint32_t event_only_place(struct event_places *places);

/* In the order of the file: the place behind that one, the first behind 0; 0 behind the last. */
uint32_t event_next_place(const struct event_places *places, uint32_t place);

void event_places_free(struct event_places *places);

#endif
