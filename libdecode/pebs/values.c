/* SPDX-License-Identifier: BSD-3-Clause */
#include "values.h"

#define ALL_GATES ((1u << PEBS_GATE_COUNT) - 1)
#define OWN_GATES ((uint32_t)(PEBS_GATES_CAPTURED | PEBS_GATES_DEFINED))

uint32_t precis_pebs_possible(const struct precis_pebs_context *context, uint32_t gates)
{
	uint32_t possible = ~0u;

	for (uint32_t missing = ALL_GATES & ~OWN_GATES & ~gates; missing; missing &= missing - 1)
		possible &= ~context->needs[__builtin_ctz(missing)];
	return possible;
}

void precis_pebs_store(const struct precis_pebs_context *context, const struct pebs_values *values,
		       const uint64_t *wanted, struct precis_sample *sample)
{
	uint32_t there = values->sound & precis_pebs_possible(context, values->gates);

	for (; there; there &= there - 1) {
		uint32_t value = (uint32_t)__builtin_ctz(there), field = context->fields[value];

		if (!precis_fields_have(wanted, field))
			continue;
		precis_fields_add(sample->present, field);
		sample->value[field] = values->value[value];
	}
	sample->gates |= values->gates;
	sample->access_whys = values->access ? values->access->whys : 0;
}
