/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PEBS samples of every core and event from random words: columns say what samples say, and a
 * sample that was another's before is as a new one.
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
	PRECIS_FIELD_ADDRESS_BLOCKED, PRECIS_FIELD_FORWARDED,
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

static const struct tap_case cases[] = {
	{ "columns say what samples say", columns_are_samples },
	{ "a sample that was another's is as a new one", nothing_is_left_over },
};

int main(void)
{
	return tap_main("PEBS samples, any words", cases, sizeof(cases) / sizeof(cases[0]));
}
