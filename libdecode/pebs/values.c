/* SPDX-License-Identifier: BSD-3-Clause */
#include "values.h"

#define ALL_GATES ((1u << PEBS_GATE_COUNT) - 1)
#define OWN_GATES ((uint32_t)(PEBS_GATES_CAPTURED | PEBS_GATES_DEFINED))

void precis_pebs_add_access(struct pebs_values *values)
{
	for (uint32_t left = ACCESS_VALUES; left; left &= left - 1) {
		uint32_t value = (uint32_t)__builtin_ctz(left), part = precis_pebs_values[value].part;

		values->value[value] = values->access.value[part];
		values->sound |= (values->access.present >> part & 1) << value;
	}
}

static uint64_t packed_whys(const struct precis_access *access)
{
	uint64_t whys = 0;

	for (uint32_t part = 0; part < PRECIS_ACCESS_PARTS; part++)
		whys |= (uint64_t)access->why[part] << (ACCESS_WHY_BITS * part);
	return whys;
}

uint32_t precis_pebs_store(const struct precis_pebs_context *context,
			   const struct pebs_values *values, const uint64_t *wanted,
			   struct precis_sample *sample)
{
	uint32_t there = values->sound, stored = 0;

	for (uint32_t missing = ALL_GATES & ~OWN_GATES & ~values->gates; missing;
	     missing &= missing - 1)
		there &= ~context->needs[__builtin_ctz(missing)];
	for (uint32_t left = there; left; left &= left - 1) {
		uint32_t value = (uint32_t)__builtin_ctz(left), field = context->fields[value];

		if (!precis_fields_have(wanted, field))
			continue;
		precis_fields_add(sample->present, field);
		sample->value[field] = values->value[value];
		stored |= 1u << value;
	}
	sample->gates |= values->gates;
	sample->access_whys = packed_whys(&values->access);
	return stored;
}
