/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "values.h"

_Static_assert(PRECIS_FIELD_WORDS == 2, "a plan compares two words");
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#define ALL_GATES ((1u << PEBS_GATE_COUNT) - 1)
#define OWN_GATES ((uint32_t)(PEBS_GATES_CAPTURED | PEBS_GATES_DEFINED))

uint32_t precis_pebs_possible(const struct precis_pebs_context *context, uint32_t gates)
{
	uint32_t possible = ~0u;

	for (uint32_t missing = ALL_GATES & ~OWN_GATES & ~gates; missing; missing &= missing - 1)
		possible &= ~context->needs[__builtin_ctz(missing)];
	return possible;
}

_Static_assert(PRECIS_PEBS_PLANS == 1 << (32 - 27), "the hash's upper bits are a plan");

static void plan_values(const struct precis_pebs_context *context, uint32_t values,
			struct precis_pebs_plan *plan)
{
	for (; values; values &= values - 1) {
		uint32_t value = (uint32_t)__builtin_ctz(values), field = context->fields[value];

		if (!precis_fields_have(plan->wanted, field))
			continue;
		precis_fields_add(plan->present, field);
		plan->field[plan->count] = (uint8_t)field;
		plan->value[plan->count++] = (uint8_t)value;
	}
}

static void make_plan(const struct precis_pebs_context *context, uint32_t there,
		      const uint64_t *wanted, struct precis_pebs_plan *plan)
{
	const uint32_t of_access = ((1u << ACCESS_VALUES) - 1) << FIRST_OF_ACCESS;

	memset(plan, 0, sizeof(*plan));
	plan->values = there;
	memcpy(plan->wanted, wanted, sizeof(plan->wanted));
	plan_values(context, there & of_access, plan);
	plan->from_access = plan->count;
	plan_values(context, there & ~of_access, plan);
}

/* What the sample was before, and is not now */
static void forget(struct precis_sample *sample, const uint64_t *present)
{
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++) {
		uint64_t stale = sample->present[word] & ~present[word];

		if (word == PRECIS_FIELD_WORDS - 1)
			stale &= LAST_WORD_FIELDS;
		for (; stale; stale &= stale - 1)
			sample->value[64 * word + (uint32_t)__builtin_ctzll(stale)] = UINT64_MAX;
		sample->present[word] = present[word];
	}
}

void precis_pebs_store(struct precis_pebs_context *context, const struct pebs_values *values,
		       const uint64_t *wanted, int keeps_others, struct precis_sample *sample)
{
	struct precis_pebs_plan *plan;
	uint32_t there;

	if (unlikely(context->judged_gates != values->gates)) {
		context->judged_gates = values->gates;
		context->possible = precis_pebs_possible(context, values->gates);
	}
	there = values->sound & context->possible;
	plan = &context->plan[there * 0x9e3779b1u >> 27];
	if (unlikely(plan->values != there || plan->wanted[0] != wanted[0] ||
		     plan->wanted[1] != wanted[1]))
		make_plan(context, there, wanted, plan);
	if (keeps_others) {
		for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
			sample->present[word] |= plan->present[word];
	} else {
		forget(sample, plan->present);
	}
	for (uint32_t n = 0; n < plan->from_access; n++)
		sample->value[plan->field[n]] =
			values->access->value[plan->value[n] - FIRST_OF_ACCESS];
	for (uint32_t n = plan->from_access; n < plan->count; n++)
		sample->value[plan->field[n]] = values->value[plan->value[n]];
	sample->gates |= values->gates;
	sample->access_whys = values->access ? values->access->whys : 0;
}
