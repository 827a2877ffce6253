/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known while a program is observed: of that, live.c makes the result. */
#ifndef SHARING_LIVE_STATE_H
#define SHARING_LIVE_STATE_H

#include "budget.h"
#include "candidates.h"
#include "live_result.h"
#include "live_settings.h"
#include "statistics/random.h"
#include "strata.h"
#include "watch.h"

#define LIVE_HITS_MOST 65536u
/* Who reads has a CPU that the program may want: not too often */
#define LIVE_PAUSE_NS 100000L
/* Accesses that are taken at once */
#define LIVE_BATCH 4096u
/* Experiments, in the first of which it is looked around */
#define LIVE_LOOK_EVERY 64u
/* Slots of the table of threads, by tid */
#define LIVE_TIDS (4 * WATCH_THREADS_MOST)

/* Threads of other processes that are remembered */
#define LIVE_FOREIGN 64u

/* What threads have of them */
enum live_registers { LIVE_BARE, LIVE_CLOSED, LIVE_OFF };

/* What experiments found that are kept no more */
struct live_settled {
	struct live_flow *flows; /* as the result's */
	struct live_flow sent[WATCH_THREADS_MOST];
	struct live_flow total;
	double stores; /* 0: there are none */
};

struct live {
	const struct live_settings *settings;
	const struct live_host *host;
	struct live_result *result;
	struct watch watch;
	struct random random;
	struct watch_hit *hits;
	uint32_t habit_count;
	uint32_t slots_of_tids[LIVE_TIDS]; /* thread's number + 1; 0: free */
	uint32_t foreign[LIVE_FOREIGN]; /* tids; 0: none */
	struct budget budget;
	uint64_t switches_at; /* when context switches were counted last */
	int are_dear; /* they are so many that registers cost too much even while these are off */
	enum live_registers registers; /* between experiments */
	uint64_t pause_ns; /* the last one; 0: there was something to do */
	struct candidates candidates;
	struct strata strata; /* stores, and what experiments with these found */
	struct live_settled settled;
	struct live_flow sent[WATCH_THREADS_MOST]; /* while the result is made */
	struct experiment_setup setup; /* of the experiment that is made */
	struct experiment_result experiment;
	struct sampled_access batch[LIVE_BATCH];
	void *of_rules; /* their state */
	int has_ended;  /* the program */
};

void live_pause_for(long ns);

/*
 * Is it a thread that runs, and of another process than the one that is watched? A child hands accesses
 * over by the same ring. One that has ended is taken for the process's own.
 */
int live_is_foreign(struct live *live, uint32_t tid);

/* NULL: there are too many */
struct live_thread *live_thread_of(struct live *live, uint32_t tid);
struct live_line *live_line_of(struct live *live, uint64_t address);

/* What is known of the thread and the line, which is made if 'is_new'. NULL: nothing is, or has room */
struct live_habit *live_habit_of(struct live *live, uint64_t address, uint32_t tid, int is_new);

/* One of its accesses */
void live_habit_learn(struct live_habit *habit, const struct sampled_access *access);

/* Has the program ended? */
void live_look_for_end(struct live *live);

/* Context switches since the last look, as what they were: of threads that were armed, or not */
void live_count_armed(struct live *live);
void live_count_unarmed(struct live *live);

/* Something was seen there: of which kind? */
void live_line_see(struct live_line *line, int meets);

#endif
