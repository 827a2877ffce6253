/* SPDX-License-Identifier: BSD-3-Clause */
/* See seen.h. */
#include "seen.h"

#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 64u

_Static_assert(SEEN_WAYS * sizeof(struct seen) == LINE_BYTES, "a set is a line");

/* The least turn by which these bits fall where none are. 0; -1: there is none */
static int find_turn(uint64_t bits, uint64_t *taken, uint32_t *turn)
{
	for (*turn = 0; *turn < 64; ++*turn) {
		if (turned(bits, *turn) & *taken)
			continue;
		*taken |= turned(bits, *turn);
		return 0;
	}
	return -1;
}

struct packing packing_of(const struct group_key *bits)
{
	struct packing packing = { 0 };
	uint64_t taken = bits->data3;

	packing.is_possible = find_turn(bits->data2, &taken, &packing.data2) == 0 &&
			      find_turn(bits->data, &taken, &packing.data) == 0 &&
			      find_turn(bits->control, &taken, &packing.control) == 0;
	return packing;
}

struct seen *seen_new(void)
{
	const size_t bytes = (SEEN_WAYS * sizeof(struct seen)) << SEEN_SETS_LOG2;
	struct seen *seen = aligned_alloc(LINE_BYTES, bytes);

	if (seen)
		memset(seen, 0, bytes);
	return seen;
}
