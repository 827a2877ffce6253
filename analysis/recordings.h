/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recordings that a run is of. Each has its events numbered from 0; where there are several, those
 * of each go on where those of the one before end.
 */
#ifndef ANALYSIS_RECORDINGS_H
#define ANALYSIS_RECORDINGS_H

#include <precis/precis.h>

struct analysis_recording {
	const struct precis_input *input;
	uint32_t first; /* number of its first event among those of all */
};

/* Zeroed memory has none. */
struct analysis_recordings {
	struct analysis_recording *list;
	uint32_t count;
};

/* One more, whose events are all known if it is not the last. 0, or -1 if memory is short */
int recordings_add(struct analysis_recordings *recordings, const struct precis_input *input);
void recordings_free(struct analysis_recordings *recordings);

/* How many events all have together: the number of the first of the next one */
uint32_t recordings_events(const struct analysis_recordings *recordings);

/* The event of that number among those of all; its 'index' is that in its own recording. */
const struct precis_event *recordings_event(const struct analysis_recordings *recordings,
					    uint32_t number);

/* Records: the two views of what did not fit into the buffers miss each some of it. */
uint64_t loss_in_buffers(const struct precis_loss *loss);
/* The same and what was lost in the PMU */
uint64_t loss_samples_lost(const struct precis_loss *loss);

/* What is known to be missing: samples that were lost, and how often and how long none were taken */
struct recording_gaps {
	uint64_t lost, throttled, throttled_ns;
};

/* Of one event, by its number in the recording, or PRECIS_LOSS_ANY; of a dump (NULL) nothing is known */
struct recording_gaps recording_gaps_of(const struct precis_file *file, uint32_t event);

/*
 * How many events the samples of that kind (enum precis_event_kind) at most stand for that are missing: each
 * that was lost, of whichever event, a period. NAN: that is not known, since sampling was throttled, not all
 * that was lost was counted, or periods vary.
 */
double recording_events_missed(const struct precis_file *file, uint32_t kind);

/* Of the same model and stepping */
int cpus_are_alike(const struct precis_cpu *a, const struct precis_cpu *b);

/* Do two events of any recordings sample the same, on CPUs of the same kind? */
int recordings_are_alike(const struct analysis_recordings *recordings, uint32_t number,
			 uint32_t other);

#endif
