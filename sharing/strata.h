/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many transfers there are, from experiments with some stores: averaged stratum by stratum, as samples
 * tell how many stores there are in each, with or without experiments (post-stratification: D. Holt, T. M.
 * F. Smith, "Post Stratification", Journal of the Royal Statistical Society A 142 (1979) 33-46).
 *
 * A stratum has the stores of a thread to a line. Where few experiments are to be expected in it, those of
 * all such threads to the line are one, and where there are few of these as well they are with those of
 * other lines. In each, all stores count for as much as those with which experiments were made, in their
 * mean: it does not matter with which lines there happened to be more experiments than their share, nor
 * that the one store that was tried of very many was none that anybody else came to.
 *
 * In that mean an experiment counts for what its store had for a chance to be tried: 1 / the chance that
 * lines in which experiments were in vain have left, and how many there were to choose from for each
 * experiment in those of late, so that a program may do one thing first and then another. That is not how
 * many there were for this one: where most of a run lies between two, the second says little more than any
 * other. Those that come later have no part in it: after one that found something there are more to choose
 * from, as its line is tried more often.
 *
 * The variance is that of experiments about the mean of their stratum, and that of how many samples there
 * are. Where all of n say the same, that is still no more sure than n can say it: 3 / n^2 of the squared
 * mean, by which the interval of n of n begins where the exact one of a share does, within a tenth from 5
 * on.
 *
 * So many strata and experiments are kept. Stores beyond these strata are one more. When there is no room
 * for an experiment, what they say is settled, and added to what is found from then on.
 *
 * Nothing here asks the kernel for anything.
 */
#ifndef SHARING_STRATA_H
#define SHARING_STRATA_H

#include "live_result.h"

#define STRATA_MOST 16384u
#define STRATA_EXPERIMENTS_MOST 8192u
#define STRATA_SEEN_MOST 32768u
/* Experiments over which it is averaged how many stores there are for each */
#define STRATA_LATE 16u

struct stratum {
	uint64_t line; /* address; 0: free */
	uint32_t writer; /* thread */
	uint32_t experiments;
	uint64_t candidates; /* samples of which one could be chosen */
	double stores,
		squares; /* of samples: the sum of their weights, and of the squares of these */
	uint32_t group;
};

struct strata_experiment {
	uint64_t line;
	uint32_t writer, stratum;
	uint32_t first, count; /* of what was seen */
	double weight; /* of its sample, by the chance that this was a candidate */
	double late; /* candidates for each experiment of late */
	double stores; /* it stands for, while it is estimated */
	struct live_amount sent; /* to all */
};

struct strata_seen {
	uint32_t experiment, reader;
	struct live_amount amount; /* for one store */
};

/* Of strata that have one mean */
struct strata_group {
	uint32_t experiments;
	double stores, squares;
	double weights, heaviest; /* of the experiments: all, and the largest one */
	double squared; /* the sum of squares of the stores that these stand for */
};

struct strata_order {
	uint32_t group, writer, reader, number;
};

struct strata {
	struct stratum *strata;
	struct stratum rest; /* of all that have no room */
	uint32_t count;
	struct strata_experiment *experiments;
	uint32_t experiment_count;
	struct strata_seen *seen;
	uint32_t seen_count;
	double stores; /* all */
	uint64_t candidates; /* all */
	/* candidates for each of the last experiments; all that were made */
	double late[STRATA_LATE];
	uint64_t made;
	/* by writer: experiments, and those that could not be made as it may not be watched */
	uint64_t made_of[WATCH_THREADS_MOST], unwatched_of[WATCH_THREADS_MOST];
	/* while it is estimated */
	struct strata_group *groups;
	uint32_t group_count;
	struct stratum **by_line;
	struct strata_order *order;
};

/* 0, or -1 if memory is short; to be closed in any case */
int strata_open(struct strata *strata);
void strata_close(struct strata *strata);

/* A sample of a store. @param is_candidate  an experiment could be made with it */
void strata_store(struct strata *strata, uint64_t address, uint32_t writer, double weight,
		  int is_candidate);

/* Is there room for one more experiment, whatever is seen in it? */
int strata_has_room(const struct strata *strata);

/*
 * An experiment, where there is room.
 *
 * @param weight      of its sample, by the chance that this was a candidate
 * @param candidates  it was chosen from
 */
void strata_experiment(struct strata *strata, uint64_t address, uint32_t writer, double weight,
		       uint64_t candidates);

/* And what was seen in the last one */
void strata_see(struct strata *strata, uint32_t reader, const struct live_amount *amount);

/* None was made, as the writer may not be watched: so many of its stores are not known. */
void strata_unwatched(struct strata *strata, uint32_t writer);

/* Stores and experiments are forgotten: what they say is settled. */
void strata_clear(struct strata *strata);

/* --- what they say (strata_estimate.c) --- */

/* Where it is put. All is added to what is there. */
struct strata_sums {
	struct live_flow *flows; /* [writer * WATCH_THREADS_MOST + reader] */
	struct live_flow *sent; /* by writer, to all */
	struct live_flow *total;
	/* What lines have of it, experiment by experiment */
	void (*line)(void *of, uint64_t line, double met, double apart);
	void *of;
};

void strata_estimate(struct strata *strata, const struct strata_sums *sums);

#endif
