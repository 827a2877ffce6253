/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One experiment: a store of thread i to a line was sampled; registers of all threads watch the line.
 * The next store of i is the anchor. Each other thread that accesses the line before anybody stores
 * there again has got it from i: a transfer. If there is none in some time, there is none.
 *
 * Every transfer has exactly one last store, so a sampled store counts for as many as its period says,
 * and how late registers come to watch does no harm: the anchor is a store like any other.
 *
 * If i does not store there again in some time, the store that was sampled itself is looked at: who
 * accesses the line from when it is watched, and before anybody stores there, has got it from i, unless
 * another one stored before that. Where others store often one has, most likely, and what was seen counts
 * for as much less. Of who came before that and not again nothing is known; who comes as much later than
 * the time allows makes up for it.
 *
 * Where a register takes a whole line, two of each thread watch it, and two the words stored to.
 * Otherwise two words are watched: the first that was stored to, and one of the other seven, drawn for
 * each thread with chances that are known; an access that was met there counts for those that would have
 * been missed. Of each word two registers tell loads from stores: one meets both, the other stores
 * alone. Of the writer's own words four are. So are of those of a thread where no register has to tell
 * loads from stores, the first and three others: one that stores nothing there, as far as many samples of
 * that line's stores tell, and accesses several words; and one all of whose accesses store, as registers
 * of both kinds have told in earlier experiments. A store that no register meets lets an experiment go on
 * that it ends, so that what others access then is taken for transfers.
 *
 * A thread that accesses what was stored to before the next store has got the line for certain. One that
 * is met in its other words alone, and was seen to access more, may have accessed all of them by then,
 * so that any would have told of it, or those in which it was met, so that others would have been
 * missed. What it counts for is the middle of both; but of one access, where most of them are watched,
 * it is that of this one. What is missed so of stores that should have ended experiments, by as much as
 * samples say that threads store to words that are not watched, is taken off again.
 *
 * A store may be of several words, and so may be what meets it: a transfer is true where an access has
 * one of the words that were stored to. Of an access that is met in another word it is what samples of
 * that thread and line say of accesses there.
 *
 * Nothing here asks the kernel for anything.
 */
#ifndef SHARING_EXPERIMENT_H
#define SHARING_EXPERIMENT_H

#include <stddef.h>
#include <stdint.h>

#include "drawn_words.h"
#include "statistics/random.h"
#include "watch.h"

#define EXPERIMENT_SEEN_MOST WATCH_THREADS_MOST
/*
 * Registers that one access meets are told one behind the other, each within that time and once, and not
 * by accesses that come that close behind each other: between these is a trap.
 */
#define EXPERIMENT_SAME_ACCESS_NS 2000u

/* What is watched in a thread beside what was stored to */
struct experiment_other {
	uint32_t tid;
	uint32_t
		first_slots; /* registers of what was stored to; the others are of what was drawn */
	uint32_t stores; /* registers that tell stores, a bit each */
	double unseen; /* how much of all that it was seen to access is not watched */
	uint32_t store_samples; /* that were seen of it and the line */
	struct drawn_words drawn; /* one word, of both kinds, or one for each register */
};

struct experiment_setup {
	uint64_t line;   /* address */
	uint32_t writer; /* tid */
	int is_whole;    /* whole lines are watched */
	uint32_t word; /* stored to; the first, if there are several */
	uint32_t stored; /* all of these, a bit each */
	uint64_t
		same_ns; /* registers that one access meets are told that close behind each other */
	uint64_t stored_at, armed_at; /* the store that was sampled; from when on it is watched */
	uint64_t window_ns; /* how old a transfer may become; 0: as old as it likes */
	uint64_t line_stores; /* that were sampled, of all threads */
	double unwatched; /* how much of the line's stores is of threads that are not watched, by samples */
	struct experiment_other own; /* of the writer: what is not watched of its own accesses */
	uint64_t patience; /* so many stores of others the anchor is awaited; 0: all */
	uint32_t count;  /* of 'others' */
	struct experiment_other others[EXPERIMENT_SEEN_MOST];
};

/* What one thread got, with its first access to the line */
struct experiment_seen {
	uint32_t tid;
	int meets; /* what was stored to, as far as that was seen */
	double weight; /* for so many accesses that it stands for, 1 or more */
	double unsure; /* so many less, or more */
	double other; /* of the weight: that of those that did not, or did, unseen … */
	double unsure_kind; /* … which are so many less, or more */
	uint32_t
		words; /* others than what was stored to in which it was met, or that such accesses reach */
	int is_certain; /* or it was met there */
	int is_end; /* by the store that ended the experiment */
	uint32_t of_both_kinds; /* words in which registers of both kinds met it … */
	uint32_t stored; /* … of which it had stored to those by the end */
};

enum experiment_end {
	EXPERIMENT_STORED, /* somebody stored there again */
	EXPERIMENT_TIMED_OUT, /* nobody did, in time: who accessed it until then did */
	EXPERIMENT_NO_ANCHOR, /* i did not store there again */
	EXPERIMENT_ABSENT /* nor was it awaited, as others did too often: it says nothing */
};

struct experiment_result {
	enum experiment_end end;
	uint64_t anchor; /* its time; 0: there was none */
	uint32_t count;
	struct experiment_seen seen[EXPERIMENT_SEEN_MOST];
	uint32_t used_up; /* threads whose registers were off before the end: their accesses are not known */
};

/* An access was seen. @param bytes  0: not known */
void experiment_learn(struct experiment_hints *hints, uint64_t address, uint32_t bytes,
		      int is_store);

/* What registers have told of a thread's first access to words */
void experiment_learn_kinds(struct experiment_hints *hints, const struct experiment_seen *seen);

/*
 * @param address, bytes  of the store that was sampled; 0 bytes: not known, taken for one word
 * @param line_stores     how many stores to its line were sampled, of all threads
 */
void experiment_begin(struct experiment_setup *setup, uint64_t address, uint32_t bytes,
		      uint32_t writer, uint64_t line_stores, int is_whole);

/* What is to be watched in a thread, the writer or another; 'hints' are of it and the line, or 0s. */
void experiment_watch(struct experiment_setup *setup, uint32_t tid, const struct experiment_hints *hints,
		      struct random *random, struct watch_register registers[WATCH_REGISTERS]);

/*
 * The hits, put in order, of which the first ones are; is there an end in them yet? 'anchor' gets its
 * time, 0: there is none so far
 */
int experiment_has_ended(const struct experiment_setup *setup, struct watch_hit *hits,
			 size_t in_order, size_t count, uint64_t *anchor);

/* All hits up to the end */
void experiment_judge(const struct experiment_setup *setup, struct watch_hit *hits, size_t count,
		      struct experiment_result *result);

#endif
