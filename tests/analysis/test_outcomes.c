/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is remembered of fields by a few bits of registers is what each sample is decoded to: random
 * registers of every core, and all that any analysis tells apart.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/group_index.h"
#include "analysis/list.h"
#include "analysis/outcomes.h"
#include "tests/property/contexts.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define SAMPLES 60000u
#define REPORTED 10u

static uint64_t set_of(const uint8_t *fields)
{
	uint64_t set = 0;

	for (; fields && *fields != FIELDS_END; fields++) {
		if (*fields < 64)
			set |= UINT64_C(1) << *fields;
	}
	return set;
}

/* Numbers are measured; nothing else is here, since columns depend on what is asked for. */
static struct outcomes_wanted wanted_by(const struct analysis *is, uint64_t measured)
{
	return (struct outcomes_wanted){
		.decided = { set_of(is->decided) },
		.explained = { set_of(is->explained) },
		.measured = measured,
	};
}

struct told {
	struct outcomes outcomes;
	struct group_bits bits;
	uint64_t measured;
	uint32_t wrong;
};

static void begin(struct told *told, enum precis_ibs_unit unit)
{
	uint64_t decided[PRECIS_FIELD_WORDS] = { 0 }, numbers[PRECIS_FIELD_WORDS] = { 0 };

	memset(told, 0, sizeof(*told));
	for (size_t n = 0; analyses[n]; n++) {
		decided[0] |= set_of(analyses[n]->decided);
		numbers[0] |= set_of(analyses[n]->numbers);
	}
	told->measured = numbers[0];
	told->bits = group_bits_of(decided, numbers);
	for (size_t n = 0; analyses[n]; n++) {
		const struct outcomes_wanted wanted = wanted_by(analyses[n], told->measured);

		outcomes_want(&told->outcomes, unit, &wanted);
	}
	CU_ASSERT_EQUAL_FATAL(outcomes_prepare(&told->outcomes), 0);
}

static uint32_t state_of(const struct outcomes *outcomes, uint32_t table, const struct group_key *key)
{
	union of_sixteen states;

	outcome_states(outcomes, table / SIXTEEN, key, &states);
	return states.of[table % SIXTEEN];
}

static struct group_key key_of(const struct told *told, const struct precis_sample *sample)
{
	return group_key_of(&told->bits, sample->present[0] & told->measured, sample, 0, 0);
}

static int is_as_known(const struct outcome_field *field, const struct outcome *known,
		       const struct precis_sample *sample)
{
	const char *detail = NULL;

	if (known->is_present != precis_fields_have(sample->present, field->field))
		return 0;
	if (known->is_present)
		return !field->is_by_value || known->value == sample->value[field->field];
	return !field->is_explained ||
	       (precis_why_in_words(sample, field->field, &detail) == known->reason &&
		strcmp(detail, known->detail) == 0);
}

/* Its state's number, which is learnt if need be; what was learnt before is true of it, too. */
static void compare(struct told *told, uint32_t at, const struct precis_sample *sample,
		    const char *cpuid)
{
	const struct group_key key = key_of(told, sample);
	struct outcome_table *table = &told->outcomes.table[at];
	const uint32_t state = state_of(&told->outcomes, at, &key);
	uint32_t number = table->number[state];

	if (!number)
		number = outcome_learn(table, state, sample);
	CU_ASSERT_TRUE_FATAL(number && state >> table->bits == 0);
	for (uint32_t n = 0; n < table->field_count; n++) {
		const struct outcome *known =
			&table->known[(size_t)(number - 1) * table->field_count + n];

		if (!is_as_known(&table->fields[n], known, sample) && told->wrong++ < REPORTED)
			printf("# %s: %s, data3 0x%llx\n", cpuid,
			       precis_field_name(table->fields[n].field),
			       (unsigned long long)sample->registers.ibs_op.op_data3);
	}
}

static void decode(struct precis_ibs_context *context, enum precis_ibs_unit unit, uint32_t caps,
		   uint64_t *state, struct precis_sample *sample)
{
	struct precis_ibs_fetch fetch;
	struct precis_ibs_op op;

	if (unit == PRECIS_IBS_OP) {
		random_op(state, caps, &op);
		precis_ibs_op_decode(context, &op, NULL, sample);
	} else {
		random_fetch(state, caps, &fetch);
		precis_ibs_fetch_decode(context, &fetch, NULL, sample);
	}
}

static void of_unit(enum precis_ibs_unit unit)
{
	static struct precis_ibs_context context;
	uint64_t state = random_seed("outcomes");
	const unsigned int samples = random_amount(SAMPLES);
	struct precis_sample sample;
	struct told told;

	precis_sample_init(&sample);
	for (size_t core = 0; core < TEST_CORES; core++) {
		CU_ASSERT_EQUAL_FATAL(test_context(test_cores[core].cpuid, &context), 0);
		begin(&told, unit);
		CU_ASSERT_TRUE(told.outcomes.count > 0 && !told.outcomes.is_full);
		for (unsigned int i = 0; i < samples; i++) {
			decode(&context, unit, test_cores[core].caps, &state, &sample);
			for (uint32_t n = 0; n < told.outcomes.count; n++)
				compare(&told, n, &sample, test_cores[core].cpuid);
		}
		CU_ASSERT_EQUAL(told.wrong, 0);
		outcomes_free(&told.outcomes);
	}
}

static void ops(void)
{
	of_unit(PRECIS_IBS_OP);
}

static void fetches(void)
{
	of_unit(PRECIS_IBS_FETCH);
}

/* One analysis that tells fields apart, and one that only asks whether loads hit the L1 */
static uint32_t is_l1(uint32_t field, const uint64_t *value)
{
	return field == PRECIS_FIELD_MEM_LEVEL && value && *value == PRECIS_MEM_LEVEL_L1;
}

static const uint8_t level[] = { PRECIS_FIELD_MEM_LEVEL, FIELDS_END };
static const struct analysis viewers[] = {
	{ .decided = level, .explained = level },
	{ .decided = level },
	{ .decided = level, .apart = is_l1 },
};
#define VIEWERS 3u

/* What the viewer is to tell apart in the sample, as text */
static void tell(uint32_t viewer, const struct precis_sample *sample, char *text, size_t room)
{
	const char *detail = "";
	uint64_t value = 0;

	if (precis_get_mem_level(sample, &value)) {
		snprintf(text, room, "%d", viewer == 2 ? value == PRECIS_MEM_LEVEL_L1 : (int)value);
		return;
	}
	if (viewer == 0)
		precis_why_in_words(sample, PRECIS_FIELD_MEM_LEVEL, &detail);
	snprintf(text, room, "%s", viewer == 2 ? "0" : viewer == 1 ? "none" : detail);
}

/* By number as a viewer sees it: what was told of the first such sample */
static char seen[VIEWERS][OUTCOMES_OF_TABLE + 1][256];

static void views(void)
{
	static struct precis_ibs_context context;
	struct outcome_views of[VIEWERS] = { { .count = 0 } };
	struct outcomes outcomes = { .count = 0 };
	uint64_t state = random_seed("views");
	const uint64_t decided[PRECIS_FIELD_WORDS] = { set_of(level) },
		       numbers[PRECIS_FIELD_WORDS] = { 0 };
	const struct group_bits bits = group_bits_of(decided, numbers);
	struct precis_sample sample;
	uint32_t wrong = 0;

	CU_ASSERT_EQUAL_FATAL(test_context("AuthenticAMD,25,17,1", &context), 0);
	precis_sample_init(&sample);
	for (uint32_t n = 0; n < VIEWERS; n++) {
		const struct outcomes_wanted wanted = wanted_by(&viewers[n], 0);

		outcomes_want(&outcomes, PRECIS_IBS_OP, &wanted);
	}
	CU_ASSERT_EQUAL_FATAL(outcomes_prepare(&outcomes), 0);
	for (uint32_t n = 0; n < VIEWERS; n++) {
		const struct outcomes_wanted wanted = wanted_by(&viewers[n], 0);

		CU_ASSERT_EQUAL_FATAL(outcomes_view(&outcomes, PRECIS_IBS_OP, &viewers[n], &wanted,
						    &of[n]), 0);
	}
	CU_ASSERT_EQUAL_FATAL(outcomes.count, 1);
	for (unsigned int i = 0; i < SAMPLES; i++) {
		struct outcome_table *table = &outcomes.table[0];
		struct group_key key;
		uint8_t number;

		decode(&context, PRECIS_IBS_OP, 0xbff, &state, &sample);
		key = group_key_of(&bits, 0, &sample, 0, 0);
		number = table->number[state_of(&outcomes, 0, &key)];
		if (!number) {
			const uint32_t before = table->count;

			number = (uint8_t)outcome_learn(table, state_of(&outcomes, 0, &key), &sample);
			for (uint32_t n = 0; n < VIEWERS && table->count > before; n++)
				outcome_views_learn(&of[n], &outcomes, 0, number);
		}
		for (uint32_t n = 0; n < VIEWERS; n++) {
			struct group_key of_group = { .form = 0 };
			char text[256];

			outcome_views_key(&of[n], &number, &of_group);
			tell(n, &sample, text, sizeof(text));
			if (!*seen[n][of_group.control])
				snprintf(seen[n][of_group.control], sizeof(text), "%s", text);
			wrong += strcmp(seen[n][of_group.control], text) != 0;
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	/* and what is the same to a viewer has one number */
	for (uint32_t n = 0; n < VIEWERS; n++) {
		for (uint32_t a = 0; a <= OUTCOMES_OF_TABLE; a++) {
			for (uint32_t b = 0; b < a && *seen[n][a]; b++)
				wrong += strcmp(seen[n][a], seen[n][b]) == 0;
		}
		outcome_views_free(&of[n]);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	outcomes_free(&outcomes);
}

/* --- an index for each key, and a key for each index --- */

struct by_index {
	struct group_index index;
	struct outcome_views views[ANALYSES_MOST];
	uint64_t measured[ANALYSES_MOST];
	struct group_key *key[ANALYSES_MOST]; /* by index: of the first sample that has it */
	uint32_t count, wrong, compared;
};

static void learn(struct told *told, struct by_index *by, const struct precis_sample *sample,
		  const struct group_key *key, uint8_t *numbers)
{
	for (uint32_t n = 0; n < told->outcomes.count; n++) {
		struct outcome_table *table = &told->outcomes.table[n];
		const uint32_t state = state_of(&told->outcomes, n, key), before = table->count;

		if (!table->number[state])
			outcome_learn(table, state, sample);
		numbers[n] = table->number[state];
		if (table->count == before)
			continue;
		for (uint32_t i = 0; i < by->count; i++)
			outcome_views_learn(&by->views[i], &told->outcomes, n, numbers[n]);
		CU_ASSERT_EQUAL(group_index_learn(&by->index, n, numbers[n]), 0);
	}
}

/* What has that index here has that key, too, and the other way round. */
static void compare_keys(struct by_index *by, uint32_t n, uint32_t at, const struct group_key *key)
{
	const uint32_t end = 1u << by->index.indexed[n].bits;

	if (!by->key[n])
		by->key[n] = calloc(end, sizeof(**by->key));
	CU_ASSERT_TRUE_FATAL(by->key[n] != NULL && at < end);
	if (!by->key[n][at].form)
		by->key[n][at] = *key;
	by->wrong += !group_keys_equal(&by->key[n][at], key);
	by->compared++;
}

static void expect_apart(const struct by_index *by, uint32_t n)
{
	const uint32_t end = 1u << by->index.indexed[n].bits;

	for (uint32_t a = 0; by->key[n] && a < end; a++) {
		for (uint32_t b = 0; b < a && by->key[n][a].form; b++)
			CU_ASSERT_FALSE(group_keys_equal(&by->key[n][a], &by->key[n][b]));
	}
}

/* Once to learn what there is: an index is of what was learnt so far. Then samples are compared. */
static void look_up(struct told *told, struct by_index *by, struct precis_ibs_context *context,
		    uint32_t caps, int is_compared)
{
	uint64_t state = 4711;
	struct precis_sample sample;

	precis_sample_init(&sample);
	for (unsigned int i = 0; i < random_amount(SAMPLES); i++) {
		uint8_t numbers[OUTCOME_TABLES];
		union of_sixteen at;
		struct group_key key;

		decode(context, PRECIS_IBS_OP, caps, &state, &sample);
		key = key_of(told, &sample);
		if (!by->index.has_form) {
			group_index_begin(&by->index, &told->outcomes, &key);
			for (uint32_t n = 0; n < by->count; n++)
				group_index_add(&by->index, n, &by->views[n], by->measured[n]);
		}
		if (key.form != by->index.form) /* a register is not captured */
			continue;
		learn(told, by, &sample, &key, numbers);
		CU_ASSERT_EQUAL(group_index_find(&by->index, key.measured, numbers, &at), 0);
		for (uint32_t n = 0; n < by->count && is_compared; n++) {
			struct group_key of_group = {
				.form = 1, .measured = key.measured & by->measured[n],
			};

			outcome_views_key(&by->views[n], numbers, &of_group);
			if (by->index.groups[n])
				compare_keys(by, n, at.of[n], &of_group);
		}
	}
}

static void indices(void)
{
	static struct precis_ibs_context context;
	static struct by_index by;

	for (size_t core = 0; core < TEST_CORES; core++) {
		struct told told;

		memset(&by, 0, sizeof(by));
		CU_ASSERT_EQUAL_FATAL(test_context(test_cores[core].cpuid, &context), 0);
		begin(&told, PRECIS_IBS_OP);
		for (by.count = 0; analyses[by.count]; by.count++) {
			const struct analysis *is = analyses[by.count];
			const struct outcomes_wanted wanted = wanted_by(is, told.measured);

			/* with columns some tell apart more than their own numbers */
			by.measured[by.count] = by.count % 2 ? told.measured : set_of(is->numbers);
			CU_ASSERT_EQUAL_FATAL(outcomes_view(&told.outcomes, PRECIS_IBS_OP, is, &wanted,
							    &by.views[by.count]), 0);
		}
		look_up(&told, &by, &context, test_cores[core].caps, 0);
		look_up(&told, &by, &context, test_cores[core].caps, 1);
		CU_ASSERT_EQUAL(by.wrong, 0);
		CU_ASSERT_TRUE(by.compared > by.count);
		for (uint32_t n = 0; n < by.count; n++) {
			expect_apart(&by, n);
			free(by.key[n]);
			outcome_views_free(&by.views[n]);
		}
		group_index_free(&by.index);
		outcomes_free(&told.outcomes);
	}
}

/* More fields, or wider ones, than there is room for: said, and nothing written outside. */
static void too_many(void)
{
	const struct outcomes_wanted all = {
		.decided = { UINT64_MAX },
		.explained = { UINT64_MAX },
		.measured = 0,
	};
	struct outcomes outcomes = { .count = 0 };
	struct outcome_views of = { .count = 0 };

	outcomes_want(&outcomes, PRECIS_IBS_OP, &all);
	CU_ASSERT_EQUAL_FATAL(outcomes_prepare(&outcomes), 0);
	CU_ASSERT_TRUE(outcomes.is_full);
	CU_ASSERT_TRUE(outcomes.count <= OUTCOME_TABLES);
	CU_ASSERT_EQUAL(outcomes_view(&outcomes, PRECIS_IBS_OP, &viewers[0], &all, &of), 0);
	CU_ASSERT_TRUE(of.count <= OUTCOME_VIEWS);
	for (uint32_t n = 0; n < outcomes.count; n++)
		CU_ASSERT_TRUE(outcomes.table[n].bits <= OUTCOME_BITS_MOST);
	outcome_views_free(&of);
	outcomes_free(&outcomes);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random ops of every core: what is remembered is what is decoded", ops },
		{ "random fetches of every core", fetches },
		{ "views: the same number for what is the same to an analysis, and for nothing else",
		  views },
		{ "an index for each key, of all analyses, and a key for each index", indices },
		{ "more than there is room for", too_many },
	};

	return tap_main("outcomes", cases, sizeof(cases) / sizeof(cases[0]));
}
