/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of one line that belong to one party each, side by side: what to move apart. */
#ifndef ANALYSIS_SHARING_NEIGHBOURS_H
#define ANALYSIS_SHARING_NEIGHBOURS_H

#include "lines.h"

/* What of a line a party was seen to access */
struct sharing_own_use {
	uint32_t party;
	struct sharing_span span;
	uint64_t loads, stores; /* samples */
	int is_own; /* set: do the bytes belong to the party? */
	uint32_t which; /* the caller's */
};

/* Two uses, by their numbers, of different parties */
struct sharing_neighbours {
	uint32_t lower, upper;
};

/*
 * Those between which the line would have to end, in the order of their offsets. A use belongs to its party
 * if certainly more than nine in ten of the accesses to its bytes are of that one; of two neighbours one
 * stores.
 *
 * @param uses   are sorted by offset
 * @param found  room for count - 1
 * @return how many there are
 */
uint32_t sharing_neighbours_find(struct sharing_own_use *uses, uint32_t count,
				 struct sharing_neighbours *found);

#endif
