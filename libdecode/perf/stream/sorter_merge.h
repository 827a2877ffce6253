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

struct merge {
	struct held **heads; /* the first record of each run; NULL: it has ended */
	uint32_t count;
	uint32_t leaves; /* the next power of two: so all ways up are of one length */
	uint32_t winner; /* a run */
	uint64_t *times; /* of the heads, and MERGE_OVER for the leaves that have none */
	uint32_t *losers; /* runs, or leaves that have none; number 0 is not used */
};

/* Set up for what is in 'heads' and 'count'; 'times' and 'losers' must have room for 'leaves'. */
void merge_start(struct merge *merge);

/* MERGE_OVER: all runs have ended */
static inline uint64_t merge_time(const struct merge *merge)
{
	return merge->times[merge->winner];
}

/*
 * The winner's run goes on with 'head', of this time. Of equal times that of the
 * left run wins, because runs are in order of arrival.
 */
static inline void merge_play(struct merge *merge, struct held *head, uint64_t time)
{
	uint32_t *losers = merge->losers, up = merge->winner;
	uint64_t *times = merge->times;

	merge->heads[up] = head;
	times[up] = time;
	for (uint32_t n = merge->leaves + up; n > 1; n /= 2) {
		uint32_t loser = losers[n / 2], comes_from_right = n % 2;
		uint64_t loser_time = times[loser];
		int wins = loser_time - comes_from_right < time; /* no time is 0 */
		uint32_t exchange = (loser ^ up) & -(uint32_t)wins;

		losers[n / 2] = loser ^ exchange;
		up ^= exchange;
		time = wins ? loser_time : time;
	}
	merge->winner = up;
}

/* The winner's run goes on with 'head'; NULL: it has ended. */
static inline void merge_replace(struct merge *merge, struct held *head)
{
	merge_play(merge, head, head ? head->time : MERGE_OVER);
}

/* The winner's run goes on in the same block. */
static inline void merge_advance(struct merge *merge)
{
	struct held *head = held_follower(merge->heads[merge->winner]);

	merge_play(merge, head, head->time);
}

#endif
