/* SPDX-License-Identifier: BSD-3-Clause */
/* See sorter_merge.h. */
#include "sorter_merge.h"

/* Node n has the children 2n and 2n + 1; the leaves follow the nodes. */
static uint32_t winner_of(const struct merge *merge, uint32_t node)
{
	return node < merge->leaves ? merge->losers[node] : node - merge->leaves;
}

void merge_start(struct merge *merge)
{
	uint64_t *times = merge->times;

	for (merge->leaves = 1; merge->leaves < merge->count;)
		merge->leaves *= 2;
	for (uint32_t run = 0; run < merge->leaves; run++)
		times[run] = run < merge->count ? merge->heads[run]->time : MERGE_OVER;
	/* first each node's winner, from the leaves up; then its loser, from the root down */
	for (uint32_t n = merge->leaves - 1; n; n--) {
		uint32_t left = winner_of(merge, 2 * n), right = winner_of(merge, 2 * n + 1);

		merge->losers[n] = times[left] <= times[right] ? left : right;
	}
	merge->winner = winner_of(merge, 1);
	for (uint32_t n = 1; n < merge->leaves; n++) {
		uint32_t left = winner_of(merge, 2 * n);

		merge->losers[n] = left == merge->losers[n] ? winner_of(merge, 2 * n + 1) : left;
	}
}
