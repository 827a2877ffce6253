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

/* How many there are in the sample */
static inline uint64_t branch_entries(const struct precis_perf_sample *sample)
{
	const uint64_t entries = sample->present & PRECIS_SAMPLE_BRANCH_STACK
					 ? sample->branches.bytes / sizeof(struct branch_entry)
					 : 0;

	return entries < sample->branch_count ? entries : sample->branch_count;
}

/* Word by word: these are in registers at once, and not in a copy first */
static inline struct branch_entry branch_entry_read(const uint8_t *data)
{
	struct branch_entry entry;

	memcpy(&entry.from, data, sizeof(entry.from));
	memcpy(&entry.to, data + sizeof(entry.from), sizeof(entry.to));
	memcpy(&entry.flags, data + 2 * sizeof(entry.from), sizeof(entry.flags));
	return entry;
}

/* Entry n, 0 the newest. @return 0: the sample has none */
static inline int branch_entry_at(const struct precis_perf_sample *sample, uint64_t n,
				  struct branch_entry *entry)
{
	if (n >= branch_entries(sample))
		return 0;
	*entry = branch_entry_read(sample->branches.data + n * sizeof(*entry));
	return 1;
}

#endif
