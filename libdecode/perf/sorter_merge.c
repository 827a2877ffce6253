/* SPDX-License-Identifier: BSD-3-Clause */
#include "sorter_merge.h"

/* Runs are the leaves, from 'count' on; node n has the children 2n and 2n + 1. */
static struct player winner_of(const struct merge *merge, size_t node)
{
	return node < merge->count ? merge->losers[node] : merge_player(merge, node - merge->count);
}

void merge_start(struct merge *merge)
{
	struct player *nodes = merge->losers;

	if (!merge->count) {
		merge->winner = (struct player){ MERGE_OVER, 0 };
		return;
	}
	/* first each node's winner, from the leaves up; then its loser, from the root down */
	for (size_t n = merge->count - 1; n; n--) {
		struct player a = winner_of(merge, 2 * n), b = winner_of(merge, 2 * n + 1);

		nodes[n] = player_wins(&a, &b) ? a : b;
	}
	merge->winner = winner_of(merge, 1);
	for (size_t n = 1; n < merge->count; n++) {
		struct player a = winner_of(merge, 2 * n);

		nodes[n] = a.run == nodes[n].run ? winner_of(merge, 2 * n + 1) : a;
	}
}
