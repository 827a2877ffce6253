/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses at work: one pass over samples and records for all of them. */
#ifndef ANALYSIS_RUN_H
#define ANALYSIS_RUN_H

#include "counting.h"
#include "saving/saving.h"

/*
 * Begin all analyses of list.h. 'wanted' gets what samples must be decoded for.
 * 0, or -1 if memory is short; to be freed in any case.
 */
int analysis_run_begin(struct analysis_run *run, const struct analysis_about *about,
		       uint64_t wanted[PRECIS_FIELD_WORDS]);
void analysis_run_free(struct analysis_run *run);

/* A record, before the samples behind it. Samples are records, too, if 'takes_samples'. */
void analysis_run_record(struct analysis_run *run, const struct precis_record *record);

/*
 * Where run->starts_over is set: the records that have not been read are to be told by
 * analysis_run_late_record(), analysis_run_again() forgets all samples (0, or -1 if memory is short),
 * and the input is to be read from its start.
 */
void analysis_run_late_record(struct analysis_run *run, const struct precis_record *record);
int analysis_run_again(struct analysis_run *run);

/*
 * May records be told behind samples that stand behind them in the file? run->starts_over is set where
 * that made a difference.
 */
int analysis_run_takes_late_records(const struct analysis_run *run);

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

/*
 * What a run that has finished, of one recording, counted: saved, or loaded into one that has begun with an
 * input of the same events, for what asks for the same analyses. It can be merged then, and told.
 */
void analysis_run_saves(struct saving *saving, struct analysis_run *run);

/* A part of the recording is at its end. */
void analysis_run_part(struct analysis_run *run);

/* When it has finished: must it start over, to be joined with as many others? */
int analysis_run_is_crowded(const struct analysis_run *run, uint32_t others);

/* Records that some analysis would have kept, and there was no memory for */
uint64_t analysis_run_unlearnt(const struct analysis_run *run);

/* Have parts been joined that give other figures than all in one go would? */
int analysis_run_is_partial(const struct analysis_run *run);

/* The state of an analysis of list.h; NULL if nobody has asked for it. */
void *analysis_state(const struct analysis_run *run, const struct analysis *is);

#endif
