/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mappings of one address space: sorted ranges that do not overlap.
 *
 * They lie in chunks of bounded size, so that an insertion moves few of them
 * whatever their number. Chunks are shared between address spaces until one of
 * them writes: copying an address space, as fork does, copies pointers.
 */
#ifndef PRECIS_SYMBOLS_RANGES_H
#define PRECIS_SYMBOLS_RANGES_H

#include <stdint.h>

#include "budget.h"

struct object;
struct past;

struct range {
	uint64_t start, end; /* [start, end) */
	uint64_t offset; /* of 'start' in the object */
	uint64_t since; /* time from which on it is mapped */
	struct object *object;
	const struct past *past; /* what it covers; NULL: nothing that has to be known */
};

struct chunk;

/** Zeroed memory is an empty address space. */
struct ranges {
	struct chunk **chunk; /* none of them empty */
	uint32_t count, room;
};

void precis_ranges_clear(struct ranges *ranges, struct budget *budget);

/**
 * Map a range; what it covers of earlier ones is theirs no more.
 * @param range  start < end
 * @return 0, PRECIS_E_NO_MEMORY: then earlier ranges may be cut, the new one is not there
 */
int precis_ranges_insert(struct ranges *ranges, const struct range *range, struct budget *budget);

/** Unmap [start, end). @return 0, PRECIS_E_NO_MEMORY */
int precis_ranges_remove(struct ranges *ranges, uint64_t start, uint64_t end,
			 struct budget *budget);

/**
 * Make 'to' a copy of 'from'.
 * @return 0, PRECIS_E_NO_MEMORY: then 'to' is empty
 */
int precis_ranges_copy(struct ranges *to, const struct ranges *from, struct budget *budget);

/** The range that holds the address, or NULL. Valid until the next change. */
const struct range *precis_ranges_find(const struct ranges *ranges, uint64_t address);

/** The last range that starts at or below the address, and the first one above; NULL if there is none */
const struct range *precis_ranges_below(const struct ranges *ranges, uint64_t address);
const struct range *precis_ranges_above(const struct ranges *ranges, uint64_t address);

#endif
