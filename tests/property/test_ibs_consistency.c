/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What must hold of any sample of any CPU: encoding and parsing are inverse,
 * the three ways to ask which fields are present agree, an absent field never
 * has a value and always a reason.
 */
#include <stdio.h>
#include <string.h>

#include <precis/error.h>
#include <precis/sample.h>

#include "tests/property/contexts.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define SAMPLES 400
#define REPORTED 10

static unsigned int wrong;

static void complain(const char *what, const char *cpuid, uint32_t caps, uint32_t field)
{
	if (wrong++ < REPORTED)
		printf("# %s, caps 0x%x: %s: %s\n", cpuid, caps,
		       field < PRECIS_FIELD_COUNT ? precis_field_name(field) : "all fields", what);
}

/* Run 'check' for every CPU, known and not, with every capability word. */
typedef void (*check_fn)(struct precis_ibs_context *context, uint32_t caps, uint64_t *state,
			 const char *cpuid);

static void for_each_context(const char *who, check_fn check)
{
	static struct precis_ibs_context context;
	uint64_t state = random_seed(who);

	wrong = 0;
	for (size_t core = 0; core <= TEST_CORES; core++) {
		const char *cpuid = core < TEST_CORES ? test_cores[core].cpuid : "unknown CPU";

		if (core < TEST_CORES)
			CU_ASSERT_EQUAL_FATAL(test_context(cpuid, &context), 0);
		if (core == TEST_CORES)
			CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&context, NULL), 0);
		for (size_t caps = 0; caps < TEST_CAPS; caps++)
			check(&context, test_caps[caps], &state, cpuid);
		if (core < TEST_CORES)
			check(&context, test_cores[core].caps, &state, cpuid);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void check_round_trip(struct precis_ibs_context *context, uint32_t caps, uint64_t *state,
			     const char *cpuid)
{
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX + 16];
	struct precis_ibs_op op, op_again;
	struct precis_ibs_fetch fetch, fetch_again;

	(void)context;
	for (unsigned int i = 0; i < random_amount(SAMPLES); i++) {
		/* a register of the payload, and bytes behind it, at any alignment */
		uint8_t *at = payload + i % 8;
		int bytes;

		random_op(state, caps, &op);
		memset(&op_again, 0, sizeof(op_again));
		op_again.size = sizeof(op_again);
		bytes = precis_ibs_op_encode(&op, at);
		if (bytes != 60 + 8 * (int)((caps >> 5 & 1) + (caps >> 10 & 1)))
			complain("size of the ibs_op payload", cpuid, caps, PRECIS_FIELD_COUNT);
		if (precis_ibs_op_parse(at, (size_t)bytes, &op_again) ||
		    memcmp(&op, &op_again, sizeof(op)))
			complain("ibs_op round trip", cpuid, caps, PRECIS_FIELD_COUNT);

		random_fetch(state, caps, &fetch);
		memset(&fetch_again, 0, sizeof(fetch_again));
		fetch_again.size = sizeof(fetch_again);
		bytes = precis_ibs_fetch_encode(&fetch, 0, at);
		if (bytes != 28 + 8 * (int)(caps >> 9 & 1))
			complain("size of the ibs_fetch payload", cpuid, caps, PRECIS_FIELD_COUNT);
		if (precis_ibs_fetch_parse(at, (size_t)bytes, 0, &fetch_again) ||
		    memcmp(&fetch, &fetch_again, sizeof(fetch)))
			complain("ibs_fetch round trip", cpuid, caps, PRECIS_FIELD_COUNT);
	}
}

static void check_absence(const struct precis_sample *sample, const uint64_t *wanted, uint32_t caps,
			  const char *cpuid)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		enum precis_reason reason = precis_why(sample, (enum precis_field)field);
		const char *detail = precis_why_detail(sample, (enum precis_field)field);
		int asked = precis_fields_have(wanted, field);

		if (precis_fields_have(sample->present, field)) {
			if (reason != PRECIS_PRESENT || *detail)
				complain("present, with a reason", cpuid, caps, field);
			if (!asked)
				complain("present, though not wanted", cpuid, caps, field);
			continue;
		}
		if (sample->value[field] != UINT64_MAX)
			complain("absent, with a value", cpuid, caps, field);
		if (reason == PRECIS_PRESENT || !precis_reason_name(reason) || !*detail ||
		    !strcmp(detail, "not decoded"))
			complain("absent without a reason", cpuid, caps, field);
		if (!asked && reason != PRECIS_NOT_CAPTURED)
			complain("not wanted, with another reason", cpuid, caps, field);
		if (asked && reason == PRECIS_ERRATUM && strncmp(detail, "AMD-", 4))
			complain("an erratum without its name", cpuid, caps, field);
	}
}

/* Is the set what of all was wanted? */
static int is_part(const uint64_t *set, const uint64_t *all, const uint64_t *wanted)
{
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++) {
		if (set[word] != (all[word] & wanted[word]))
			return 0;
	}
	return 1;
}

static void check_reasons(struct precis_ibs_context *context, uint32_t caps, uint64_t *state,
			  const char *cpuid)
{
	struct precis_sample sample;
	struct precis_ibs_op op;
	struct precis_ibs_fetch fetch;

	/* one sample, decoded into over and over: nothing of before may shine through */
	precis_sample_init(&sample);
	for (unsigned int i = 0; i < random_amount(SAMPLES); i++) {
		uint64_t wanted[PRECIS_FIELD_WORDS], all[PRECIS_FIELD_WORDS];

		for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
			wanted[word] = i % 3 ? UINT64_MAX : random_next(state);
		random_op(state, caps, &op);
		precis_ibs_op_decode(context, &op, i % 3 == 1 ? NULL : wanted, &sample);
		precis_ibs_op_present(context, &op, all);
		if (!is_part(sample.present, all, wanted))
			complain("op_present() differs from decode", cpuid, caps, PRECIS_FIELD_COUNT);
		check_absence(&sample, wanted, caps, cpuid);

		random_fetch(state, caps, &fetch);
		precis_ibs_fetch_decode(context, &fetch, i % 3 == 1 ? NULL : wanted, &sample);
		precis_ibs_fetch_present(context, &fetch, all);
		if (!is_part(sample.present, all, wanted))
			complain("fetch_present() differs from decode", cpuid, caps,
				 PRECIS_FIELD_COUNT);
		check_absence(&sample, wanted, caps, cpuid);
	}
}

#define BATCH 16

/* The fields that a unit has, by what the column functions accept. */
static size_t fields_of(struct precis_ibs_context *context, enum precis_ibs_unit unit,
			uint32_t fields[PRECIS_FIELD_COUNT])
{
	uint64_t set[PRECIS_FIELD_WORDS], value = 0, *column = &value;
	uint64_t *const present[PRECIS_FIELD_WORDS] = { &set[0], &set[1], &set[2], &set[3] };
	struct precis_ibs_op op = { .size = sizeof(op), .caps = 1 };
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch), .caps = 1 };
	size_t count = 0;

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		int error = unit == PRECIS_IBS_OP
				    ? precis_ibs_op_columns(context, &op, 1, &field, 1, &column,
							    present)
				    : precis_ibs_fetch_columns(context, &fetch, 1, &field, 1,
							       &column, present);

		if (!error)
			fields[count++] = field;
		else
			CU_ASSERT_EQUAL(error, PRECIS_E_NO_FIELD);
	}
	return count;
}

static void check_columns(struct precis_ibs_context *context, uint32_t caps, uint64_t *state,
			  const char *cpuid)
{
	static struct precis_ibs_op ops[BATCH];
	static struct precis_ibs_fetch fetches[BATCH];
	static uint64_t values[PRECIS_FIELD_COUNT][BATCH], sets[PRECIS_FIELD_WORDS][BATCH];
	uint64_t *const present[PRECIS_FIELD_WORDS] = { sets[0], sets[1], sets[2], sets[3] };
	uint64_t *columns[PRECIS_FIELD_COUNT];
	struct precis_sample sample;
	uint32_t fields[PRECIS_FIELD_COUNT];

	precis_sample_init(&sample);
	for (unsigned int i = 0; i < PRECIS_FIELD_COUNT; i++)
		columns[i] = values[i];
	for (unsigned int unit = 0; unit < 2; unit++) {
		size_t count = fields_of(context, (enum precis_ibs_unit)unit, fields);
		uint64_t all[PRECIS_FIELD_WORDS] = { 0 };

		for (unsigned int i = 0; i < BATCH; i++) {
			random_op(state, caps, &ops[i]);
			random_fetch(state, caps, &fetches[i]);
		}
		if (unit == PRECIS_IBS_OP)
			precis_ibs_op_columns(context, ops, BATCH, fields, count, columns, present);
		else
			precis_ibs_fetch_columns(context, fetches, BATCH, fields, count, columns,
						 present);
		for (unsigned int i = 0; i < BATCH; i++) {
			if (unit == PRECIS_IBS_OP)
				precis_ibs_op_decode(context, &ops[i], NULL, &sample);
			else
				precis_ibs_fetch_decode(context, &fetches[i], NULL, &sample);
			for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++) {
				if (sets[word][i] != sample.present[word])
					complain("a column's presence differs", cpuid, caps,
						 PRECIS_FIELD_COUNT);
				all[word] |= sample.present[word];
			}
			for (size_t k = 0; k < count; k++) {
				if (columns[k][i] != sample.value[fields[k]])
					complain("a column's value differs", cpuid, caps, fields[k]);
			}
		}
		for (size_t k = 0; k < count; k++)
			precis_fields_remove(all, fields[k]);
		if (all[0] | all[1] | all[2] | all[3])
			complain("a field without a column", cpuid, caps, PRECIS_FIELD_COUNT);
	}
}

static void round_trip(void)
{
	for_each_context("round trip", check_round_trip);
}

static void reasons(void)
{
	for_each_context("reasons", check_reasons);
}

static void columns(void)
{
	for_each_context("columns", check_columns);
}

static const struct tap_case cases[] = {
	{ "encode, then parse: every register is back", round_trip },
	{ "present or absent with a reason, never both, never a stale value", reasons },
	{ "columns say what decoding one by one says", columns },
};

int main(void)
{
	return tap_main("consistency", cases, sizeof(cases) / sizeof(cases[0]));
}
