/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was mapped where something else is now: a file's code where another file's was, as of libraries
 * that are closed and loaded, or functions that a compiler has made while the program ran. A range knows
 * those it covers, and these know theirs.
 */
#ifndef PRECIS_SYMBOLS_PAST_H
#define PRECIS_SYMBOLS_PAST_H

#include "ranges.h"

struct past {
	struct past *next; /* of all */
	uint32_t count;
	uint32_t depth; /* how many pasts there are, one behind the other */
	struct range range[]; /* by address; they do not overlap */
};

/** Zeroed memory has none. */
struct pasts {
	struct past *all;
};

/**
 * Before a range is put among others: its past is what it covers of these, if a file's code is among
 * that, and other than its own. A range that is not the latest is taken for one of the same time.
 * @param range  'since' is when it was mapped
 * @return 0; PRECIS_E_NO_MEMORY: it has no past then
 */
int precis_past_keep(struct pasts *pasts, const struct ranges *ranges, struct range *range,
		     struct budget *budget);

/**
 * What was there at that time. Where nothing was, it is what came first: its record may be later than
 * that time.
 * @param range  that holds the address; NULL is returned as it is
 */
const struct range *precis_past_find(const struct range *range, uint64_t address, uint64_t time);

void precis_pasts_free(struct pasts *pasts);

#endif
