/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code that is left out because too little was seen of it. Time and memory grow with the number of
 * blocks, of which a recording can have as many as it likes: so where there are more places than there may
 * be, the pages of code that least was seen of are as if their bytes were not known, and are told of under
 * a reason of their own.
 */
#ifndef ANALYSIS_MIX_RARE_H
#define ANALYSIS_MIX_RARE_H

#include "sightings.h"

#define RARE_PLACES_MOST 262144u /* some 130 000 blocks, which take 400 MiB */

/* Zeroed memory leaves nothing out. */
struct rare {
	struct numbering pages;
	struct rare_page *page; /* by number; NULL: nothing is left out */
};

/**
 * @param most  places that may be there; 0: any number
 * @return 0, or -1: memory is short
 */
int rare_find(struct rare *rare, const struct mix_sightings *sightings, uint32_t most);

/** Is the code at that place left out? 'rare' is a struct rare. A page of which nothing was seen is not. */
int rare_has(const void *rare, const struct code_text *text, uint64_t offset);

void rare_free(struct rare *rare);

#endif
