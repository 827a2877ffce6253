/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting a value into a sample, and samples of programs that know more fields or fewer. */
#include <string.h>

#include <precis/error.h>
#include <precis/sample.h>

#include "abi.h"

const uint64_t precis_all_fields[PRECIS_FIELD_WORDS] = { UINT64_MAX, UINT64_MAX, UINT64_MAX,
							 UINT64_MAX };

int precis_set(struct precis_sample *sample, enum precis_field field, uint64_t value)
{
	if (!sample || sample->size < ABI_SAMPLE_LEAST || sample->size > ABI_MOST_BYTES ||
	    (uint32_t)field >= abi_sample_fields(sample->size))
		return PRECIS_E_ARGUMENT;
	sample->value[field] = value;
	precis_fields_add(sample->present, (uint32_t)field);
	precis_fields_add(sample->wanted, (uint32_t)field);
	return 0;
}

int precis_abi_read_sample(struct precis_sample *copy, const struct precis_sample *user)
{
	size_t fields;

	if (!user || user->size < ABI_SAMPLE_LEAST || user->size > ABI_MOST_BYTES)
		return 0;
	fields = abi_sample_fields(user->size);
	memcpy(copy, user, ABI_SAMPLE_LEAST);
	memset(copy->value, 0xff, sizeof(copy->value));
	memcpy(copy->value, user->value, fields * sizeof(copy->value[0]));
	copy->size = sizeof(*copy);
	return 1;
}

void precis_abi_write_sample(struct precis_sample *user, const struct precis_sample *copy)
{
	abi_write_sample(user, copy);
}
