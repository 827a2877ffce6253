/* SPDX-License-Identifier: BSD-3-Clause */
/* What is worked out once for many samples. */
#include <string.h>

#include "store.h"

#define ALL_GATES ((1u << PEBS_GATE_COUNT) - 1)
#define OWN_GATES ((uint32_t)(PEBS_GATES_CAPTURED | PEBS_GATES_DEFINED))

uint32_t precis_pebs_possible(const struct precis_pebs_context *context, uint32_t gates)
{
	uint32_t possible = ~0u;

	for (uint32_t missing = ALL_GATES & ~OWN_GATES & ~gates; missing; missing &= missing - 1)
		possible &= ~context->needs[__builtin_ctz(missing)];
	return possible;
}

void precis_pebs_judge(struct precis_pebs_context *context, uint32_t gates, const uint64_t *wanted)
{
	context->judged_gates = gates;
	memcpy(context->judged_wanted, wanted, sizeof(context->judged_wanted));
	context->possible = precis_pebs_possible(context, gates);
	for (uint32_t value = 0; value < PEBS_VALUE_COUNT; value++) {
		if (!precis_fields_have(wanted, context->fields[value]))
			context->possible &= ~(1u << value);
	}
}

void precis_pebs_make_plan(const struct precis_pebs_context *context, uint32_t there,
			   struct precis_pebs_plan *plan)
{
	memset(plan->present, 0, sizeof(plan->present));
	plan->values = there;
	for (uint32_t value = 0; value < PEBS_VALUE_COUNT; value++) {
		plan->absent[value] = (uint64_t)(there >> value & 1) - 1;
		if (there >> value & 1)
			precis_fields_add(plan->present, context->fields[value]);
	}
}

void precis_pebs_forget(const struct precis_pebs_context *context, struct precis_sample *sample)
{
	for (uint32_t word = 0; word < FIELD_WORDS; word++)
		sample_forget(sample, word, sample->present[word] & ~context->own_fields[word]);
}
