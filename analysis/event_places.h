/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which events are counted apart: each that is configured otherwise than all before it. Those of
 * several tasks or CPUs that are configured alike are one. No event is left out: memory grows with
 * the events of the file, all of which its reader holds, too.
 */
#ifndef ANALYSIS_EVENT_PLACES_H
#define ANALYSIS_EVENT_PLACES_H

#include <precis/precis.h>

#include "recordings.h"

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

/* The number of the first event that is configured like that one and has samples; itself if none has */
uint32_t event_number_first(const struct event_places *places, uint32_t number);

/* The place that the event of that number was the first of; 0: of none. */
uint32_t event_place_numbered(const struct event_places *places, uint32_t number);

/*
 * Those of another run, whose events are numbered from 'first' on here: of a recording that has been
 * added, or of one that was there, which 'places' knows then. Events of several recordings that are
 * configured alike are one. 'map' gets this one's places by those there, 0 included; to be freed.
 * 0, or -1 if memory is short.
 */
int event_places_merge(struct event_places *places, const struct event_places *others,
		       const struct analysis_recordings *recordings, uint32_t first,
		       uint32_t **map);

void event_places_free(struct event_places *places);

#endif
