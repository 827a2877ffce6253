/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting samples: numbers one by one, all else by groups (groups.h). */
#include "run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "merge.h"

_Static_assert(PRECIS_FIELD_FETCH_PAGE_SIZE < 64 && PRECIS_FIELD_ITLB_REFILL_LATENCY < 64,
	       "fields of IBS are all in word 0");

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

static int begin_state(const struct analysis_run *run, struct running *running)
{
	return running->is->begin ? running->is->begin(running->state, &run->about) : 0;
}

/* 'all_decided' and 'all_numbers', of word 0, get the analysis's own. */
static int begin(struct analysis_run *run, struct running *running, const struct analysis *is,
		 uint64_t wanted[PRECIS_FIELD_WORDS], uint64_t *all_decided, uint64_t *all_numbers)
{
	uint64_t decided[PRECIS_FIELD_WORDS] = { 0 }, numbers[PRECIS_FIELD_WORDS] = { 0 };

	running->is = is;
	running->state = calloc(1, is->state_bytes);
	running->slots = calloc(GROUP_SLOTS, sizeof(*running->slots));
	running->used = malloc(GROUPS_MOST * sizeof(*running->used));
	if (!running->state || !running->slots || !running->used || begin_state(run, running) < 0)
		return -1;
	add_fields(decided, is->decided);
	add_fields(numbers, is->numbers);
	running->bits = group_bits_of(decided[0], numbers[0]);
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++) {
		run->full[word] |= decided[word] | numbers[word];
		wanted[word] |= numbers[word];
	}
	*all_decided |= decided[0];
	*all_numbers |= numbers[0];
	running->measured = numbers[0];
	run->measured |= numbers[0];
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

int analysis_run_begin(struct analysis_run *run, const struct analysis_about *about,
		       uint64_t wanted[PRECIS_FIELD_WORDS])
{
	uint64_t decided = 0, numbers = 0;

	memset(run, 0, sizeof(*run));
	run->about = *about;
	run->about.recordings = &run->recordings;
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		run->about.events[kind] = &run->events[kind];
	run->batch.fields[0] = FIELDS_END;
	run->combinations = calloc(GROUP_SLOTS, sizeof(*run->combinations));
	run->used = malloc(GROUPS_MOST * sizeof(*run->used));
	run->first = malloc(GROUPS_MOST * sizeof(*run->first));
	if (!run->combinations || !run->used || !run->first ||
	    recordings_add(&run->recordings, about->input) < 0)
		return -1;
	for (uint32_t n = 0; analyses[n]; n++) {
		assert(n < ANALYSES_MOST);
		run->count++;
		if (begin(run, &run->running[n], analyses[n], wanted, &decided, &numbers) < 0)
			return -1;
	}
	run->bits = group_bits_of(decided, numbers);
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
		free(running->used);
		reasons_free(&running->reasons);
	}
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		free(run->batch.column[field]);
	free(run->combinations);
	free(run->used);
	free(run->first);
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		event_places_free(&run->events[kind]);
	recordings_free(&run->recordings);
	memset(run, 0, sizeof(*run));
}

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
	return find(run, is)->state;
}

/* --- from combinations to groups to analyses --- */

static void ask_to_start_over(struct analysis_run *run)
{
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		run->starts_over |= running->is->starts_over &&
				    running->is->starts_over(running->state);
	}
}

static void flush(struct analysis_run *run)
{
	struct sample_batch *batch = &run->batch;

	if (!batch->rows)
		return;
	for (uint32_t n = 0; n < run->count; n++) {
		batch->which = n;
		if (run->running[n].is->batch &&
		    run->running[n].is->batch(run->running[n].state, batch) < 0)
			run->failed = 1;
	}
	batch->rows = 0;
	ask_to_start_over(run);
}

/* The counts of all combinations go to their groups, and the combinations are forgotten. */
static void distribute(struct analysis_run *run)
{
	flush(run);
	for (uint32_t i = 0; i < run->combination_count; i++) {
		struct combination *combination = &run->combinations[run->used[i]];

		for (uint32_t n = 0; n < run->count; n++) {
			if (combination->of[n])
				combination->of[n]->samples += combination->samples;
		}
		combination->samples = 0;
	}
	run->combination_count = 0;
}

static uint32_t population_of(const struct precis_sample *sample)
{
	return sample->source == PRECIS_SOURCE_IBS_FETCH ? (uint32_t)POPULATION_FETCH :
							   kind_of(sample);
}

static void settle(struct analysis_run *run, struct running *running, struct group *group)
{
	const struct sample_group settled = {
		.sample = &run->first[group->first],
		.count = group->samples,
		.place = group->place,
	};

	for (const uint8_t *field = running->is->explained; field && *field != FIELDS_END; field++)
		reasons_add(&running->reasons, settled.sample, *field, population_of(settled.sample),
			    settled.count);
	if (running->is->settle && running->is->settle(running->state, &settled) < 0)
		run->failed = 1;
	group->is_used = 0;
}

/* Memory is bounded, whatever the recording is: all groups are told and forgotten. */
void analysis_run_settle(struct analysis_run *run)
{
	distribute(run);
	for (uint32_t n = 0; n < run->count; n++) {
		struct running *running = &run->running[n];

		for (uint32_t i = 0; i < running->count; i++)
			settle(run, running, &running->slots[running->used[i]]);
		running->count = 0;
	}
	run->first_count = 0;
}

/* --- new combinations and groups --- */

static int is_of(const struct analysis *is, const struct precis_sample *sample)
{
	switch (is->of) {
	case ANALYSIS_OF_OPS:
		return sample_is_op(sample);
	case ANALYSIS_OF_FETCHES:
		return sample->source == PRECIS_SOURCE_IBS_FETCH;
	case ANALYSIS_OF_PEBS:
		return sample->event_kind == PRECIS_EVENT_PEBS;
	default:
		return 1;
	}
}

static struct group *group_slot(const struct running *running, const struct group_key *key)
{
	uint32_t at = group_home(key);

	while (running->slots[at].is_used && !group_keys_equal(&running->slots[at].key, key))
		at = (at + 1) % GROUP_SLOTS;
	return &running->slots[at];
}

/* Where the numbers of its samples go, if they have them */
static int add_numbers(struct running *running, struct group *group,
		       const struct sample_group *told)
{
	const uint8_t *fields = running->is->numbers;

	for (uint32_t n = 0; fields && fields[n] != FIELDS_END; n++) {
		struct latencies **to;

		if (!precis_fields_have(told->sample->present, fields[n]))
			continue;
		to = running->is->number(running->state, told, n);
		if (!to)
			continue;
		if (!*to)
			*to = calloc(1, sizeof(**to));
		if (!*to)
			return -1;
		group->numbers[group->number_count++] = (struct number_to){ *to, fields[n] };
	}
	return 0;
}

static void open_group(struct analysis_run *run, struct running *running, struct group *group,
		       const struct group_key *key, uint32_t place)
{
	const struct sample_group told = {
		.sample = &run->first[run->first_count],
		.place = place,
	};

	*group = (struct group){
		.key = *key, .is_used = 1, .place = place, .first = run->first_count,
	};
	running->used[running->count++] = (uint32_t)(group - running->slots);
	if (add_numbers(running, group, &told) < 0)
		run->failed = 1;
	if (running->is->note)
		group->note = running->is->note(running->state, &told);
}

/* What is known of where a sample comes from, beside itself */
struct origin {
	struct precis_input *input;
	uint32_t place, is_exact;
};

static uint32_t part_of(const struct origin *origin)
{
	return origin->place << 1 | origin->is_exact;
}

static void take_numbers(struct combination *combination, const struct group *group)
{
	for (uint32_t n = 0; n < group->number_count; n++) {
		assert(combination->number_count < COMBINATION_NUMBERS);
		combination->numbers[combination->number_count++] = group->numbers[n];
	}
}

static struct combination *combination_slot(const struct analysis_run *run,
					    const struct group_key *key)
{
	uint32_t at = group_home(key);

	while (run->combinations[at].samples &&
	       !group_keys_equal(&run->combinations[at].key, key))
		at = (at + 1) % GROUP_SLOTS;
	return &run->combinations[at];
}

/* It has room: nothing is forgotten while it is made. */
static void make_room(struct analysis_run *run)
{
	if (run->first_count == GROUPS_MOST)
		analysis_run_settle(run);
	else if (run->combination_count == GROUPS_MOST)
		distribute(run);
}

static __attribute__((noinline)) struct combination *
new_combination(struct analysis_run *run, const struct group_key *key, const struct origin *origin,
		const struct precis_sample *sample)
{
	struct combination *combination;
	int is_decoded = 0;

	make_room(run);
	precis_sample_init(&run->first[run->first_count]);
	combination = combination_slot(run, key);
	run->used[run->combination_count++] = (uint32_t)(combination - run->combinations);
	combination->key = *key;
	combination->place = origin->place;
	combination->number_count = 0;
	for (uint32_t n = 0; n < run->count; n++) {
		struct running *running = &run->running[n];
		struct group_key of_group;
		struct group *group;

		combination->of[n] = NULL;
		if (!is_of(running->is, sample))
			continue;
		of_group = group_key_of(&running->bits, running->measured, sample, part_of(origin));
		group = group_slot(running, &of_group);
		if (!group->is_used) {
			/* once more, with all that anybody will ask for */
			if (!is_decoded)
				precis_input_sample(origin->input, run->full, NULL,
						    &run->first[run->first_count]);
			is_decoded = 1;
			open_group(run, running, group, &of_group, origin->place);
		}
		combination->of[n] = group;
		take_numbers(combination, group);
	}
	run->first_count += (uint32_t)is_decoded;
	return combination;
}

/* --- samples --- */

static inline void count_numbers(struct analysis_run *run, const struct combination *combination,
				 const struct precis_sample *sample)
{
	for (uint32_t i = 0; i < combination->number_count; i++) {
		const struct number_to *to = &combination->numbers[i];

		if (latencies_add(to->latencies, sample->value[to->field]) < 0)
			run->failed = 1;
	}
}

static inline void add_row(struct analysis_run *run, const struct combination *combination,
			   const struct precis_sample *sample)
{
	struct sample_batch *batch = &run->batch;
	uint32_t row = batch->rows++;

	batch->of[row] = combination;
	for (const uint8_t *field = batch->fields; *field != FIELDS_END; field++)
		batch->column[*field][row] = sample->value[*field];
	if (batch->rows == BATCH_ROWS)
		flush(run);
}

static inline void count(struct analysis_run *run, const struct origin *origin,
			 const struct precis_sample *sample)
{
	const struct group_key key = group_key_of(&run->bits, run->measured, sample,
						  part_of(origin));
	struct combination *combination = combination_slot(run, &key);

	if (__builtin_expect(!combination->samples, 0))
		combination = new_combination(run, &key, origin, sample);
	combination->samples++;
	count_numbers(run, combination, sample);
	add_row(run, combination, sample);
}

/* Which of the events of its kind; 0: it is of IBS, or not known */
static uint32_t place_of(struct analysis_run *run, uint32_t kind, const struct precis_event *event)
{
	struct precis_file *file = precis_input_file(run->about.input);

	if (!event || (kind != PRECIS_EVENT_PEBS && kind != PRECIS_EVENT_OTHER))
		return 0;
	return file ? event_place(&run->events[kind], file, event) :
		      event_only_place(&run->events[kind]);
}

/* Out of the loop over samples, which is made for those with registers */
static __attribute__((noinline)) void find_event(struct analysis_run *run, struct origin *origin,
						 const struct precis_item *item,
						 const struct precis_sample *sample)
{
	uint64_t is_exact = 0;

	origin->place = place_of(run, sample->event_kind, item->event);
	if (item->record)
		is_exact = item->record->misc & PRECIS_MISC_EXACT_IP;
	else
		precis_get_ip_exact(sample, &is_exact);
	origin->is_exact = is_exact != 0;
}

void analysis_run_sample(struct analysis_run *run, struct precis_input *input,
			 const struct precis_item *item, const struct precis_sample *sample)
{
	struct origin origin = { .input = input };

	if (__builtin_expect(sample->source >= PRECIS_SOURCE_PEBS ||
				     sample->event_kind == PRECIS_EVENT_OTHER, 0))
		find_event(run, &origin, item, sample);
	count(run, &origin, sample);
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
		flush(run);
	for (uint32_t n = 0; n < run->count; n++)
		tell_record(run, &run->running[n], record);
	ask_to_start_over(run);
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

	analysis_run_settle(run);
	run->starts_over = 0;
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		event_places_free(&run->events[kind]);
	for (uint32_t n = 0; n < run->count; n++)
		failed |= begin_again(run, &run->running[n]);
	return failed;
}

void analysis_run_finish(struct analysis_run *run)
{
	analysis_run_settle(run);
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
	flush(run);
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
