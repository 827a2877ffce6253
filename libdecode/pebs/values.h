/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of one sample, and which of them are there, on their way into it. */
#ifndef PRECIS_PEBS_VALUES_H
#define PRECIS_PEBS_VALUES_H

#include <precis/pebs_sample.h>

#include "libdecode/sample/access.h"
#include "tables.h"

struct pebs_values {
	uint32_t gates; /* that hold, but for CAPTURED and DEFINED, which are a value's own */
	uint32_t sound; /* bits of enum pebs_value: captured, defined on this core, reported */
	const struct precis_pebs_access *access; /* an empty one: nothing says anything of it */
	uint64_t value[PEBS_VALUE_COUNT]; /* but of the access, which has its own */
};

#define VALUE_BIT(id) (1u << PEBS_VALUE_##id)

/* Those that come from the data source stand one behind the other. */
#define FIRST_OF_ACCESS PEBS_VALUE_LEVEL
#define LAST_OF_ACCESS PEBS_VALUE_FILL_BUFFER_FULL
#define ACCESS_VALUES (LAST_OF_ACCESS - FIRST_OF_ACCESS + 1)
_Static_assert(ACCESS_VALUES <= 16, "a remembered access has room for them");

static inline void values_add(struct pebs_values *values, enum pebs_value which, uint64_t value)
{
	values->sound |= 1u << which;
	values->value[which] = value;
}

/* How values are cut out of their words, as constants */
enum {
#define CUT(low, bits, zero) (low) | (bits) << 8 | (zero) << 16
#define NO_CUT 0
#define ZERO_IS_NONE 1
#define ZERO_COUNTS 0
#define PRECIS_PEBS_VALUE(id, field, word, cut, ...) VALUE_CUT_##id = cut,
#include "values.def"
#undef PRECIS_PEBS_VALUE
#undef CUT
#undef NO_CUT
#undef ZERO_IS_NONE
#undef ZERO_COUNTS
};

static inline uint64_t value_cut(uint64_t word, uint32_t low, uint32_t bits)
{
	return word >> low & ~UINT64_C(0) >> (64 - bits);
}

/* One that is a cut of its word. 'cut' is a constant wherever this is called. */
static inline void values_add_cut(struct pebs_values *values, enum pebs_value which, uint32_t cut,
				  uint64_t word)
{
	uint64_t value = value_cut(word, cut & 0xff, cut >> 8 & 0xff);

	values->sound |= (uint32_t)(!(cut >> 16) || value != 0) << which;
	values->value[which] = value;
}
#define VALUES_ADD_CUT(values, id, word)                                                           \
	values_add_cut(values, PEBS_VALUE_##id, (uint32_t)VALUE_CUT_##id, word)

/* One that reads 0 where the hardware, or the kernel, has none */
static inline void values_add_nonzero(struct pebs_values *values, enum pebs_value which,
				      uint64_t value)
{
	values->sound |= (uint32_t)(value != 0) << which;
	values->value[which] = value;
}

#define DSE_BITS 0xffffu /* no core looks at others */

/* Where a data source is remembered: up to Redwood Cove they have 8 bits, and all of them a place. */
static inline struct precis_pebs_access *precis_pebs_slot(struct precis_pebs_context *context,
							  uint64_t dse)
{
	return &context->access[(dse ^ (dse >> 8) * 0x4d) % PRECIS_PEBS_ACCESSES];
}

const struct precis_pebs_access *precis_pebs_new_access(struct precis_pebs_context *context,
							uint64_t dse);

/* What a record's data source says of the access, by the context's core and event */
static inline const struct precis_pebs_access *
precis_pebs_access_of(struct precis_pebs_context *context, uint64_t dse)
{
	const struct precis_pebs_access *slot;

	dse &= DSE_BITS;
	slot = precis_pebs_slot(context, dse);
	return __builtin_expect(slot->is_known && slot->key == dse, 1) ?
		       slot :
		       precis_pebs_new_access(context, dse);
}

/* The same of the kernel's word */
const struct precis_pebs_access *precis_pebs_word_access_of(struct precis_pebs_context *context,
							    uint64_t word);

/* And of the word as a vendor reads it: see precis_words_of_cpu(), here not 0 */
const struct precis_pebs_access *precis_vendor_word_access_of(struct precis_pebs_context *context,
							      uint32_t vendor, uint64_t word);

/* The values whose gates hold, CAPTURED and DEFINED apart, which are the values' own */
uint32_t precis_pebs_possible(const struct precis_pebs_context *context, uint32_t gates);

#endif
