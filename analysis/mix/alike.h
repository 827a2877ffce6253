/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tallies that differ by their group alone, of which there are up to 32, are one thing: where it lies is
 * found out once.
 */
#ifndef ANALYSIS_MIX_ALIKE_H
#define ANALYSIS_MIX_ALIKE_H

#include "tallies.h"

/* A sample's place, a stream or a branch, of all groups together */
struct alike_one {
	struct mix_tally first; /* of those, with its own group */
	uint64_t count, weight;
};

/* Zeroed memory has none. */
struct alike {
	struct alike_one *one; /* 'count' of them, in the order of their first tallies */
	uint32_t count, room;
	uint32_t *number; /* by number of the tally */
};

/** @return 0, or -1: memory is short. To be freed in any case */
int alike_find(struct alike *alike, const struct mix_tallies *tallies);

void alike_free(struct alike *alike);

#endif
