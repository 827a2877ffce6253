/* SPDX-License-Identifier: BSD-3-Clause */
/* An entry of a branch stack as it stands in a sample: struct perf_branch_entry of linux/perf_event.h. */
#ifndef PRECIS_SAMPLE_BRANCH_ENTRY_H
#define PRECIS_SAMPLE_BRANCH_ENTRY_H

#include <stdint.h>
#include <string.h>

#include <precis/sample_parts.h>

#include "bit_field.h"

struct branch_entry {
	uint64_t from, to, flags;
};

/* Bit fields of its flags: first bit, bits */
#define BRANCH_MISPREDICTED 0, 1
#define BRANCH_PREDICTED 1, 1
#define BRANCH_IN_TRANSACTION 2, 1
#define BRANCH_ABORT 3, 1
#define BRANCH_CYCLES 4, 16
#define BRANCH_TYPE 20, 4
#define BRANCH_SPECULATION 24, 2
#define BRANCH_NEW_TYPE 26, 4
#define BRANCH_PRIVILEGE 30, 3

static inline uint32_t branch_flag(uint64_t flags, uint32_t first, uint32_t count)
{
	return (uint32_t)bit_field(flags, first, count);
}

/* Entry n, 0 the newest. @return 0: the sample has none */
static inline int branch_entry_at(const struct precis_perf_sample *sample, uint64_t n,
				  struct branch_entry *entry)
{
	if (!(sample->present & PRECIS_SAMPLE_BRANCH_STACK) || n >= sample->branches.bytes / sizeof(*entry))
		return 0;
	memcpy(entry, sample->branches.data + n * sizeof(*entry), sizeof(*entry));
	return 1;
}

#endif
