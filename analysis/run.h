/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses at work: one pass over samples and records for all of them. */
#ifndef ANALYSIS_RUN_H
#define ANALYSIS_RUN_H

#include "batch.h"
#include "event_places.h"
#include "groups.h"
#include "recordings.h"

/* An analysis in a run */
struct running {
	const struct analysis *is;
	void *state;
	struct reasons reasons; /* why samples lack the fields that it explains */
	struct group_bits bits; /* that decide over its fields … */
	uint64_t measured; /* … beside the presence of its numbers and columns, of word 0 */
	struct group *slots; /* GROUP_SLOTS */
	uint32_t *used; /* which of these, 'count' of them, in the order of first samples */
	uint32_t count;
};

struct analysis_run {
	struct analysis_about about;
	struct running running[ANALYSES_MOST];
	uint32_t count;
	uint64_t measured; /* of word 0: fields whose presence belongs to a key */
	uint64_t full[PRECIS_FIELD_WORDS]; /* what a group's first sample is decoded for */
	struct group_bits bits; /* of all analyses */
	struct combination *combinations; /* GROUP_SLOTS */
	uint32_t *used; /* which of these, 'combination_count' of them */
	uint32_t combination_count;
	struct precis_sample *first; /* GROUPS_MOST samples decoded in full */
	uint32_t first_count;
	struct sample_batch batch;
	struct analysis_recordings recordings;
	struct event_places events[EVENT_KINDS]; /* by kind: those that are told apart */
	int takes_samples; /* an analysis wants samples as records, too */
	int starts_over; /* an analysis has found that records come too late */
	int failed; /* memory was short: what has been counted is not complete */
};

/*
 * Begin all analyses of list.h. 'wanted' gets what samples must be decoded for.
 * 0, or -1 if memory is short; to be freed in any case.
 */
int analysis_run_begin(struct analysis_run *run, const struct analysis_about *about,
		       uint64_t wanted[PRECIS_FIELD_WORDS]);
void analysis_run_free(struct analysis_run *run);

/* The sample that the input handed out last, decoded for what was wanted. */
void analysis_run_sample(struct analysis_run *run, struct precis_input *input,
			 const struct precis_item *item, const struct precis_sample *sample);

/* A record, before the samples behind it. Samples are records, too, if 'takes_samples'. */
void analysis_run_record(struct analysis_run *run, const struct precis_record *record);

/*
 * Where run->starts_over is set: the records that have not been read are to be told by
 * analysis_run_late_record(), analysis_run_again() forgets all samples (0, or -1 if memory is short),
 * and the input is to be read from its start.
 */
void analysis_run_late_record(struct analysis_run *run, const struct precis_record *record);
int analysis_run_again(struct analysis_run *run);

/* What came so far is counted; run->starts_over may be set by it. */
void analysis_run_settle(struct analysis_run *run);

/* No more comes. */
void analysis_run_finish(struct analysis_run *run);

/*
 * Add what another run counted, as if this one had read both; both have finished. What the other's
 * input handed out must stay as long as this run. 0, or -1 if memory is short ('failed').
 */
int analysis_run_merge(struct analysis_run *run, struct analysis_run *other);

/*
 * The same of what it counted of other samples of the same recording, those behind this one's. Both
 * have been told of all records. A recording of context switches cannot be taken apart so.
 */
int analysis_run_join(struct analysis_run *run, struct analysis_run *other);

/* A part of the recording is at its end. */
void analysis_run_part(struct analysis_run *run);

/* When it has finished: must it start over, to be joined with as many others? */
int analysis_run_is_crowded(const struct analysis_run *run, uint32_t others);

/* The state of an analysis of list.h. */
void *analysis_state(const struct analysis_run *run, const struct analysis *is);

#endif
