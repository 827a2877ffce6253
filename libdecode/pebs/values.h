/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of one sample, and which of them are there, on their way into it. */
#ifndef PRECIS_PEBS_VALUES_H
#define PRECIS_PEBS_VALUES_H

#include <precis/pebs_sample.h>

#include "libdecode/sample/access.h"
#include "libdecode/sample/catalogue.h"

struct pebs_values {
	uint32_t gates; /* that hold, but for CAPTURED and DEFINED, which are a value's own */
	uint32_t sound; /* bits of enum pebs_value: captured, defined on this core, reported */
	const struct precis_pebs_access *access; /* NULL: nothing says anything of it */
	uint64_t value[PEBS_VALUE_COUNT];
};

#define VALUE_BIT(id) (1u << PEBS_VALUE_##id)

/* Those that come from the data source */
#define ACCESS_VALUES                                                                              \
	(VALUE_BIT(LEVEL) | VALUE_BIT(REMOTE) | VALUE_BIT(SNOOP) | VALUE_BIT(TLB) |                \
	 VALUE_BIT(LOCKED) | VALUE_BIT(DATA_BLOCKED) | VALUE_BIT(ADDRESS_BLOCKED) |                \
	 VALUE_BIT(DCACHE_MISS) | VALUE_BIT(L2_MISS) | VALUE_BIT(FORWARDED) |                      \
	 VALUE_BIT(FILL_BUFFER_FULL))

static inline void values_add(struct pebs_values *values, enum pebs_value which, uint64_t value)
{
	values->sound |= 1u << which;
	values->value[which] = value;
}

/* One that reads 0 where the hardware, or the kernel, has none */
static inline void values_add_nonzero(struct pebs_values *values, enum pebs_value which,
				      uint64_t value)
{
	values->sound |= (uint32_t)(value != 0) << which;
	values->value[which] = value;
}

/* What a record's data source says of the access, by the context's core and event */
const struct precis_pebs_access *precis_pebs_access_of(struct precis_pebs_context *context,
						       uint64_t dse);
/* The same of the kernel's word */
const struct precis_pebs_access *precis_pebs_word_access_of(struct precis_pebs_context *context,
							    uint64_t word);

/* Those of the access */
static inline void values_add_access(struct pebs_values *values)
{
	for (uint32_t left = ACCESS_VALUES; left; left &= left - 1) {
		uint32_t value = (uint32_t)__builtin_ctz(left), part = precis_pebs_values[value].part;

		values->value[value] = values->access->value[part];
		values->sound |= (values->access->present >> part & 1) << value;
	}
}

/* The values whose gates hold, CAPTURED and DEFINED apart, which are the values' own */
uint32_t precis_pebs_possible(const struct precis_pebs_context *context, uint32_t gates);

/*
 * Put the wanted ones into the sample, and nothing else: fields that it had and
 * has not now read as absent. 'kept': but these
 */
void precis_pebs_store(const struct precis_pebs_context *context, const struct pebs_values *values,
		       const uint64_t *wanted, struct precis_sample *sample);

#endif
