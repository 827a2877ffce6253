/* SPDX-License-Identifier: BSD-3-Clause */
/* See counting.h. */
#include "counting.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- from combinations to groups to analyses --- */

void counting_ask_to_start_over(struct analysis_run *run)
{
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		run->starts_over |= running->is->starts_over &&
				    running->is->starts_over(running->state);
	}
}

void counting_flush(struct analysis_run *run)
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
	counting_ask_to_start_over(run);
}

static struct weighted weighted_of_combination(const struct analysis_run *run,
					       const struct combination *combination)
{
	uint32_t weight = group_weight(&combination->key);

	return weight == WEIGHT_OWN ? combination->varied :
				      weighted_of(combination->samples, run->weights.fixed[weight]);
}

/* The counts of all combinations go to their groups, and the combinations are forgotten. */
static void distribute(struct analysis_run *run)
{
	counting_flush(run);
	for (uint32_t i = 0; i < run->combination_count; i++) {
		struct combination *combination = &run->combinations[run->used[i]];
		const struct weighted weighted = weighted_of_combination(run, combination);

		for (uint32_t n = 0; n < run->count; n++) {
			if (combination->of[n])
				weighted_add(&combination->of[n]->weighted, &weighted);
		}
		for (uint32_t n = 0; n < combination->number_count; n++)
			latencies_weigh(combination->numbers[n].latencies, &weighted);
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
		.sample = &run->firsts.samples[group->first],
		.weighted = &group->weighted,
		.place = group->place,
	};

	for (const uint8_t *field = running->is->explained; field && *field != FIELDS_END; field++)
		reasons_add(&running->reasons, settled.sample, *field, population_of(settled.sample),
			    settled.weighted->samples);
	if (running->is->settle && running->is->settle(running->state, &settled) < 0)
		run->failed = 1;
	firsts_drop(&run->firsts, group->first);
	group->is_used = 0;
}

/* Of combinations that have been distributed */
static void settle_all(struct analysis_run *run, struct running *running)
{
	for (uint32_t i = 0; i < running->count; i++)
		settle(run, running, &running->slots[running->used[i]]);
	running->count = 0;
}

void analysis_run_settle(struct analysis_run *run)
{
	distribute(run);
	for (uint32_t n = 0; n < run->count; n++)
		settle_all(run, &run->running[n]);
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
	uint32_t at = group_home(key, GROUP_SLOTS_LOG2);

	while (running->slots[at].is_used && !group_keys_equal(&running->slots[at].key, key))
		at = (at + 1) % GROUP_SLOTS;
	return &running->slots[at];
}

static struct latencies *new_latencies(const struct analysis_run *run)
{
	struct latencies *latencies = calloc(1, sizeof(*latencies));

	if (latencies)
		latencies->base = run->weights.fixed[run->weight];
	return latencies;
}

/* Where the numbers of its samples go, if they have them */
static int add_numbers(const struct analysis_run *run, struct running *running,
		       struct group *group, const struct sample_group *told)
{
	const uint8_t *fields = running->is->numbers;

	for (uint32_t n = 0; fields && fields[n] != FIELDS_END; n++) {
		struct latencies **to;

		if (!precis_fields_have(told->sample->present, fields[n]))
			continue;
		to = running->is->number(running->state, told, n);
		if (!to)
			continue;
		if (!*to && !(*to = new_latencies(run)))
			return -1;
		group->numbers[group->number_count++] = (struct number_to){ *to, fields[n] };
	}
	return 0;
}

static void open_group(struct analysis_run *run, struct running *running, struct group *group,
		       const struct group_key *key, uint32_t place, uint32_t first)
{
	static const struct weighted none_yet;
	const struct sample_group told = {
		.sample = &run->firsts.samples[first],
		.weighted = &none_yet,
		.place = place,
	};

	*group = (struct group){
		.key = *key, .is_used = 1, .place = place, .first = first,
	};
	firsts_keep(&run->firsts, first);
	running->used[running->count++] = (uint32_t)(group - running->slots);
	if (add_numbers(run, running, group, &told) < 0)
		run->failed = 1;
	if (running->is->note)
		group->note = running->is->note(running->state, &told);
}

/* What is known of where a sample comes from, beside itself */
struct origin {
	struct precis_input *input;
	uint32_t place, is_exact;
	uint32_t row; /* of the input's run, from 1; 0: it was handed out by itself */
	uint32_t weight; /* of weights.h */
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
	uint32_t at = group_home(key, COMBINATION_SLOTS_LOG2);

	while (run->combinations[at].samples &&
	       !group_keys_equal(&run->combinations[at].key, key))
		at = (at + 1) % COMBINATION_SLOTS;
	return &run->combinations[at];
}

/* If it is the first that does not weigh what all weighed so far: from here on numbers are weighed. */
static void heed_weight(struct analysis_run *run, uint32_t weight)
{
	if (run->weight == weight)
		return;
	if (run->weight == WEIGHT_UNSEEN) {
		run->weight = weight;
	} else if (run->weight != WEIGHT_OWN) {
		distribute(run);
		run->weight = WEIGHT_OWN;
	}
}

/* It has room: nothing is forgotten while it is made. */
static void make_room(struct analysis_run *run)
{
	for (uint32_t n = 0; n < run->count; n++) {
		if (run->running[n].count < GROUPS_MOST)
			continue;
		distribute(run);
		settle_all(run, &run->running[n]);
	}
	if (!run->firsts.free_count)
		analysis_run_settle(run);
	else if (run->combination_count == COMBINATIONS_MOST)
		distribute(run);
}

/* For all that anybody will ask of it */
static void decode_in_full(const struct analysis_run *run, const struct origin *origin,
			   struct precis_sample *sample)
{
	precis_sample_init(sample);
	if (origin->row)
		precis_input_run_sample(origin->input, origin->row - 1, run->full, sample);
	else
		precis_input_sample(origin->input, run->full, NULL, sample);
}

/* 'sample', NULL of a run, was decoded for what is wanted of each. */
static __attribute__((noinline)) struct combination *
new_combination(struct analysis_run *run, const struct group_key *key, const struct origin *origin,
		const struct precis_sample *sample)
{
	struct combination *combination;
	struct precis_sample *first;
	int is_decoded = 0;
	uint32_t place;

	heed_weight(run, origin->weight);
	make_room(run);
	place = firsts_next(&run->firsts);
	first = &run->firsts.samples[place];
	if (!sample) {
		decode_in_full(run, origin, first);
		is_decoded = 1;
		sample = first;
	}
	combination = combination_slot(run, key);
	run->used[run->combination_count++] = (uint32_t)(combination - run->combinations);
	combination->key = *key;
	combination->place = origin->place;
	combination->number_count = 0;
	combination->varied = (struct weighted){ 0 };
	for (uint32_t n = 0; n < run->count; n++) {
		struct running *running = &run->running[n];
		struct group_key of_group;
		struct group *group;

		combination->of[n] = NULL;
		if (!is_of(running->is, sample))
			continue;
		of_group = group_key_of(&running->bits, key->measured & running->measured, sample,
					part_of(origin), origin->weight);
		group = group_slot(running, &of_group);
		if (!group->is_used) {
			if (!is_decoded)
				decode_in_full(run, origin, first);
			is_decoded = 1;
			open_group(run, running, group, &of_group, origin->place, place);
		}
		combination->of[n] = group;
		take_numbers(combination, group);
	}
	return combination;
}

/* --- samples --- */

/* Numbers that weigh as all so far are counted and no more. */
static inline int is_plain(const struct analysis_run *run)
{
	return run->weight != WEIGHT_OWN;
}

static inline int count_number(const struct analysis_run *run, const struct number_to *to,
			       uint64_t value, uint64_t weight)
{
	return is_plain(run) ? latencies_add(to->latencies, value) :
			       latencies_add_weighed(to->latencies, value, weight);
}

static inline void count_numbers(struct analysis_run *run, const struct combination *combination,
				 const struct precis_sample *sample, uint64_t weight)
{
	for (uint32_t i = 0; i < combination->number_count; i++) {
		const struct number_to *to = &combination->numbers[i];

		if (count_number(run, to, sample->value[to->field], weight) < 0)
			run->failed = 1;
	}
}

/* A sample of the combination that is the batch's last row. @return what it weighs */
static inline uint64_t weigh(struct analysis_run *run, struct combination *combination)
{
	uint64_t weight = batch_weight(&run->batch, run->batch.rows - 1);

	combination->samples++;
	if (group_weight(&combination->key) == WEIGHT_OWN) {
		const struct weighted one = weighted_of(1, weight);

		weighted_add(&combination->varied, &one);
	}
	return weight;
}

static inline void add_row(struct analysis_run *run, const struct combination *combination,
			   const struct precis_sample *sample)
{
	struct sample_batch *batch = &run->batch;
	uint32_t row = batch->rows++;

	batch->of[row] = combination;
	for (const uint8_t *field = batch->fields; *field != FIELDS_END; field++)
		batch->column[*field][row] = sample->value[*field];
}

/* What the input handed out last is the batch's last row. */
static __attribute__((noinline)) void tell_sample(struct analysis_run *run, struct precis_input *input,
						  const struct combination *combination,
						  const struct precis_sample *sample)
{
	for (uint32_t n = 0; n < run->count; n++) {
		const struct analysis *is = run->running[n].is;

		if (is->sample && combination->of[n])
			is->sample(run->running[n].state, input, sample, run->batch.rows - 1);
	}
}

static inline void count(struct analysis_run *run, const struct origin *origin,
			 const struct precis_sample *sample)
{
	const struct group_key key = group_key_of(&run->bits, sample->present[0] & run->measured,
						  sample, part_of(origin), origin->weight);
	struct combination *combination = combination_slot(run, &key);

	if (__builtin_expect(!combination->samples, 0))
		combination = new_combination(run, &key, origin, sample);
	add_row(run, combination, sample);
	if (__builtin_expect(run->sees_samples, 0))
		tell_sample(run, origin->input, combination, sample);
	count_numbers(run, combination, sample, weigh(run, combination));
	if (run->batch.rows == BATCH_ROWS)
		counting_flush(run);
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
	struct origin origin = {
		.input = input,
		.weight = weights_of_event(&run->weights, item->event),
	};

	if (origin.weight == WEIGHT_OWN)
		origin.weight = weights_of_own(&run->weights, &sample->value[PRECIS_FIELD_PERIOD], 1);
	if (__builtin_expect(sample->source >= PRECIS_SOURCE_PEBS ||
				     sample->event_kind == PRECIS_EVENT_OTHER, 0))
		find_event(run, &origin, item, sample);
	count(run, &origin, sample);
}

/* --- runs of samples --- */

static int is_in(enum precis_ibs_unit unit, uint32_t field)
{
	uint64_t bits = 0;

	for (uint32_t reg = 0; reg < PRECIS_IBS_REGISTER_COUNT; reg++)
		bits |= precis_ibs_field_bits(unit, field, (enum precis_ibs_register)reg, NULL);
	return bits != 0;
}

/* Columns, and those numbers that samples of the unit can have */
static struct run_plan *plan_of(struct analysis_run *run, enum precis_ibs_unit unit)
{
	struct run_plan *plan = &run->plan[unit];

	if (plan->is_made)
		return plan;
	for (uint32_t field = 0; field < 64; field++) {
		if (!(run->measured >> field & 1) ||
		    (!run->batch.column[field] && !is_in(unit, field)))
			continue;
		plan->to[plan->count] = run->values[field];
		plan->fields[plan->count++] = field;
	}
	plan->is_made = 1;
	return plan;
}

/* What the batch does not know yet of columns goes behind its last row. */
static void put_columns(struct analysis_run *run, uint32_t row, uint32_t count)
{
	for (const uint8_t *field = run->batch.fields; *field != FIELDS_END; field++) {
		if (*field < 64)
			memcpy(run->batch.column[*field] + run->batch.rows,
			       run->values[*field] + row, (count - row) * sizeof(uint64_t));
	}
}

/* All keys first: their combinations are on the way from memory when they are looked up. */
static void make_keys(const struct analysis_run *run, const struct precis_input_run *taken,
		      const uint64_t *present, uint32_t weight, struct group_key *keys)
{
	for (uint32_t row = 0; row < taken->count; row++) {
		const uint64_t measured = present[row] & run->measured;
		const struct combination *at;

		keys[row] = taken->ops ? group_key_of_op(&run->bits, measured, weight,
							 precis_input_run_op(taken, row)) :
					 group_key_of_fetch(&run->bits, measured, weight,
							    precis_input_run_fetch(taken, row));
		at = &run->combinations[group_home(&keys[row], COMBINATION_SLOTS_LOG2)];
		__builtin_prefetch(at, 1);
		__builtin_prefetch(at->numbers);
	}
}

/* Where the row's numbers are counted: each behind 'cells', on its way from memory. The end of these */
static inline uint64_t **find_cells(struct analysis_run *run, const struct combination *combination,
				    uint32_t row, uint64_t **cells)
{
	for (uint32_t n = 0; n < combination->number_count; n++) {
		const struct number_to *to = &combination->numbers[n];
		uint64_t value = run->values[to->field][row];

		*cells = latencies_cell(to->latencies, value);
		if (__builtin_expect(*cells != NULL, 1))
			__builtin_prefetch(*cells++, 1);
		else if (latencies_add(to->latencies, value) < 0)
			run->failed = 1;
	}
	return cells;
}

/* Its row is the batch's last one. */
static void weigh_numbers(struct analysis_run *run, struct combination *combination, uint32_t row)
{
	uint64_t weight = weigh(run, combination);

	for (uint32_t n = 0; n < combination->number_count; n++) {
		const struct number_to *to = &combination->numbers[n];

		if (latencies_add_weighed(to->latencies, run->values[to->field][row], weight) < 0)
			run->failed = 1;
	}
}

static void count_run(struct analysis_run *run, struct precis_input *input,
		      const struct group_key *keys, uint32_t count, uint32_t weight)
{
	struct sample_batch *batch = &run->batch;
	uint32_t first = batch->rows; /* the batch's row of the run's first */
	uint64_t *cell[PRECIS_INPUT_RUN * COMBINATION_NUMBERS], **cells = cell;

	put_columns(run, 0, count);
	for (uint32_t row = 0; row < count; row++) {
		struct combination *combination = combination_slot(run, &keys[row]);

		if (__builtin_expect(!combination->samples, 0)) {
			const struct origin origin = {
				.input = input, .row = row + 1, .weight = weight,
			};

			combination = new_combination(run, &keys[row], &origin, NULL);
			if (batch->rows != first + row) { /* it has been emptied */
				put_columns(run, row, count);
				first = batch->rows - row;
			}
		}
		batch->of[batch->rows++] = combination;
		if (__builtin_expect(!is_plain(run), 0)) {
			weigh_numbers(run, combination, row);
			continue;
		}
		combination->samples++;
		cells = find_cells(run, combination, row, cells);
	}
	while (cells > cell)
		++**--cells;
	if (batch->rows == BATCH_ROWS)
		counting_flush(run);
}

uint32_t analysis_run_take(struct analysis_run *run, struct precis_input *input,
			   const uint64_t wanted[PRECIS_FIELD_WORDS], uint64_t until)
{
	struct precis_input_run taken = { .size = sizeof(taken) };
	const struct run_plan *plan;
	struct group_key keys[PRECIS_INPUT_RUN];
	uint64_t present[PRECIS_INPUT_RUN];
	uint32_t weight;

	if (precis_input_take_run(input, wanted, BATCH_ROWS - run->batch.rows, until, &taken) <= 0)
		return 0;
	plan = plan_of(run, taken.ops ? PRECIS_IBS_OP : PRECIS_IBS_FETCH);
	if (precis_input_run_columns(input, plan->fields, plan->count, plan->to, present))
		run->failed = 1; /* it was not told what samples are decoded for */
	weight = weights_of_event(&run->weights, taken.event);
	if (weight == WEIGHT_OWN && run->batch.column[PRECIS_FIELD_PERIOD])
		weight = weights_of_own(&run->weights, run->values[PRECIS_FIELD_PERIOD], taken.count);
	make_keys(run, &taken, present, weight, keys);
	count_run(run, input, keys, taken.count, weight);
	return taken.count;
}
