/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a compiled filter over a sample. */
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

int precis_filter_match(const struct precis_filter *filter, const struct precis_sample *sample)
{
	uint32_t at = 0;

	if (!filter || !sample || filter->size != sizeof(*filter))
		return 0;
	while (at < filter->count) {
		unsigned int op = filter->step[at].op;
		unsigned int field = filter->step[at].field;
		unsigned int result;

		if (!precis_fields_have(sample->present, field))
			result = (op & FILTER_TEST_MASK) == FILTER_MISSING;
		else if ((op & FILTER_TEST_MASK) == FILTER_MISSING)
			result = 0;
		else
			result = test_value(op & FILTER_TEST_MASK, sample->value[field],
					    filter->step[at].value);
		at = result == ((op & FILTER_JUMP_IF_TRUE) != 0) ? filter->step[at].jump : at + 1;
	}
	return at == filter->count;
}
