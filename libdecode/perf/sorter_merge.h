/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The earliest of the first records of many runs: a tournament in which each
 * node remembers who lost there (Knuth, The Art of Computer Programming 3,
 * 5.4.1, "tree of losers"). Who follows the winner meets only the losers on its
 * way up: no step depends on how the one before ended, and none is a jump.
 */
#ifndef PRECIS_PERF_SORTER_MERGE_H
#define PRECIS_PERF_SORTER_MERGE_H

#include "sorter_blocks.h"

#define MERGE_OVER UINT64_MAX /* the time of a run that has ended */

struct player {
	uint64_t time;
	uint64_t run; /* of equal times the first run's wins: runs are in order of arrival */
};

struct merge {
	struct held **heads; /* the first record of each run; NULL: it has ended */
	size_t count;
	struct player *losers; /* at least 'count'; number 0 is not used */
	struct player winner;
};

/* Set up for what is in 'heads' and 'count'. */
void merge_start(struct merge *merge);

static inline struct player merge_player(const struct merge *merge, size_t run)
{
	const struct held *head = merge->heads[run];

	return (struct player){ head ? head->time : MERGE_OVER, run };
}

/* 1 or 0, without a jump */
static inline uint64_t player_wins(const struct player *a, const struct player *b)
{
	return (uint64_t)(a->time < b->time) |
	       ((uint64_t)(a->time == b->time) & (uint64_t)(a->run < b->run));
}

/* The winner's run goes on with 'head'; NULL: it has ended. */
static inline void merge_replace(struct merge *merge, struct held *head)
{
	size_t run = merge->winner.run;
	struct player up;

	merge->heads[run] = head;
	up = merge_player(merge, run);
	for (size_t n = (merge->count + run) / 2; n; n /= 2) {
		struct player *loser = &merge->losers[n];
		uint64_t changes = -player_wins(loser, &up);
		uint64_t time = (loser->time ^ up.time) & changes;
		uint64_t number = (loser->run ^ up.run) & changes;

		loser->time ^= time;
		loser->run ^= number;
		up.time ^= time;
		up.run ^= number;
	}
	merge->winner = up;
}

#endif
