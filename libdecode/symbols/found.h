/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found lately, by address space and address: samples come back to the same places. */
#ifndef PRECIS_SYMBOLS_FOUND_H
#define PRECIS_SYMBOLS_FOUND_H

#include <precis/symbols.h>

#include "ranges.h"

#define FOUND_BITS 11u

struct found {
	const struct ranges *ranges; /* NULL: nothing is kept here */
	uint64_t address;
	uint64_t state; /* of the model when it was found: later it may be another */
	struct precis_location location;
};

/** Zeroed memory has none. */
struct found_cache {
	struct found found[1u << FOUND_BITS];
};

static inline struct found *found_place(struct found_cache *cache, const struct ranges *ranges,
					uint64_t address)
{
	uint64_t hash = (address ^ (uintptr_t)ranges) * UINT64_C(0x9e3779b97f4a7c15);

	return &cache->found[hash >> (64 - FOUND_BITS)];
}

#endif
