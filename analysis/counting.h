/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of analyses, and how it counts samples: numbers one by one, all else by groups (groups.h). */
#ifndef ANALYSIS_COUNTING_H
#define ANALYSIS_COUNTING_H

#include "batch.h"
#include "event_places.h"
#include "firsts.h"
#include "groups.h"
#include "recordings.h"
#include "weights.h"

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

/* What is asked of runs of samples (precis_input_take_run()) */
struct run_plan {
	int is_made;
	uint32_t count;
	uint32_t fields[64];
	uint64_t *to[64]; /* where their values go */
};

struct analysis_run {
	struct analysis_about about;
	struct running running[ANALYSES_MOST];
	uint32_t count;
	uint64_t measured; /* of word 0: fields whose presence belongs to a key */
	uint64_t full[PRECIS_FIELD_WORDS]; /* what a group's first sample is decoded for */
	struct group_bits bits; /* of all analyses */
	struct combination *combinations; /* COMBINATION_SLOTS */
	uint32_t *used; /* which of these, 'combination_count' of them */
	uint32_t combination_count;
	struct firsts firsts;
	struct sample_batch batch;
	struct run_plan plan[2]; /* by enum precis_ibs_unit */
	uint64_t values[64][PRECIS_INPUT_RUN]; /* of a run, by field */
	struct weights weights;
	/* All samples so far weigh that, by weights.h: numbers are counted and no more. OWN: they do not */
	uint32_t weight;
	struct analysis_recordings recordings;
	struct event_places events[EVENT_KINDS]; /* by kind: those that are told apart */
	int takes_samples; /* an analysis wants samples as records, too */
	int sees_samples;  /* an analysis wants each sample by itself */
	int starts_over; /* an analysis has found that records come too late */
	int failed; /* memory was short: what has been counted is not complete */
};

/* The sample that the input handed out last, decoded for what was wanted. */
void analysis_run_sample(struct analysis_run *run, struct precis_input *input,
			 const struct precis_item *item, const struct precis_sample *sample);

/*
 * Samples that come next in front of the offset 'until', of which nobody needs to know anything but
 * this run, many at once. 'wanted' is as samples are decoded for otherwise. How many; 0: the next
 * one is to be asked of the input, and to be told by analysis_run_sample().
 */
uint32_t analysis_run_take(struct analysis_run *run, struct precis_input *input,
			   const uint64_t wanted[PRECIS_FIELD_WORDS], uint64_t until);

/* What came so far is counted; run->starts_over may be set by it. */
void analysis_run_settle(struct analysis_run *run);

/* For run.c: rows that wait go to the analyses, before whatever else these are told. */
void counting_flush(struct analysis_run *run);

/* Likewise: has one of the analyses found that records come too late? */
void counting_ask_to_start_over(struct analysis_run *run);

#endif
