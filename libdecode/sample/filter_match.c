/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a compiled filter over a sample. */
#include <string.h>

#include "filter_internal.h"

static inline unsigned int test_value(unsigned int test, uint64_t value, uint64_t with)
{
	switch (test) {
	case FILTER_EQUAL:
		return value == with;
	case FILTER_NOT_EQUAL:
		return value != with;
	case FILTER_LESS:
		return value < with;
	case FILTER_LESS_EQUAL:
		return value <= with;
	case FILTER_GREATER:
		return value > with;
	case FILTER_GREATER_EQUAL:
		return value >= with;
	case FILTER_ANY_BIT:
		return (value & with) != 0;
	case FILTER_SIGNED_LESS:
		return (int64_t)value < (int64_t)with;
	case FILTER_SIGNED_LESS_EQUAL:
		return (int64_t)value <= (int64_t)with;
	case FILTER_SIGNED_GREATER:
		return (int64_t)value > (int64_t)with;
	case FILTER_SIGNED_GREATER_EQUAL:
		return (int64_t)value >= (int64_t)with;
	default: /* FILTER_PRESENT */
		return 1;
	}
}

static inline unsigned int test_field(const struct precis_filter *filter, uint32_t at,
				      const struct precis_sample *sample)
{
	unsigned int test = filter->step[at].op & FILTER_TEST_MASK;
	unsigned int field = filter->step[at].field;

	if (!precis_fields_have(sample->present, field))
		return test == FILTER_MISSING;
	if (test == FILTER_MISSING)
		return 0;
	return test_value(test, sample->value[field], filter->step[at].value);
}

/* Where a step leads whose test has that result */
static inline uint32_t step_behind(const struct precis_filter *filter, uint32_t at,
				   unsigned int result)
{
	return result == ((filter->step[at].op & FILTER_JUMP_IF_TRUE) != 0) ? filter->step[at].jump :
									      at + 1;
}

/* --- names --- */

static int is_of_name(const struct precis_filter *filter, uint32_t at)
{
	return (filter->step[at].op & FILTER_TEST_MASK) >= FILTER_NAME_EQUAL;
}

static unsigned int test_name(const struct precis_filter *filter, uint32_t at,
			      const struct precis_sample *sample)
{
	const char *with = filter->text + (uint32_t)filter->step[at].value;
	const size_t length = (size_t)(filter->step[at].value >> 32);
	const char *name = filter->find(sample, filter->step[at].field, filter->data), *slash;
	int is_equal;

	switch (filter->step[at].op & FILTER_TEST_MASK) {
	case FILTER_NAME_PRESENT:
		return name != NULL;
	case FILTER_NAME_MISSING:
		return name == NULL;
	default:
		break;
	}
	if (!name)
		return 0;
	slash = filter->step[at].flags & FILTER_FILE_PART ? strrchr(name, '/') : NULL;
	name = slash ? slash + 1 : name;
	if ((filter->step[at].op & FILTER_TEST_MASK) == FILTER_NAME_LIKE)
		return (unsigned int)precis_filter_text_fits(with, length, name);
	is_equal = strncmp(name, with, length) == 0 && name[length] == '\0';
	return (filter->step[at].op & FILTER_TEST_MASK) == FILTER_NAME_EQUAL ? is_equal : !is_equal;
}

/* Steps of a program, and its end */
struct steps {
	uint64_t set[(PRECIS_FILTER_STEPS + 1 + 63) / 64];
};

static void steps_add(struct steps *steps, uint32_t at, int *rejects)
{
	if (at == FILTER_REJECT)
		*rejects = 1;
	else
		steps->set[at / 64] |= UINT64_C(1) << at % 64;
}

static int steps_have(const struct steps *steps, uint32_t at)
{
	return (int)(steps->set[at / 64] >> at % 64 & 1);
}

/* Whatever its names are. 1, 0, or -1: it depends on them. All jumps lead forward: once over is enough */
static int match_fields(const struct precis_filter *filter, const struct precis_sample *sample)
{
	struct steps reached = { { 1 } };
	int rejects = 0;
	uint32_t at;

	for (at = 0; at < filter->count; at++) {
		if (!steps_have(&reached, at))
			continue;
		if (!is_of_name(filter, at)) {
			steps_add(&reached, step_behind(filter, at, test_field(filter, at, sample)),
				  &rejects);
			continue;
		}
		steps_add(&reached, step_behind(filter, at, 0), &rejects);
		steps_add(&reached, step_behind(filter, at, 1), &rejects);
	}
	if (!steps_have(&reached, filter->count))
		return 0;
	return rejects ? -1 : 1;
}

static int match_names(const struct precis_filter *filter, const struct precis_sample *sample)
{
	int decided = match_fields(filter, sample);
	uint32_t at = 0;

	if (decided >= 0)
		return decided;
	while (at < filter->count)
		at = step_behind(filter, at, is_of_name(filter, at) ? test_name(filter, at, sample) :
								       test_field(filter, at, sample));
	return at == filter->count;
}

int precis_filter_match(const struct precis_filter *filter, const struct precis_sample *sample)
{
	uint32_t at = 0;

	if (!filter || !sample || filter->size != sizeof(*filter))
		return 0;
	if (filter->names)
		return match_names(filter, sample);
	while (at < filter->count)
		at = step_behind(filter, at, test_field(filter, at, sample));
	return at == filter->count;
}

uint64_t precis_filter_names_used(const struct precis_filter *filter)
{
	return filter && filter->size == sizeof(*filter) ? filter->names : 0;
}
