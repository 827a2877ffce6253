/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <precis/error.h>
#include <precis/sample.h>

void precis_sample_init(struct precis_sample *sample)
{
	memset(sample, 0, sizeof(*sample));
	memset(sample->value, 0xff, sizeof(sample->value));
	sample->size = sizeof(*sample);
}

int precis_set(struct precis_sample *sample, enum precis_field field, uint64_t value)
{
	if (!sample || sample->size < sizeof(*sample) || (uint32_t)field >= PRECIS_FIELD_COUNT)
		return PRECIS_E_ARGUMENT;
	sample->value[field] = value;
	precis_fields_add(sample->present, (uint32_t)field);
	precis_fields_add(sample->wanted, (uint32_t)field);
	return 0;
}
