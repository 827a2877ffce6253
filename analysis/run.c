/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses at work: beginning, records, the end, and several runs as one. Samples: counting.c */
#include "run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"
#include "batching.h"
#include "combining.h"
#include "list.h"
#include "merge.h"

/* --- what is wanted --- */

static void add_fields(uint64_t set[PRECIS_FIELD_WORDS], const uint8_t *fields)
{
	for (; fields && *fields != FIELDS_END; fields++)
		precis_fields_add(set, *fields);
}

/* Columns of the batch are what all analyses want for theirs. */
static int want_columns(struct analysis_run *run, struct running *running,
			uint64_t wanted[PRECIS_FIELD_WORDS])
{
	uint8_t fields[PRECIS_FIELD_COUNT + 1] = { FIELDS_END };
	struct sample_batch *batch = &run->batch;
	size_t count = 0;

	if (!running->is->columns)
		return 0;
	while (batch->fields[count] != FIELDS_END)
		count++;
	running->is->columns(running->state, fields);
	add_fields(wanted, fields);
	add_fields(run->full, fields); /* notes of groups may tell which are there */
	for (const uint8_t *field = fields; *field != FIELDS_END; field++) {
		if (*field < 64)
			running->measured |= UINT64_C(1) << *field;
		if (batch->column[*field])
			continue;
		batch->column[*field] = calloc(BATCH_ROWS, sizeof(uint64_t));
		if (!batch->column[*field])
			return -1;
		batch->fields[count++] = *field;
		batch->fields[count] = FIELDS_END;
	}
	run->measured |= running->measured;
	return 0;
}

static void add_decided(const struct running *running, uint64_t set[PRECIS_FIELD_WORDS])
{
	uint8_t fields[PRECIS_FIELD_COUNT + 1] = { FIELDS_END };

	add_fields(set, running->is->decided);
	if (running->is->decides)
		running->is->decides(running->state, fields);
	add_fields(set, fields);
}

static int is_wanted(const struct analysis *is, const struct analysis_about *about)
{
	return is->is_wanted ? is->is_wanted(about) : !about->by && !about->sharing;
}

static int begin_state(const struct analysis_run *run, struct running *running)
{
	return running->is->begin ? running->is->begin(running->state, &run->about) : 0;
}

/* 'all_decided' and 'all_numbers' get the analysis's own. */
static int begin(struct analysis_run *run, struct running *running, const struct analysis *is,
		 uint64_t wanted[PRECIS_FIELD_WORDS], uint64_t *all_decided, uint64_t *all_numbers)
{
	uint64_t decided[PRECIS_FIELD_WORDS] = { 0 }, numbers[PRECIS_FIELD_WORDS] = { 0 };
	uint64_t explained[PRECIS_FIELD_WORDS] = { 0 };

	running->is = is;
	running->state = calloc(1, is->state_bytes);
	running->slots = calloc(GROUP_SLOTS, sizeof(*running->slots));
	running->keys = malloc(GROUPS_MOST * sizeof(*running->keys));
	running->counted = malloc(GROUPS_MOST * sizeof(*running->counted));
	running->groups = malloc(GROUPS_MOST * sizeof(*running->groups));
	if (!running->state || !running->slots || !running->keys || !running->counted ||
	    !running->groups ||
	    begin_state(run, running) < 0)
		return -1;
	add_decided(running, decided);
	add_fields(numbers, is->numbers);
	add_fields(explained, is->explained);
	running->bits = group_bits_of(decided, numbers);
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++) {
		run->full[word] |= decided[word] | numbers[word];
		wanted[word] |= numbers[word];
		all_decided[word] |= decided[word];
		all_numbers[word] |= numbers[word];
		running->wanted.decided[word] = decided[word];
		running->wanted.explained[word] = explained[word];
	}
	running->measured = numbers[0];
	run->measured |= numbers[0];
	running->noted = is->note ? run->noted++ : NOTES_MOST;
	assert(run->noted <= NOTES_MOST);
	run->sees_samples |= is->sees_samples && is->sees_samples(running->state);
	return want_columns(run, running, wanted);
}

static void ask_for_samples(struct analysis_run *run)
{
	run->takes_samples = 0;
	for (uint32_t n = 0; n < run->count; n++) {
		const struct analysis *is = run->running[n].is;

		run->takes_samples |= is->takes_samples && is->takes_samples(run->running[n].state);
	}
}

/* All know what they measure. 0, or -1 if memory is short */
static int view_outcomes(struct analysis_run *run, enum precis_ibs_unit unit)
{
	struct outcomes *outcomes = &run->outcomes[unit];

	for (uint32_t n = 0; n < run->count; n++) {
		run->running[n].wanted.measured = run->measured;
		outcomes_want(outcomes, unit, &run->running[n].wanted);
	}
	if (outcomes_prepare(outcomes) < 0)
		return -1;
	for (uint32_t n = 0; n < run->count; n++) {
		struct running *running = &run->running[n];

		if (outcomes_view(outcomes, unit, running->is, &running->wanted,
				  &running->views[unit]) < 0)
			return -1;
	}
	return 0;
}

/* COMBINATION_SLOTS free ones, of pages that none has touched so far. NULL: memory is short */
static struct combination *new_combinations(void **memory)
{
	uintptr_t first;

	*memory = calloc(COMBINATION_SLOTS + 1, sizeof(struct combination));
	first = (uintptr_t)*memory + COMBINATION_ALIGNMENT - 1;
	return *memory ? (struct combination *)(first & ~(uintptr_t)(COMBINATION_ALIGNMENT - 1))
		       : NULL;
}

int analysis_run_begin(struct analysis_run *run, const struct analysis_about *about,
		       uint64_t wanted[PRECIS_FIELD_WORDS])
{
	uint64_t decided[PRECIS_FIELD_WORDS] = { 0 }, numbers[PRECIS_FIELD_WORDS] = { 0 };

	memset(run, 0, sizeof(*run));
	run->about = *about;
	run->about.recordings = &run->recordings;
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		run->about.events[kind] = &run->events[kind];
	run->batch.fields[0] = FIELDS_END;
	run->batch.fixed = run->weights.fixed;
	run->weight = WEIGHT_UNSEEN;
	run->combinations = new_combinations(&run->combinations_memory);
	run->generation = 1;
	run->recent = calloc(RECENT_SETS * RECENT_WAYS, sizeof(*run->recent));
	run->seen = seen_new();
	run->varied = malloc(COMBINATION_SLOTS * sizeof(*run->varied));
	run->used = malloc(COMBINATIONS_MOST * sizeof(*run->used));
	if (!run->combinations || !run->recent || !run->seen || !run->varied || !run->used ||
	    firsts_init(&run->firsts) < 0 || recordings_add(&run->recordings, about->input) < 0)
		return -1;
	for (uint32_t n = 0; analyses[n]; n++) {
		assert(n < ANALYSES_MOST);
		if (is_wanted(analyses[n], about) &&
		    begin(run, &run->running[run->count++], analyses[n], wanted, decided,
			  numbers) < 0)
			return -1;
	}
	run->about.in_step = analysis_state(run, &analysis_in_step);
	run->bits = group_bits_of(decided, numbers);
	run->packing[PRECIS_IBS_OP] = packing_of(&run->bits.op);
	run->packing[PRECIS_IBS_FETCH] = packing_of(&run->bits.fetch);
	if (view_outcomes(run, PRECIS_IBS_OP) < 0 || view_outcomes(run, PRECIS_IBS_FETCH) < 0)
		return -1;
	/* what is no record of perf's tells by a field of its own whether its address is exact */
	if (!precis_input_file(about->input) || precis_file_has_pebs_pt(precis_input_file(about->input)))
		precis_fields_add(wanted, PRECIS_FIELD_IP_EXACT);
	ask_for_samples(run);
	return 0;
}

void analysis_run_free(struct analysis_run *run)
{
	for (uint32_t n = 0; n < run->count; n++) {
		struct running *running = &run->running[n];

		if (running->is->free && running->state)
			running->is->free(running->state);
		free(running->state);
		free(running->slots);
		free(running->keys);
		free(running->counted);
		free(running->groups);
		reasons_free(&running->reasons);
		outcome_views_free(&running->views[PRECIS_IBS_OP]);
		outcome_views_free(&running->views[PRECIS_IBS_FETCH]);
	}
	group_index_free(&run->index[PRECIS_IBS_OP]);
	group_index_free(&run->index[PRECIS_IBS_FETCH]);
	outcomes_free(&run->outcomes[PRECIS_IBS_OP]);
	outcomes_free(&run->outcomes[PRECIS_IBS_FETCH]);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		free(run->batch.column[field]);
	free(run->combinations_memory);
	free(run->recent);
	free(run->seen);
	free(run->varied);
	free(run->used);
	firsts_release(&run->firsts);
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		event_places_free(&run->events[kind]);
	recordings_free(&run->recordings);
	weights_free(&run->weights);
	memset(run, 0, sizeof(*run));
}

/* NULL: nobody has asked for it */
static const struct running *find(const struct analysis_run *run, const struct analysis *is)
{
	for (uint32_t n = 0; n < run->count; n++) {
		if (run->running[n].is == is)
			return &run->running[n];
	}
	return NULL;
}

void *analysis_state(const struct analysis_run *run, const struct analysis *is)
{
	const struct running *running = find(run, is);

	return running ? running->state : NULL;
}

uint64_t analysis_run_unlearnt(const struct analysis_run *run)
{
	uint64_t most = 0;

	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];
		uint64_t own = running->is->unlearnt ? running->is->unlearnt(running->state) : 0;

		most = own > most ? own : most;
	}
	return most;
}

int analysis_run_is_partial(const struct analysis_run *run)
{
	int is_partial = 0;

	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		is_partial |= running->is->is_partial && running->is->is_partial(running->state);
	}
	return is_partial;
}

/* --- records --- */

static void tell_record(struct analysis_run *run, struct running *running,
			const struct precis_record *record)
{
	struct precis_file *file = precis_input_file(run->about.input);

	if (running->is->record && running->is->record(running->state, file, record) < 0)
		run->failed = 1;
}

void analysis_run_record(struct analysis_run *run, const struct precis_record *record)
{
	if (record->type != PRECIS_RECORD_SAMPLE)
		batching_flush(run);
	for (uint32_t n = 0; n < run->count; n++)
		tell_record(run, &run->running[n], record);
	batching_ask_to_start_over(run);
	/* the events of a pipe come while it is read */
	if (record->type == PRECIS_RECORD_HEADER_ATTR)
		ask_for_samples(run);
}

void analysis_run_late_record(struct analysis_run *run, const struct precis_record *record)
{
	for (uint32_t n = 0; n < run->count; n++) {
		if (run->running[n].is->again)
			tell_record(run, &run->running[n], record);
	}
}

int analysis_run_takes_late_records(const struct analysis_run *run)
{
	if (run->takes_samples)
		return 0;
	for (uint32_t n = 0; n < run->count; n++) {
		if (run->running[n].is->record && !run->running[n].is->takes_late_records)
			return 0;
	}
	return 1;
}

static int begin_again(const struct analysis_run *run, struct running *running)
{
	reasons_free(&running->reasons);
	if (running->is->again)
		return running->is->again(running->state);
	if (running->is->free)
		running->is->free(running->state);
	memset(running->state, 0, running->is->state_bytes);
	return begin_state(run, running);
}

int analysis_run_again(struct analysis_run *run)
{
	int failed = 0;

	combining_settle(run);
	run->starts_over = 0;
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		event_places_free(&run->events[kind]);
	for (uint32_t n = 0; n < run->count; n++)
		failed |= begin_again(run, &run->running[n]);
	return failed;
}

void analysis_run_settle(struct analysis_run *run)
{
	combining_settle(run);
	for (uint32_t n = 0; n < run->count && !run->starts_over; n++) {
		const struct running *running = &run->running[n];

		run->starts_over =
			running->is->reads_again && running->is->reads_again(running->state);
	}
}

void analysis_run_finish(struct analysis_run *run)
{
	combining_settle(run);
	for (uint32_t n = 0; n < run->count; n++) {
		struct running *running = &run->running[n];

		if (running->is->finish && running->is->finish(running->state) < 0)
			run->failed = 1;
		run->failed |= running->reasons.failed;
	}
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		run->failed |= run->events[kind].failed;
}

/* --- several runs as one --- */

static int merge_events(struct analysis_run *run, const struct analysis_run *other,
			uint32_t first, uint32_t *map[EVENT_KINDS])
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		if (event_places_merge(&run->events[kind], &other->events[kind], &run->recordings,
				       first, &map[kind]) < 0)
			return -1;
	}
	return 0;
}

static int merge_states(struct analysis_run *run, struct analysis_run *other,
			const struct analysis_merge *how)
{
	for (uint32_t n = 0; n < run->count; n++) {
		struct running *running = &run->running[n];

		running->is_missing |= other->running[n].is_missing;
		reasons_merge(&running->reasons, &other->running[n].reasons);
		if (running->is->merge(running->state, other->running[n].state, how) < 0 ||
		    running->reasons.failed)
			return -1;
	}
	return 0;
}

/* Events there are numbered from 'first' on here. */
static int merge(struct analysis_run *run, struct analysis_run *other, uint32_t first,
		 uint32_t recording)
{
	struct analysis_merge how = { .recording = recording };
	uint32_t *map[EVENT_KINDS] = { NULL };

	if (merge_events(run, other, first, map) < 0) {
		run->failed = 1;
	} else {
		memcpy(how.place, map, sizeof(how.place));
		if (merge_states(run, other, &how) < 0)
			run->failed = 1;
	}
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		free(map[kind]);
	run->failed |= other->failed;
	return run->failed ? -1 : 0;
}

int analysis_run_merge(struct analysis_run *run, struct analysis_run *other)
{
	uint32_t first = recordings_events(&run->recordings), number = run->recordings.count;

	if (recordings_add(&run->recordings, other->about.input) < 0) {
		run->failed = 1;
		return -1;
	}
	return merge(run, other, first, number);
}

int analysis_run_join(struct analysis_run *run, struct analysis_run *other)
{
	return merge(run, other, 0, 0);
}

void analysis_run_part(struct analysis_run *run)
{
	batching_flush(run);
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is->part && running->is->part(running->state) < 0)
			run->failed = 1;
	}
}

int analysis_run_is_crowded(const struct analysis_run *run, uint32_t others)
{
	int is_crowded = 0;

	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		is_crowded |= running->is->is_crowded &&
			      running->is->is_crowded(running->state, others);
	}
	return is_crowded;
}
