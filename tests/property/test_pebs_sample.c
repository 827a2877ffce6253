/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PEBS samples of every core and event from random words: columns say what samples say, a sample
 * that was another's before is as a new one, and what is not wanted, or not of the kernel's words,
 * is not touched.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/property/pebs_samples.h"
#include "tests/support/tap.h"

#define RECORDS 40u
#define RECORD_MOST 512u

static size_t any_buffer(uint32_t layout, uint8_t *bytes)
{
	size_t count = 0;

	for (uint32_t n = 0; n < RECORDS; n++) {
		struct precis_pebs pebs = any_record(layout);
		int made = precis_pebs_encode(&pebs, NULL, bytes + count, RECORD_MOST);

		CU_ASSERT_FATAL(made > 0);
		count += (size_t)made;
	}
	return count;
}

/* Fields that columns can have */
static const uint32_t fields[] = {
	PRECIS_FIELD_IP,	      PRECIS_FIELD_ADDR,
	PRECIS_FIELD_MEM_LEVEL,	      PRECIS_FIELD_MEM_REMOTE,
	PRECIS_FIELD_MEM_SNOOP,	      PRECIS_FIELD_TLB_LEVEL,
	PRECIS_FIELD_LOCKED,	      PRECIS_FIELD_DCACHE_MISS,
	PRECIS_FIELD_L2_MISS,	      PRECIS_FIELD_LOAD_LATENCY,
	PRECIS_FIELD_CACHE_LATENCY,   PRECIS_FIELD_INSTRUCTION_LATENCY,
	PRECIS_FIELD_RETIRE_LATENCY,  PRECIS_FIELD_DATA_BLOCKED,
	PRECIS_FIELD_ADDRESS_BLOCKED, PRECIS_FIELD_LINE_FORWARDED,
	PRECIS_FIELD_FILL_BUFFER_FULL, PRECIS_FIELD_TRANSACTION_CYCLES,
	PRECIS_FIELD_TSC,
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static uint64_t compared, differences;

static void compare(const struct precis_sample *sample, size_t n, uint64_t *const *columns,
		    uint32_t present)
{
	for (uint32_t i = 0; i < FIELDS; i++) {
		uint64_t value = 0;
		int there = precis_get(sample, fields[i], &value);

		compared++;
		/* before format 2 the instruction's address is a register's */
		if (fields[i] == PRECIS_FIELD_IP && sample->value[PRECIS_FIELD_IP_EXACT] != 1)
			continue;
		if (there == (int)(present >> i & 1) && (!there || value == columns[i][n]))
			continue;
		if (differences++ < 5)
			printf("# %s of record %zu: sample %d %#llx, column %u %#llx\n",
			       precis_field_name(fields[i]), n, there, (unsigned long long)value,
			       present >> i & 1, (unsigned long long)columns[i][n]);
	}
}

static void compare_columns(const struct precis_pebs_machine *machine, uint32_t layout)
{
	static uint64_t columns[FIELDS][RECORDS];
	static uint8_t bytes[RECORDS * RECORD_MOST];
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	size_t count = any_buffer(layout, bytes), n = 0;
	struct precis_pebs_context context;
	struct precis_pebs_buffer walk;
	struct precis_sample sample;
	uint32_t present[RECORDS];
	uint64_t *places[FIELDS];

	for (uint32_t i = 0; i < FIELDS; i++)
		places[i] = columns[i];
	precis_sample_init(&sample);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_context_init(&context, machine), 0);
	precis_pebs_buffer_init(&walk, layouts[layout].format, bytes, count);
	CU_ASSERT_EQUAL_FATAL(
		precis_pebs_columns(&context, &walk, fields, FIELDS, RECORDS, places, present),
		RECORDS);
	precis_pebs_buffer_init(&walk, layouts[layout].format, bytes, count);
	while (precis_pebs_buffer_next(&walk, &pebs, NULL) > 0) {
		CU_ASSERT_EQUAL_FATAL(precis_pebs_decode(&context, &pebs, NULL, &sample), 0);
		compare(&sample, n, places, present[n]);
		n++;
	}
	CU_ASSERT_EQUAL(n, RECORDS);
}

static void columns_are_samples(void)
{
	compared = differences = 0;
	for_all(compare_columns);
	printf("# %llu values\n", (unsigned long long)compared);
	CU_ASSERT_EQUAL(differences, 0);
	CU_ASSERT(compared > 1000000);
}

static enum precis_field any_field(void)
{
	return (enum precis_field)(random_next(&state) % PRECIS_FIELD_COUNT);
}

static void decode_again(const struct precis_pebs_machine *machine, uint32_t layout)
{
	static struct precis_sample used;
	struct precis_pebs_context context, fresh_context;
	struct precis_sample fresh;

	if (!used.size)
		precis_sample_init(&used);
	precis_pebs_context_init(&context, machine);
	for (uint32_t n = 0; n < 8; n++) {
		struct precis_pebs pebs = any_record(layout);

		pebs.captured &= (uint32_t)random_next(&state);
		if (random_next(&state) % 2)
			precis_set(&used, any_field(), random_next(&state));
		precis_sample_init(&fresh);
		precis_pebs_context_init(&fresh_context, machine);
		precis_pebs_decode(&context, &pebs, NULL, &used);
		precis_pebs_decode(&fresh_context, &pebs, NULL, &fresh);
		for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
			compared++;
			if (used.value[field] == fresh.value[field] &&
			    precis_why(&used, field) == precis_why(&fresh, field) &&
			    !strcmp(precis_why_detail(&used, field),
				    precis_why_detail(&fresh, field)))
				continue;
			if (differences++ < 5)
				printf("# %s: %#llx (%s), afresh %#llx (%s)\n",
				       precis_field_name(field),
				       (unsigned long long)used.value[field],
				       precis_why_detail(&used, field),
				       (unsigned long long)fresh.value[field],
				       precis_why_detail(&fresh, field));
		}
	}
}

static void nothing_is_left_over(void)
{
	compared = differences = 0;
	for_all(decode_again);
	CU_ASSERT_EQUAL(differences, 0);
	CU_ASSERT(compared > 1000000);
}

/* Other fields, of one word of the set */
static void change_wanted(uint64_t *wanted)
{
	uint64_t some = random_next(&state) & random_next(&state);

	wanted[random_next(&state) % PRECIS_FIELD_WORDS] = random_next(&state) % 4 ? some : 0;
}

static void decode_wanted(const struct precis_pebs_machine *machine, uint32_t layout)
{
	struct precis_pebs_context context, all_context;
	uint64_t wanted[PRECIS_FIELD_WORDS] = { 0 };
	struct precis_sample all, some;

	precis_sample_init(&all);
	precis_sample_init(&some);
	precis_pebs_context_init(&context, machine);
	precis_pebs_context_init(&all_context, machine);
	for (uint32_t n = 0; n < 8; n++) {
		struct precis_pebs pebs = any_record(layout);

		change_wanted(wanted);
		precis_pebs_decode(&context, &pebs, wanted, &some);
		precis_pebs_decode(&all_context, &pebs, NULL, &all);
		for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
			int is_wanted = precis_fields_have(wanted, field);
			uint64_t expected = is_wanted ? all.value[field] : UINT64_MAX;
			int there = is_wanted && precis_fields_have(all.present, field);

			compared++;
			if (some.value[field] == expected &&
			    precis_fields_have(some.present, field) == there &&
			    (precis_fields_have(all.present, field) ||
			     all.value[field] == UINT64_MAX))
				continue;
			if (differences++ < 5)
				printf("# %s%s: %#llx, of all %#llx\n", precis_field_name(field),
				       is_wanted ? "" : ", not wanted",
				       (unsigned long long)some.value[field],
				       (unsigned long long)all.value[field]);
		}
	}
}

static void nothing_unwanted(void)
{
	compared = differences = 0;
	for_all(decode_wanted);
	CU_ASSERT_EQUAL(differences, 0);
	CU_ASSERT(compared > 1000000);
}

static struct precis_perf_words any_words(void)
{
	static const uint64_t weights[] = { 0, PRECIS_SAMPLE_WEIGHT, PRECIS_SAMPLE_WEIGHT_STRUCT };
	struct precis_perf_words words = {
		.size = sizeof(words),
		.captured = (uint32_t)(weights[random_next(&state) % 3] |
				       (random_next(&state) & (PRECIS_SAMPLE_ADDR |
							       PRECIS_SAMPLE_DATA_SRC))),
		.addr = random_next(&state),
		.data_src = random_next(&state) & random_next(&state),
		.weight = random_next(&state) & 0xff,
		.weight_var2 = (uint32_t)random_next(&state) & 3,
		.weight_var3 = (uint32_t)random_next(&state) & 3,
	};

	return words;
}

/* A sample with any fields, as those that perf's records give */
static void any_sample(struct precis_sample *sample)
{
	precis_sample_init(sample);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		if (random_next(&state) % 2)
			precis_set(sample, (enum precis_field)field, random_next(&state));
	}
}

static void decode_words_over(const struct precis_pebs_machine *machine, uint32_t layout)
{
	struct precis_sample before, after, fresh;
	uint64_t wanted[PRECIS_FIELD_WORDS] = { 0 };
	struct precis_pebs_context context;

	(void)layout;
	precis_pebs_context_init(&context, machine);
	for (uint32_t n = 0; n < 4; n++) {
		struct precis_perf_words words = any_words();

		change_wanted(wanted);
		any_sample(&before);
		after = before;
		precis_sample_init(&fresh);
		precis_perf_words_decode(&context, &words, wanted, &after);
		precis_perf_words_decode(&context, &words, wanted, &fresh);
		for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
			const struct precis_sample *as =
				precis_fields_have(fresh.present, field) ? &fresh : &before;

			compared++;
			if (after.value[field] == as->value[field] &&
			    precis_fields_have(after.present, field) ==
				    precis_fields_have(as->present, field))
				continue;
			if (differences++ < 5)
				printf("# %s: %#llx instead of %#llx\n", precis_field_name(field),
				       (unsigned long long)after.value[field],
				       (unsigned long long)as->value[field]);
		}
	}
}

static void words_leave_others_alone(void)
{
	compared = differences = 0;
	for_all(decode_words_over);
	CU_ASSERT_EQUAL(differences, 0);
	CU_ASSERT(compared > 1000000);
}

static const struct tap_case cases[] = {
	{ "columns say what samples say", columns_are_samples },
	{ "a sample that was another's is as a new one", nothing_is_left_over },
	{ "a field that is not wanted is not there, the others as ever", nothing_unwanted },
	{ "the kernel's words leave other fields alone", words_leave_others_alone },
};

int main(void)
{
	return tap_main("PEBS samples, any words", cases, sizeof(cases) / sizeof(cases[0]));
}
