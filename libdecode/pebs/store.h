/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of a sample into its fields.
 *
 * Every field is written, whether it is there or not: which ones are differs from record to
 * record, so that branches would be mispredicted. Inline, since the compiler then keeps the
 * values in registers.
 */
#ifndef PRECIS_PEBS_STORE_H
#define PRECIS_PEBS_STORE_H

#include "../sample/abi.h"
#include "values.h"

_Static_assert(FIELD_WORDS == 2, "sets of fields are compared as two words");
_Static_assert(PRECIS_PEBS_PLANS == 1 << (32 - 27), "the hash's upper bits are a plan");
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* What is possible by these gates, and wanted */
void precis_pebs_judge(struct precis_pebs_context *context, uint32_t gates, const uint64_t *wanted);

/* Which fields a sample with these values has */
void precis_pebs_make_plan(const struct precis_pebs_context *context, uint32_t there,
			   struct precis_pebs_plan *plan);

/* What the sample was before it was one of PEBS: fields that PEBS never has */
void precis_pebs_forget(const struct precis_pebs_context *context, struct precis_sample *sample);

static inline const struct precis_pebs_plan *pebs_plan_of(struct precis_pebs_context *context,
							  uint32_t there)
{
	struct precis_pebs_plan *plan = &context->plan[there * 0x9e3779b1u >> 27];

	if (unlikely(plan->values != there))
		precis_pebs_make_plan(context, there, plan);
	return plan;
}

/* One field. 'which' is a constant wherever this is called. */
static inline __attribute__((always_inline)) void
pebs_store_value(const struct pebs_values *values, const struct precis_pebs_plan *plan,
		 int keeps_others, enum pebs_value which, uint64_t *field)
{
	uint64_t value = which >= FIRST_OF_ACCESS && which <= LAST_OF_ACCESS ?
			values->access->value[which - FIRST_OF_ACCESS] :
			values->value[which];
	uint64_t absent = plan->absent[which];

	*field = keeps_others ? (value & ~absent) | (*field & absent) : value | absent;
}

/*
 * Put the wanted values into the sample. Fields that have none are as they were
 * if 'keeps_others', else gone.
 */
static inline void pebs_store(struct precis_pebs_context *context, const struct pebs_values *values,
			      const uint64_t *wanted, int keeps_others,
			      struct precis_sample *sample)
{
	const struct precis_pebs_plan *plan;

	if (unlikely(context->judged_gates != values->gates ||
		     context->judged_wanted[0] != wanted[0] ||
		     context->judged_wanted[1] != wanted[1]))
		precis_pebs_judge(context, values->gates, wanted);
	plan = pebs_plan_of(context, values->sound & context->possible);
	if (!keeps_others && unlikely((sample->present[0] & ~context->own_fields[0]) ||
				      (sample->present[1] & ~context->own_fields[1])))
		precis_pebs_forget(context, sample);
	for (uint32_t word = 0; word < FIELD_WORDS; word++)
		sample->present[word] = plan->present[word] |
					(keeps_others ? sample->present[word] : 0);
#define PRECIS_PEBS_VALUE(id, field, ...)                                                           \
	pebs_store_value(values, plan, keeps_others, PEBS_VALUE_##id,                               \
			 &sample->value[PRECIS_FIELD_##field]);
#include "values.def"
#undef PRECIS_PEBS_VALUE
	sample->gates |= values->gates;
	sample->access_whys = values->access->whys;
}

#endif
