/* SPDX-License-Identifier: BSD-3-Clause */
/* That two ways of counting came to the same observations: each tally, in its place. */
#ifndef TESTS_SUPPORT_SAME_OBSERVATIONS_H
#define TESTS_SUPPORT_SAME_OBSERVATIONS_H

#include <stdlib.h>
#include <string.h>

#include "analysis/mix/observations.h"
#include "tests/support/tap.h"

/* Padding of tallies apart, which nobody sets */
static inline void same_tallies(const struct mix_observations *a, const struct mix_observations *b)
{
	uint64_t different = 0;

	CU_ASSERT_EQUAL_FATAL(a->tallies.count, b->tallies.count);
	for (size_t n = 0; n < a->tallies.count; n++) {
		const struct mix_tally *left = &a->tallies.tally[n], *right = &b->tallies.tally[n];

		different += left->first != right->first || left->last != right->last ||
			     left->to != right->to || left->kind != right->kind ||
			     left->group != right->group || left->newest != right->newest ||
			     left->count != right->count || left->weight != right->weight ||
			     left->published != right->published;
	}
	CU_ASSERT_EQUAL(different, 0);
}

/* Both are emptied. */
static inline void same_observations(struct mix_observations *a, struct mix_observations *b)
{
	same_tallies(a, b);
	CU_ASSERT_EQUAL_FATAL(a->place_room, b->place_room);
	CU_ASSERT(!a->place_room ||
		  !memcmp(a->places, b->places, a->place_room * sizeof(*a->places)));
	/* All else is numbers */
	mix_tallies_free(&a->tallies);
	free(a->places);
	mix_tallies_free(&b->tallies);
	free(b->places);
	a->places = b->places = NULL;
	CU_ASSERT(memcmp(a, b, sizeof(*a)) == 0);
}

#endif
