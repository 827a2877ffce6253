/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random registers of IBS through each function that takes or gives a set of fields. test_added_fields.py
 * compiles it. TWINS are the fields that have been added, TWIN(NAME) for each; with today's headers none.
 */
#include <precis/error.h>
#include <precis/sample.h>

#include "tests/property/contexts.h"
#include "tests/property/random.h"

static const struct twin {
	uint32_t field, other;
} twins[] = {
#define TWIN(name) { PRECIS_FIELD_TWIN_##name, PRECIS_FIELD_##name },
	TWINS{ PRECIS_FIELD_COUNT, 0 }, /* the end */
};

#define SAMPLES 200u
#define BATCH 100u /* no multiple of what is decoded at once */

static uint32_t wrong, found;
static uint64_t digest;
static int is_known; /* does the library know them? */

static void complain(const char *what, uint32_t field)
{
	if (wrong++ < 10)
		printf("%s: %s\n", what,
		       field < PRECIS_FIELD_COUNT ? precis_field_name(field) : "all");
}

static void note(uint64_t value)
{
	digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	digest ^= digest >> 29;
}

static const struct twin *twin_of(uint32_t field)
{
	for (const struct twin *twin = twins; twin->field < PRECIS_FIELD_COUNT; twin++) {
		if (twin->field == field)
			return twin;
	}
	return NULL;
}

static void check_pair(const struct precis_sample *sample, const struct twin *twin)
{
	const enum precis_field field = (enum precis_field)twin->field,
				other = (enum precis_field)twin->other;
	const int is_wanted = precis_fields_have(sample->wanted, field);

	found += (uint32_t)precis_fields_have(sample->present, field);
	if (!is_known || !is_wanted) {
		if (precis_fields_have(sample->present, field) ||
		    sample->value[field] != UINT64_MAX)
			complain("there, though not known or not wanted", field);
		if (precis_why(sample, field) !=
			    (is_known ? PRECIS_NOT_CAPTURED : PRECIS_NOT_SUPPORTED) ||
		    strcmp(precis_why_detail(sample, field),
			   is_known ? "not asked for" : "no such field"))
			complain("another reason than that it is not known, or not wanted", field);
		return;
	}
	if (!precis_fields_have(sample->wanted, other))
		return;
	if (precis_fields_have(sample->present, field) !=
		    precis_fields_have(sample->present, other) ||
	    sample->value[field] != sample->value[other])
		complain("another value", field);
	if (precis_why(sample, field) != precis_why(sample, other) ||
	    strcmp(precis_why_detail(sample, field), precis_why_detail(sample, other)))
		complain("another reason", field);
}

static void check_sample(const struct precis_sample *sample, const uint64_t *present)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		const struct twin *twin = twin_of(field);
		const int is_there = precis_fields_have(sample->present, field);

		if (is_there != (precis_fields_have(sample->wanted, field) &&
				 precis_fields_have(present, field)))
			complain("present, or not, other than that function says", field);
		if (twin) {
			check_pair(sample, twin);
			continue;
		}
		note(sample->value[field]);
		note((uint64_t)precis_why(sample, (enum precis_field)field));
	}
}

static void any_set(uint64_t *state, uint64_t set[PRECIS_FIELD_WORDS])
{
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
		set[word] = random_next(state);
}

/* One sample, decoded into over and over */
static void check_samples(struct precis_ibs_context *context, uint32_t caps, uint64_t *state)
{
	uint64_t wanted[PRECIS_FIELD_WORDS], present[PRECIS_FIELD_WORDS];
	struct precis_ibs_fetch fetch;
	struct precis_sample sample;
	struct precis_ibs_op op;

	precis_sample_init(&sample);
	for (uint32_t n = 0; n < SAMPLES; n++) {
		any_set(state, wanted);
		random_op(state, caps, &op);
		random_fetch(state, caps, &fetch);
		if (precis_ibs_op_decode(context, &op, n % 2 ? wanted : NULL, &sample) ||
		    precis_ibs_op_present(context, &op, present))
			complain("an op that cannot be decoded", PRECIS_FIELD_COUNT);
		check_sample(&sample, present);
		if (precis_ibs_fetch_decode(context, &fetch, n % 2 ? wanted : NULL, &sample) ||
		    precis_ibs_fetch_present(context, &fetch, present))
			complain("a fetch that cannot be decoded", PRECIS_FIELD_COUNT);
		check_sample(&sample, present);
	}
}

/* A column of each field: of the added one and of the other, which need no other words of sets than theirs */
static int columns_of(struct precis_ibs_context *context, enum precis_ibs_unit unit,
		      const void *all, uint32_t field, uint64_t *column, uint64_t *const *present)
{
	return unit == PRECIS_IBS_OP
		       ? precis_ibs_op_columns(context, all, BATCH, &field, 1, &column, present)
		       : precis_ibs_fetch_columns(context, all, BATCH, &field, 1, &column, present);
}

static void check_columns(struct precis_ibs_context *context, enum precis_ibs_unit unit,
			  const void *all)
{
	static uint64_t first[BATCH], later[BATCH], column[2][BATCH];
	uint64_t *const one[PRECIS_FIELD_WORDS] = { first };

	for (const struct twin *twin = twins; twin->field < PRECIS_FIELD_COUNT; twin++) {
		uint64_t *both[PRECIS_FIELD_WORDS] = { first };
		const int code = columns_of(context, unit, all, twin->other, column[0], one);

		both[PRECIS_FIELD_WORD(twin->field)] = later;
		if (columns_of(context, unit, all, twin->field, column[1], both) !=
		    (is_known ? code : PRECIS_E_NO_FIELD))
			complain("a column, or none, other than that of the other", twin->field);
		if (code || !is_known)
			continue;
		if (columns_of(context, unit, all, twin->field, column[1], one) !=
		    PRECIS_E_ARGUMENT)
			complain("a column without room for the word of its set", twin->field);
		if (memcmp(column[0], column[1], sizeof(column[0])))
			complain("another column", twin->field);
		for (uint32_t n = 0; n < BATCH; n++) {
			if ((first[n] >> twin->other & 1) != (later[n] >> twin->field % 64 & 1))
				complain("another presence in a column", twin->field);
		}
	}
}

static void check_batch(struct precis_ibs_context *context, uint32_t caps, uint64_t *state)
{
	static struct precis_ibs_fetch fetches[BATCH];
	static struct precis_ibs_op ops[BATCH];

	for (uint32_t n = 0; n < BATCH; n++) {
		random_op(state, caps, &ops[n]);
		random_fetch(state, caps, &fetches[n]);
	}
	check_columns(context, PRECIS_IBS_OP, ops);
	check_columns(context, PRECIS_IBS_FETCH, fetches);
}

int main(void)
{
	static struct precis_ibs_context context;
	uint64_t state = random_seed("added fields");

	is_known = twins[0].field < PRECIS_FIELD_COUNT && precis_field_name(twins[0].field);
	for (size_t core = 0; core <= TEST_CORES; core++) {
		const uint32_t caps = test_cores[core % TEST_CORES].caps;

		if (core < TEST_CORES ? test_context(test_cores[core].cpuid, &context)
				      : precis_ibs_context_init(&context, NULL))
			complain("no context", PRECIS_FIELD_COUNT);
		check_samples(&context, caps, &state);
		check_batch(&context, caps, &state);
	}
	if (is_known && !found)
		complain("never there", PRECIS_FIELD_COUNT);
	printf("%016llx\n", (unsigned long long)digest);
	return wrong != 0;
}
