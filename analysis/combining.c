/* SPDX-License-Identifier: BSD-3-Clause */
/* See combining.h. Samples of a combination are those of its groups, and groups go to the analyses. */
#include "combining.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "batching.h"

/* --- from combinations to groups to analyses --- */

/* Each of them: all of a group weigh alike, or each sample for itself. */
static void add_to_groups(struct analysis_run *run, const struct combination *combination)
{
	const int is_varied = group_weight(&combination->key) == WEIGHT_OWN;
	const struct weighted *varied = &run->varied[combination - run->combinations];

	for (uint32_t n = 0; n < run->count; n++) {
		const uint32_t of = combination->of[n];

		if (!of)
			continue;
		if (is_varied)
			weighted_add(&run->running[n].groups[of - 1].varied, varied);
		else
			run->running[n].counted[of - 1] += combination->samples;
	}
}

/* The counts of all combinations go to their groups, and the combinations are forgotten. */
static void distribute(struct analysis_run *run)
{
	batching_flush(run);
	for (uint32_t i = 0; i < run->combination_count; i++) {
		struct combination *combination = &run->combinations[run->used[i]];

		add_to_groups(run, combination);
		combination->samples = 0;
	}
	run->combination_count = 0;
	run->generation++;
}

static uint32_t population_of(const struct precis_sample *sample)
{
	return sample->source == PRECIS_SOURCE_IBS_FETCH ? (uint32_t)POPULATION_FETCH :
							   kind_of(sample);
}

static struct weighted weighted_of_group(const struct analysis_run *run,
					 const struct running *running, uint32_t n)
{
	const uint32_t weight = group_weight(&running->keys[n]);

	return weight == WEIGHT_OWN ? running->groups[n].varied :
				      weighted_of(running->counted[n], run->weights.fixed[weight]);
}

static void settle(struct analysis_run *run, struct running *running, uint32_t number)
{
	const struct group *group = &running->groups[number];
	const struct weighted weighted = weighted_of_group(run, running, number);
	const struct sample_group settled = {
		.sample = &run->firsts.samples[group->first],
		.weighted = &weighted,
		.place = group->place,
	};

	for (uint32_t n = 0; n < group->number_count; n++)
		latencies_weigh(group->numbers[n].latencies, &weighted);
	for (const uint8_t *field = running->is->explained; field && *field != FIELDS_END; field++)
		reasons_add(&running->reasons, settled.sample, *field, population_of(settled.sample),
			    weighted.samples);
	if (running->is->settle && running->is->settle(running->state, &settled) < 0)
		run->failed = 1;
	firsts_drop(&run->firsts, group->first);
}

/* Of combinations that have been distributed */
static void settle_all(struct analysis_run *run, struct running *running)
{
	for (uint32_t i = 0; i < running->count; i++)
		settle(run, running, i);
	running->count = 0;
	memset(running->slots, 0, GROUP_SLOTS * sizeof(*running->slots));
	for (uint32_t unit = 0; unit < 2; unit++)
		group_index_forget(&run->index[unit], (uint32_t)(running - run->running));
}

void combining_settle(struct analysis_run *run)
{
	distribute(run);
	for (uint32_t n = 0; n < run->count; n++)
		settle_all(run, &run->running[n]);
}

/* --- new combinations and groups --- */

/* Whose samples have such keys? */
static int is_of(const struct analysis *is, const struct group_key *key)
{
	switch (is->of) {
	case ANALYSIS_OF_OPS:
		return is_op(group_source(key), group_event_kind(key));
	case ANALYSIS_OF_FETCHES:
		return group_source(key) == PRECIS_SOURCE_IBS_FETCH;
	case ANALYSIS_OF_PEBS:
		return group_event_kind(key) == PRECIS_EVENT_PEBS;
	default:
		return 1;
	}
}

static uint16_t *group_slot(const struct running *running, const struct group_key *key)
{
	uint32_t at = group_home(key, GROUP_SLOTS_LOG2);

	while (running->slots[at] && !group_keys_equal(&running->keys[running->slots[at] - 1], key))
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

/* @return its number */
static uint16_t open_group(struct analysis_run *run, struct running *running,
			   const struct group_key *key, uint32_t place, uint32_t first)
{
	struct group *group = &running->groups[running->count];
	static const struct weighted none_yet;
	const struct sample_group told = {
		.sample = &run->firsts.samples[first],
		.weighted = &none_yet,
		.place = place,
	};

	running->counted[running->count] = 0;
	running->keys[running->count++] = *key;
	*group = (struct group){ .place = place, .first = first };
	firsts_keep(&run->firsts, first);
	if (add_numbers(run, running, group, &told) < 0)
		run->failed = 1;
	if (running->is->note)
		group->note = running->is->note(running->state, &told);
	run->is_crowded |= running->count == GROUPS_MOST;
	return (uint16_t)running->count;
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

void combining_heed_weight(struct analysis_run *run, uint32_t weight)
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

static void settle_crowded(struct analysis_run *run)
{
	for (uint32_t n = 0; n < run->count; n++) {
		if (run->running[n].count < GROUPS_MOST)
			continue;
		distribute(run);
		settle_all(run, &run->running[n]);
	}
	run->is_crowded = 0;
}

/* It has room: nothing is forgotten while it is made. */
static void make_room(struct analysis_run *run)
{
	if (run->is_crowded)
		settle_crowded(run);
	if (run->combination_count == COMBINATIONS_MOST)
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

/* A sample whose combination is not among the recent ones */
struct newcomer {
	const struct group_key *key; /* of bits */
	const struct origin *origin;
	const struct precis_sample *sample; /* as it came; NULL: it is one of a run */
	struct precis_sample *first; /* where it goes if it is decoded in full */
	uint32_t place;              /* of that one */
	int is_decoded;
	int unit; /* enum precis_ibs_unit if what its fields come to is known; -1 */
	uint8_t outcomes[OUTCOME_TABLES]; /* that: numbers, by table */
};

/* It is decoded in full. */
static const struct precis_sample *first_of(const struct analysis_run *run, struct newcomer *is)
{
	if (!is->is_decoded)
		decode_in_full(run, is->origin, is->first);
	is->is_decoded = 1;
	return is->first;
}

static void begin_index(struct analysis_run *run, int unit, const struct group_key *first)
{
	struct group_index *index = &run->index[unit];

	group_index_begin(index, &run->outcomes[unit], first);
	for (uint32_t n = 0; n < run->count; n++) {
		if (is_of(run->running[n].is, first))
			group_index_add(index, n, &run->running[n].views[unit],
					run->running[n].measured);
	}
}

/* Of the unit's first form: a recording has few samples of another, if any */
static int unit_of_outcomes(struct analysis_run *run, const struct newcomer *is)
{
	const uint64_t form = is->key->form << (64 - GROUP_WEIGHT_SHIFT);
	int unit;

	if (group_source(is->key) == PRECIS_SOURCE_IBS_OP)
		unit = PRECIS_IBS_OP;
	else if (group_source(is->key) == PRECIS_SOURCE_IBS_FETCH)
		unit = PRECIS_IBS_FETCH;
	else
		return -1;
	if (run->outcomes[unit].is_full)
		return -1;
	if (!run->has_form[unit]) {
		run->has_form[unit] = 1;
		run->form[unit] = form;
		begin_index(run, unit, is->key);
	}
	return run->form[unit] == form ? unit : -1;
}

/* Of a state that has not been seen so far. Its number; 0: there is none */
static __attribute__((noinline)) uint8_t learn_outcome(struct analysis_run *run, struct newcomer *is,
						       uint32_t n, uint32_t state)
{
	struct outcomes *outcomes = &run->outcomes[is->unit];
	struct outcome_table *table = &outcomes->table[n];
	const uint32_t before = table->count;
	const uint32_t number = outcome_learn(table, state, first_of(run, is));

	if (table->count == before)
		return (uint8_t)number;
	for (uint32_t i = 0; i < run->count; i++)
		outcome_views_learn(&run->running[i].views[is->unit], outcomes, n, number);
	if (group_index_learn(&run->index[is->unit], n, number) < 0)
		run->failed = 1;
	return (uint8_t)number;
}

/* @return 0; -1: one of them is none that can be told apart from others */
static int find_outcomes(struct analysis_run *run, struct newcomer *is)
{
	const struct outcomes *outcomes = &run->outcomes[is->unit];
	union of_sixteen states;

	for (uint32_t n = 0; n < outcomes->count; n++) {
		uint32_t state;

		if (n % SIXTEEN == 0)
			outcome_states(outcomes, n / SIXTEEN, is->key, &states);
		state = states.of[n % SIXTEEN];
		is->outcomes[n] = outcomes->table[n].number[state];
		if (__builtin_expect(!is->outcomes[n], 0))
			is->outcomes[n] = learn_outcome(run, is, n, state);
		if (__builtin_expect(!is->outcomes[n], 0))
			return -1;
	}
	return 0;
}

/* What the sample's combination is known by: outcomes if they are to be had, or else bits */
static struct group_key key_of_combination(struct analysis_run *run, struct newcomer *is)
{
	struct group_key key = *is->key;

	is->unit = unit_of_outcomes(run, is);
	if (is->unit >= 0 && find_outcomes(run, is) < 0) {
		run->outcomes[is->unit].is_full = 1; /* from here on */
		is->unit = -1;
	}
	if (is->unit >= 0) {
		key.form |= GROUP_OF_OUTCOMES;
		memcpy(&key.control, is->outcomes, sizeof(is->outcomes));
	}
	return key;
}

static struct group_key key_of_group(const struct analysis_run *run, const struct running *running,
				     struct newcomer *is)
{
	const uint64_t measured = is->key->measured & running->measured;
	struct group_key key = { .form = is->key->form | GROUP_OF_OUTCOMES, .measured = measured };

	if (is->unit < 0)
		return group_key_of(&running->bits, measured,
				    is->sample ? is->sample : first_of(run, is),
				    origin_part(is->origin), is->origin->weight);
	outcome_views_key(&running->views[is->unit], is->outcomes, &key);
	return key;
}

/* Its number; 0: the analysis is not of such samples */
static uint16_t group_of(struct analysis_run *run, struct running *running, struct newcomer *is)
{
	struct group_key key;
	uint16_t *slot;

	if (!is_of(running->is, is->key))
		return 0;
	key = key_of_group(run, running, is);
	slot = group_slot(running, &key);
	if (!*slot) {
		first_of(run, is);
		*slot = open_group(run, running, &key, is->origin->place, is->place);
	}
	return *slot;
}

/* Where it goes if it is kept: another place than before, if groups are no more that had one */
static void choose_place(const struct analysis_run *run, struct newcomer *is)
{
	const uint32_t place = firsts_next(&run->firsts);

	is->is_decoded &= place == is->place;
	is->place = place;
	is->first = &run->firsts.samples[place];
}

/* By their keys */
static void find_groups(struct analysis_run *run, struct combination *combination, struct newcomer *is)
{
	for (uint32_t n = 0; n < run->count; n++)
		combination->of[n] = group_of(run, &run->running[n], is);
}

/* By their index, but for those that it does not know so far */
static void find_groups_at(struct analysis_run *run, struct group_index *index,
			   struct combination *combination, struct newcomer *is)
{
	union of_sixteen at;

	memset(combination->of, 0, sizeof(combination->of));
	if (group_index_find(index, is->key->measured, is->outcomes, &at) < 0)
		run->failed = 1;
	for (uint32_t i = 0; i < index->count; i++) {
		const uint32_t n = index->which[i];
		uint16_t *known = index->groups[n];

		if (__builtin_expect(known && known[at.of[n]], 1)) {
			combination->of[n] = known[at.of[n]];
			continue;
		}
		combination->of[n] = group_of(run, &run->running[n], is);
		if (known)
			known[at.of[n]] = combination->of[n];
	}
}

static void open_combination(struct analysis_run *run, struct combination *combination,
			     const struct group_key *key, struct newcomer *is)
{
	run->used[run->combination_count++] = (uint32_t)(combination - run->combinations);
	combination->key = *key;
	combination->place = is->origin->place;
	combination->number_count = 0;
	if (group_weight(key) == WEIGHT_OWN)
		run->varied[combination - run->combinations] = (struct weighted){ 0 };
	if (is->unit >= 0 && run->index[is->unit].form == is->key->form)
		find_groups_at(run, &run->index[is->unit], combination, is);
	else
		find_groups(run, combination, is);
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];
		const uint32_t of = combination->of[n];

		if (of)
			take_numbers(combination, &running->groups[of - 1]);
		if (running->noted < NOTES_MOST)
			combination->notes.of[running->noted] = of ? running->groups[of - 1].note : 0;
	}
}

static void remember(struct analysis_run *run, const struct group_key *bits,
		     const struct combination *combination)
{
	struct recent *recent = recent_set(run, bits);

	recent[1] = recent[0];
	recent[0].key = *bits;
	recent[0].combination = (uint32_t)(combination - run->combinations);
	recent[0].generation = run->generation;
}

struct combination *combination_find(struct analysis_run *run, const struct group_key *bits,
				     const struct origin *origin, const struct precis_sample *sample)
{
	struct newcomer is = {
		.key = bits, .origin = origin, .sample = sample, .unit = -1,
	};
	struct combination *combination;
	struct group_key key;

	combining_heed_weight(run, origin->weight);
	if (!run->firsts.free_count)
		combining_settle(run);
	choose_place(run, &is);
	key = key_of_combination(run, &is);
	combination = combination_slot(run, &key);
	if (!combination->samples) {
		make_room(run);
		choose_place(run, &is);
		combination = combination_slot(run, &key);
		open_combination(run, combination, &key, &is);
	}
	if (sample)
		remember(run, bits, combination);
	return combination;
}
