/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found of who shares lines with whom in a program that runs. */
#ifndef SHARING_LIVE_RESULT_H
#define SHARING_LIVE_RESULT_H

#include <stddef.h>
#include <stdint.h>

#include "experiment.h"
#include "live_sites.h"
#include "statistics/poisson_sum.h"

#define LIVE_NAME 32u
#define LIVE_LINES_MOST 4096u
#define LIVE_HABITS_MOST 32768u

/* What experiments with a writer's stores say; ComDetective: what was found */
struct live_flow {
	struct poisson_sum all, met, apart;
};

/* Transfers, true ones and false ones; so many less or more: of both together, and of each kind */
struct live_amount {
	double met, apart;
	double unsure, unsure_met, unsure_apart;
};

static inline void live_amount_add(struct live_amount *to, const struct live_amount *more)
{
	to->met += more->met;
	to->apart += more->apart;
	to->unsure += more->unsure;
	to->unsure_met += more->unsure_met;
	to->unsure_apart += more->unsure_apart;
}

struct live_thread {
	uint32_t tid;
	char name[LIVE_NAME];
	uint64_t loads, stores;     /* samples */
	double load_weight, store_weight;
	int is_unwatched; /* its registers could not be had when it was to be watched */
	struct live_flow sent; /* to all together */
};

struct live_line {
	uint64_t line; /* address */
	uint64_t experiments;
	int32_t in_vain; /* candidates_in_vain() */
	double met, apart; /* transfers */
	double settled_met, settled_apart; /* of these, by experiments that are kept no more */
	double stores; /* that samples stand for … */
	uint64_t store_samples; /* … which are so many */
	uint32_t met_seen, apart_seen; /* how often somebody was seen so, whatever each stands for */
	uint64_t all_store_samples,
		unseen_store_samples; /* of all threads; of those that are not watched */
};

/* Samples of accesses that begin in one word, and all bytes that they reach from the first to the last */
struct live_use {
	uint32_t loads, stores;
	uint8_t offset, end; /* in the line; the same: it is not known how many bytes */
};

/* Which words of a line a thread was seen to access */
struct live_habit {
	uint64_t line;
	uint32_t tid; /* 0: free */
	struct experiment_hints hints;
	double stores; /* that samples stand for */
	struct live_use uses[EXPERIMENT_WORDS]; /* by the word that they begin in */
};

struct live_result {
	struct live_thread threads[WATCH_THREADS_MOST];
	uint32_t thread_count, threads_beyond;
	struct live_flow *flows; /* [writer * WATCH_THREADS_MOST + reader] */
	struct live_flow total;
	struct live_line *lines; /* LIVE_LINES_MOST slots; 'line' 0: free */
	uint32_t line_count;
	struct live_habit *habits; /* LIVE_HABITS_MOST slots */
	struct live_sites sites;
	uint64_t lines_beyond; /* accesses of lines that had no room */
	uint64_t accesses, strange; /* taken; that are none */
	uint64_t foreign; /* of threads of other processes, which are not watched */
	uint64_t found; /* threads that were seen to get a line; ComDetective: communications */
	uint64_t execs;             /* calls of exec(2) while lines were watched */
	uint64_t experiments, stored, timed_out, no_anchor, gone, used_up;
	uint64_t
		unwatched; /* stores that were to be experiments with, of threads that could not be watched */
	uint64_t absent; /* and that were left, as the writer had no CPU while others stored */
	uint64_t
		overrun; /* how often the kernel had no room to tell of accesses to armed registers */
	double seconds;
	uint64_t cost_ns, hits, hit_ns;
	uint64_t switches; /* of threads with armed registers */
	uint64_t switch_ns; /* what registers add to one */
	uint64_t switches_cost_ns; /* to all, with those of threads whose registers were off */
	/* of the time, that switches would have cost with registers: no experiment then; 0: little */
	double spared_share;
	int switch_error; /* errno: these are not known, and not in 'cost_ns'; ENODATA: none are counted */
	uint32_t line_bytes;
	uint32_t refused, watch_beyond;
	int refused_error;
	double heaviest; /* the most that one sample stands for */
};

#endif
