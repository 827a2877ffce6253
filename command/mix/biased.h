/* SPDX-License-Identifier: BSD-3-Clause */
/* Single branches that windows of branch stacks prefer: which, and in which blocks. */
#ifndef COMMAND_MIX_BIASED_H
#define COMMAND_MIX_BIASED_H

#include "analysis/mix/sightings.h"

/* Those that are the oldest of a stack too often; the first one is where that is worst */
struct biased {
	struct mix_place *place;
	uint32_t count;
};

/** @return 0, or -1: memory is short. To be freed in any case */
int biased_find(struct biased *biased, const struct mix_sightings *sightings);
void biased_free(struct biased *biased);

/** Is one in [start, end) of a text? */
int biased_between(const struct biased *biased, const struct code_text *text, uint64_t start,
		   uint64_t end);

#endif
