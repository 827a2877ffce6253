/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run of analyses consists of. */
#ifndef ANALYSIS_RUN_STATE_H
#define ANALYSIS_RUN_STATE_H

#include "batch.h"
#include "event_places.h"
#include "firsts.h"
#include "group_index.h"
#include "groups.h"
#include "outcomes.h"
#include "recordings.h"
#include "seen.h"
#include "weights.h"

/* An analysis in a run */
struct running {
	const struct analysis *is;
	void *state;
	struct reasons reasons; /* why samples lack the fields that it explains */
	struct group_bits bits; /* that decide over its fields … */
	uint64_t measured; /* … beside the presence of its numbers and columns, of word 0 */
	struct outcomes_wanted wanted;
	struct outcome_views views[2]; /* by enum precis_ibs_unit */
	struct group *groups; /* 'count' of GROUPS_MOST, in the order of first samples */
	struct group_key *keys; /* of these: by themselves, as they are looked at most … */
	uint64_t *counted; /* … as are samples of combinations that are no more, if all weigh the same */
	uint32_t count;
	uint32_t noted; /* which of the notes are its; NOTES_MOST: it has none */
	uint16_t *slots; /* GROUP_SLOTS: the number of a group, from 1; 0: free */
	int is_missing; /* of a run that was saved before there was such an analysis: nothing of it is told */
};

/* The combination of a key of bits that was seen not long ago: a cache */
struct recent {
	struct group_key key;
	uint32_t combination, generation;
	uint64_t unused; /* so that it is one cache line long */
};
#define RECENT_WAYS 2u
#define RECENT_SETS_LOG2 11u
#define RECENT_SETS (1u << RECENT_SETS_LOG2)

/* What is asked of runs of samples (precis_input_take_run()) */
struct run_plan {
	int is_made;
	uint32_t count;
	uint32_t fields[PRECIS_FIELD_COUNT];
	uint32_t words; /* bit n: fields are in word n of sets */
};

struct analysis_run {
	struct analysis_about about;
	struct running running[ANALYSES_MOST];
	uint32_t count;
	uint32_t noted; /* so many have notes */
	uint64_t measured; /* of word 0: fields whose presence belongs to a key */
	uint64_t full[PRECIS_FIELD_WORDS]; /* what a group's first sample is decoded for */
	struct group_bits bits; /* of all analyses */
	struct outcomes outcomes[2]; /* by enum precis_ibs_unit, of samples of one form: of the first's */
	uint64_t form[2];
	int has_form[2];
	struct group_index index[2]; /* of such samples, if they weigh what the first does */
	struct recent *recent; /* RECENT_SETS of RECENT_WAYS */
	struct packing packing[2]; /* by enum precis_ibs_unit, of what their registers have of 'bits' … */
	struct seen *seen;         /* … by which combinations of runs' samples are remembered */
	uint32_t generation; /* of combinations: those of others are no more */
	struct combination *combinations; /* COMBINATION_SLOTS … */
	void *combinations_memory; /* … in that, which need not be aligned as they are */
	struct weighted *varied; /* of each: its samples if their weights are their own (weights.h) */
	uint32_t *used; /* which of these, 'combination_count' of them */
	uint32_t combination_count;
	int is_crowded; /* there is an analysis that has no room for more groups */
	struct firsts firsts;
	struct sample_batch batch;
	struct run_plan plan[2]; /* by enum precis_ibs_unit */
	uint64_t values[64][PRECIS_INPUT_RUN]; /* of a run, by field, without a column */
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

#endif
