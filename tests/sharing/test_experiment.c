/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Experiments with stores to a line: what comes of hits that are given, and what many of them say of a
 * program that is made here, on debug registers that are modeled.
 */
#include "sharing/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sharing/candidates.h"
#include "statistics/poisson_sum.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define LINE UINT64_C(0x7f0000001000)
#define WRITER 100u

static struct experiment_setup setup;
static struct experiment_result result;

/* --- hits that are given --- */

/* Words 2 and 5 are watched in threads 101 and 102. */
static void begin(void)
{
	const struct experiment_hints hints = { .counts = { [5] = 1000000 } };
	struct watch_register registers[WATCH_REGISTERS];
	struct random random = random_of(1);

	experiment_begin(&setup, LINE + 16, 8, WRITER, 0, 0);
	for (uint32_t tid = WRITER; tid <= WRITER + 2; tid++)
		experiment_watch(&setup, tid, &hints, &random, registers);
	CU_ASSERT_EQUAL(setup.word, 2);
	for (uint32_t n = 0; n < setup.count; n++)
		setup.others[n].drawn = (struct drawn_words){ .count = 1,
							      .word = { 5 },
							      .reach = { 1u << 5 },
							      .chance = { [5] = 0.5 },
							      .beside = 1u << 5 };
}

static void judge(const struct watch_hit *hits, size_t count)
{
	struct watch_hit sorted[32];

	begin();
	/* whatever order rings are read in */
	for (size_t n = 0; n < count; n++)
		sorted[n] = hits[count - 1 - n];
	experiment_judge(&setup, sorted, count, &result);
}

#define JUDGE(...)                                                                                 \
	do {                                                                                       \
		const struct watch_hit given[] = { __VA_ARGS__ };                                  \
		judge(given, sizeof(given) / sizeof(given[0]));                                    \
	} while (0)

static const struct experiment_seen *seen(uint32_t tid)
{
	for (uint32_t n = 0; n < result.count; n++) {
		if (result.seen[n].tid == tid)
			return &result.seen[n];
	}
	return NULL;
}

static void loads(void)
{
	/* before the anchor, behind it, and behind the writer's next store, to whichever word */
	JUDGE({ 10000, 101, 0, 0 }, { 20000, WRITER, 0, 0 }, { 30000, 102, 0, 0 }, { 40000, WRITER, 2, 0 },
	      { 50000, 101, 0, 0 });
	CU_ASSERT_EQUAL(result.end, EXPERIMENT_STORED);
	CU_ASSERT_EQUAL(result.anchor, 20000);
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(seen(102));
	CU_ASSERT_TRUE(seen(102)->meets && seen(102)->weight == 1);
	/* the other word counts for those that were not drawn; a second access is none of the first */
	JUDGE({ 20000, WRITER, 0, 0 }, { 30000, 101, 2, 0 }, { 40000, 101, 2, 0 },
	      { 50000, WRITER, 0, 0 });
	CU_ASSERT_PTR_NOT_NULL_FATAL(seen(101));
	CU_ASSERT_TRUE(!seen(101)->meets && seen(101)->weight == 2);
	/* unless the second one is to what was stored to, which each register would have seen */
	JUDGE({ 20000, WRITER, 0, 0 }, { 30000, 101, 2, 0 }, { 40000, 101, 0, 0 },
	      { 50000, WRITER, 0, 0 });
	CU_ASSERT_PTR_NOT_NULL_FATAL(seen(101));
	CU_ASSERT_TRUE(!seen(101)->meets && seen(101)->weight == 1);
}

static void stores(void)
{
	/* another's store is a transfer, too, and the last one */
	JUDGE({ 20000, WRITER, 0, 0 }, { 30000, 101, 0, 0 }, { 40000, 102, 3, 0 }, { 40900, 102, 2, 0 },
	      { 50000, 101, 0, 0 }, { 60000, 102, 0, 0 });
	CU_ASSERT_EQUAL(result.end, EXPERIMENT_STORED);
	CU_ASSERT_EQUAL(result.count, 2);
	CU_ASSERT_TRUE(seen(101) && seen(101)->meets);
	CU_ASSERT_TRUE(seen(102) && !seen(102)->meets && seen(102)->weight == 2);
	/* one access that is wide meets all registers */
	JUDGE({ 20000, WRITER, 0, 0 }, { 20700, WRITER, 1, 0 }, { 40000, 101, 2, 0 }, { 40600, 101, 0, 0 },
	      { 41300, 101, 1, 0 });
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_TRUE(seen(101) && seen(101)->meets && seen(101)->weight == 1);
}

/* What one access meets is told 3 us apart, as a trap takes long, or 13 us, as it was interrupted. */
static void interrupted(void)
{
	static const struct watch_hit hits[] = { { 20000, WRITER, 0, 7 },
						 { 30000, 101, 3, 8 },
						 { 33000, 101, 2, 8 },
						 { 33500, 101, 0, 8 } };
	static const struct watch_hit longer[] = { { 20000, WRITER, 0, 7 },
						   { 30000, 101, 3, 8 },
						   { 43000, 101, 2, 8 },
						   { 43500, 101, 0, 8 } };
	struct watch_hit given[4];

	for (int is_known = 0; is_known < 2; is_known++) {
		for (int is_long = 0; is_long < 2; is_long++) {
			begin();
			setup.same_ns = is_long ? 2000 : 4500;
			setup.others[0].drawn.is_one = is_known;
			memcpy(given, is_long ? longer : hits, sizeof(given));
			given[1].ip -= is_known && !is_long; /* it is another instruction's */
			experiment_judge(&setup, given, 4, &result);
			CU_ASSERT_EQUAL(result.count, 1);
			CU_ASSERT_EQUAL(result.end, EXPERIMENT_STORED);
			CU_ASSERT_EQUAL(seen(101)->meets, is_known == is_long);
			CU_ASSERT_EQUAL(seen(101)->weight, is_known == is_long ? 1 : 2);
		}
	}
}

static void ends(void)
{
	uint64_t anchor;
	struct watch_hit none[] = { { 10000, 101, 0, 0 }, { 20000, WRITER, 1, 0 } };
	struct watch_hit open[] = { { 30000, 101, 0, 0 }, { 10000, WRITER, 0, 0 } };
	struct watch_hit ended[] = { { 30000, 101, 1, 0 }, { 30500, 101, 0, 0 }, { 10000, WRITER, 0, 0 } };

	JUDGE({ 10000, 101, 0, 0 }, { 20000, WRITER, 1, 0 });
	CU_ASSERT_EQUAL(result.end, EXPERIMENT_NO_ANCHOR);
	CU_ASSERT_EQUAL(result.count, 0);
	JUDGE({ 10000, WRITER, 0, 0 }, { 30000, 101, 0, 0 });
	CU_ASSERT_EQUAL(result.end, EXPERIMENT_TIMED_OUT);
	CU_ASSERT_EQUAL(result.count, 1);
	CU_ASSERT_FALSE(experiment_has_ended(&setup, none, 0, 2, &anchor));
	CU_ASSERT_EQUAL(anchor, 0);
	CU_ASSERT_FALSE(experiment_has_ended(&setup, open, 0, 2, &anchor));
	CU_ASSERT_EQUAL(anchor, 10000);
	CU_ASSERT_TRUE(experiment_has_ended(&setup, ended, 0, 3, &anchor));
	experiment_judge(&setup, NULL, 0, &result);
	CU_ASSERT_EQUAL(result.end, EXPERIMENT_NO_ANCHOR);
}

/* Without an anchor it is the store that was sampled, 100 us before it was watched. */
static void no_anchor(void)
{
	struct watch_hit hits[] = { { 210000, 101, 0, 0 },
				    { 220000, 102, 2, 0 },
				    { 230000, 102, 3, 0 },
				    { 240000, 101, 3, 0 } };

	for (int stores = 0; stores < 2; stores++) {
		const double chance = stores ? 1 / 1.4 : 1;

		begin();
		setup.stored_at = 100000;
		setup.armed_at = 200000;
		setup.window_ns = 500000;
		experiment_judge(&setup, hits, stores ? 4 : 2, &result);
		CU_ASSERT_EQUAL(result.end, EXPERIMENT_NO_ANCHOR);
		CU_ASSERT_EQUAL(result.count, 2);
		CU_ASSERT_DOUBLE_EQUAL(seen(101)->weight, chance, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(seen(102)->weight, 2 * chance, 1e-9);
	}
	/* what comes later than a transfer may, with an anchor or without */
	begin();
	setup.stored_at = 100000;
	setup.armed_at = 200000;
	setup.window_ns = 15000;
	experiment_judge(&setup, hits, 2, &result);
	CU_ASSERT_EQUAL(result.count, 1);
	hits[0].tid = WRITER;
	setup.window_ns = 5000;
	experiment_judge(&setup, hits, 2, &result);
	CU_ASSERT_EQUAL(result.end, EXPERIMENT_TIMED_OUT);
	CU_ASSERT_EQUAL(result.count, 0);
}

/* Others store again and again before the writer does: that store is awaited no more, and says nothing. */
static void absent(void)
{
	struct watch_hit
		hits
			[] = {
				{ 10000, 101, 0, 0 },
				{ 10500, 101, 1, 0 }, /* one store, by both registers of its word */
				{ 20000, 102, 0, 0 }, /* a load */
				{ 30000, WRITER, 1, 0 }, /* another word of the writer's */
				{ 40000, 102, 1, 0 },
				{ 50000, WRITER, 0, 0 },
				{ 60000, 101, 1, 0 },
				{ 70000, 101, 1, 0 },
			};
	uint64_t anchor;

	begin();
	setup.patience = 2;
	CU_ASSERT_FALSE(experiment_has_ended(&setup, hits, 0, 5, &anchor));
	CU_ASSERT_TRUE(experiment_has_ended(&setup, hits, 0, 7, &anchor));
	experiment_judge(&setup, hits, 8, &result);
	CU_ASSERT_EQUAL(result.end, EXPERIMENT_STORED);
	CU_ASSERT_EQUAL(result.count, 1);
	setup.patience = 1;
	CU_ASSERT_TRUE(experiment_has_ended(&setup, hits, 0, 5, &anchor));
	CU_ASSERT_EQUAL(anchor, 0);
	/* whatever came by the time registers were off */
	experiment_judge(&setup, hits, 8, &result);
	CU_ASSERT_EQUAL(result.end, EXPERIMENT_ABSENT);
	CU_ASSERT_EQUAL(result.count, 0);
	/* a new experiment awaits it */
	begin();
	CU_ASSERT_FALSE(experiment_has_ended(&setup, hits, 0, 5, &anchor));
}

/* A register that was off before the anchor: what its thread did then is not known. */
static void used_up(void)
{
	static struct watch_hit hits[WATCH_HITS_MOST + 2];

	for (uint32_t n = 0; n < WATCH_HITS_MOST; n++)
		hits[n] = (struct watch_hit){ 10000 + 10 * n, 101, 0, 0 };
	hits[WATCH_HITS_MOST] = (struct watch_hit){ 90000, WRITER, 0, 0 };
	hits[WATCH_HITS_MOST + 1] = (struct watch_hit){ 99000, WRITER, 0, 0 };
	begin();
	experiment_judge(&setup, hits, WATCH_HITS_MOST + 2, &result);
	CU_ASSERT_EQUAL(result.used_up, 1);
	CU_ASSERT_EQUAL(result.count, 0);
}

/* --- a program on modeled registers --- */

#define THREADS 4u
#define STEPS 40000u
#define PERIOD 20u
/* Of one step of the program, in which one access is made */
#define STEP_NS 20000u

/* Bytes of the line; 'at': where they begin */
struct access {
	uint32_t thread, at, bytes;
	int is_store;
};

/*
 * Where the accesses of a thread begin, 'places' of them, each so many bytes behind the one before; how many
 * bytes they are, and how much of them is stores, in percent
 */
struct habit {
	uint32_t first, places, apart, bytes, stores;
};

struct program {
	const char *name;
	struct habit habits[THREADS];
	double slack; /* how far two words of eight may be off in the mean of all runs */
};

static const struct program programs[] = {
	{ "one word",
	  { { 0, 1, 0, 8, 50 }, { 0, 1, 0, 8, 50 }, { 0, 1, 0, 8, 50 }, { 0, 1, 0, 8, 50 } },
	  0.1 },
	{ "words of their own",
	  { { 0, 1, 0, 8, 50 }, { 16, 1, 0, 8, 40 }, { 32, 1, 0, 8, 30 }, { 48, 1, 0, 8, 60 } },
	  0.1 },
	{ "one that stores",
	  { { 24, 1, 0, 8, 60 }, { 24, 1, 0, 8, 0 }, { 32, 1, 0, 8, 0 }, { 40, 1, 0, 8, 0 } },
	  0.1 },
	{ "vectors",
	  { { 0, 1, 0, 32, 50 }, { 32, 1, 0, 32, 50 }, { 0, 1, 0, 32, 50 }, { 32, 1, 0, 32, 50 } },
	  0.1 },
};

/* Accesses of several words, all of which tell what is true sharing */
static const struct program wide[] = {
	{ "vectors in either half",
	  { { 0, 2, 32, 32, 50 },
	    { 0, 2, 32, 32, 50 },
	    { 0, 2, 32, 32, 50 },
	    { 0, 2, 32, 32, 50 } },
	  0.1 },
	{ "over borders of words",
	  { { 4, 2, 32, 16, 50 },
	    { 4, 2, 32, 16, 50 },
	    { 4, 2, 32, 16, 50 },
	    { 4, 2, 32, 16, 50 } },
	  0.1 },
	/* in the second word, over the end, and behind it */
	{ "a vector, and parts of it",
	  { { 0, 1, 0, 32, 60 }, { 8, 1, 0, 8, 0 }, { 20, 1, 0, 16, 0 }, { 40, 1, 0, 8, 0 } },
	  0.1 },
};

/* Accesses of one word, now this one and then that one */
static const struct program several[] = {
	{ "two words of all",
	  { { 0, 2, 8, 8, 50 }, { 0, 2, 8, 8, 50 }, { 0, 2, 8, 8, 50 }, { 0, 2, 8, 8, 50 } },
	  0.1 },
	{ "two words, seldom stored to",
	  { { 0, 2, 8, 8, 10 }, { 0, 2, 8, 8, 10 }, { 0, 2, 8, 8, 10 }, { 0, 2, 8, 8, 10 } },
	  0.1 },
	{ "three words, one that stores",
	  { { 0, 3, 8, 8, 30 }, { 0, 3, 8, 8, 0 }, { 0, 3, 8, 8, 0 }, { 0, 3, 8, 8, 0 } },
	  0.1 },
	{ "a word that is stored to, and four others",
	  { { 0, 1, 0, 8, 50 }, { 0, 5, 8, 8, 0 }, { 0, 5, 8, 8, 0 }, { 8, 4, 8, 8, 0 } },
	  0.05 },
	{ "fields: as many stores as each reader loads of five words",
	  { { 0, 1, 0, 8, 100 }, { 0, 5, 8, 8, 0 }, { 0, 5, 8, 8, 0 }, { 0, 5, 8, 8, 0 } },
	  0.03 },
	/* most stores are to words that are not watched */
	{ "all words of all",
	  { { 0, 8, 8, 8, 30 }, { 0, 8, 8, 8, 30 }, { 0, 8, 8, 8, 30 }, { 0, 8, 8, 8, 30 } },
	  1.2 },
};

struct truth {
	double all[THREADS][THREADS], met[THREADS][THREADS];
};

/* Transfers, those that are true sharing, those that are false sharing */
enum { ALL, MET, APART, KINDS };

static struct access steps[STEPS];

static void make_steps(const struct program *program, uint32_t count, struct random *random,
		       struct truth *truth)
{
	struct access written = { .thread = THREADS };
	uint32_t has = 0;

	memset(truth, 0, sizeof(*truth));
	for (uint32_t n = 0; n < count; n++) {
		const uint32_t thread = (uint32_t)random_below(random, THREADS);
		const struct habit *habit = &program->habits[thread];
		const struct access is = {
			.thread = thread,
			.at = habit->first +
			      habit->apart * (uint32_t)random_below(random, habit->places),
			.bytes = habit->bytes,
			.is_store = random_below(random, 100) < habit->stores,
		};

		steps[n] = is;
		if (written.thread < THREADS && written.thread != thread && !(has >> thread & 1)) {
			truth->all[written.thread][thread]++;
			truth->met[written.thread][thread] +=
				is.at < written.at + written.bytes && written.at < is.at + is.bytes;
		}
		has |= 1u << thread;
		if (!is.is_store)
			continue;
		written = is;
		has = 1u << thread;
	}
}

/* Registers as the processor has them */
static int is_hit(const struct watch_register *is, const struct access *access)
{
	const uint64_t address = LINE + access->at;

	if (is->kind == WATCH_NOTHING || (is->kind == WATCH_STORES && !access->is_store))
		return 0;
	return address < is->address + is->bytes && address + access->bytes > is->address;
}

static size_t step_hits(uint32_t step, struct watch_register registers[THREADS][WATCH_REGISTERS],
			struct watch_hit *hits)
{
	const struct access *access = &steps[step];
	size_t count = 0;

	for (uint32_t n = 0; n < WATCH_REGISTERS; n++) {
		if (!is_hit(&registers[access->thread][n], access))
			continue;
		hits[count] = (struct watch_hit){ (uint64_t)step * STEP_NS + 700 * count,
						  WRITER + access->thread, n, 0 };
		count++;
	}
	return count;
}

/* From the store at that step on: its registers are armed some steps later. Where it ended */
static uint32_t experiment_at(uint32_t step, uint32_t count_of_steps, int is_whole,
			      uint32_t line_stores, const struct experiment_hints hints[THREADS],
			      struct random *random)
{
	struct watch_register registers[THREADS][WATCH_REGISTERS];
	static struct watch_hit hits[4 * STEPS];
	size_t count = 0, in_order = 0;
	uint64_t anchor;

	experiment_begin(&setup, LINE + steps[step].at, steps[step].bytes,
			 WRITER + steps[step].thread, line_stores, is_whole);
	for (uint32_t n = 0; n < THREADS; n++)
		experiment_watch(&setup, WRITER + n, &hints[n], random, registers[n]);
	for (step += 1 + (uint32_t)random_below(random, 5); step < count_of_steps; step++) {
		count += step_hits(step, registers, hits + count);
		if (count && experiment_has_ended(&setup, hits, in_order, count, &anchor))
			break;
		in_order = count;
	}
	experiment_judge(&setup, hits, count, &result);
	return step;
}

/* By who stored and who got it; and what experiments say of all, each for the stores since the one before */
struct estimate {
	struct poisson_sum all[THREADS][THREADS], met[THREADS][THREADS];
	struct poisson_sum sums[KINDS];
	double each; /* stores, for an experiment in the mean */
	uint32_t hits;
};

/* How a program is looked at */
struct look {
	uint32_t steps;
	int is_whole;
	double chance; /* that an experiment is made where one could be */
	int stores_alone; /* loads are not sampled */
};

static void add_kinds(struct estimate *estimate, double stores)
{
	double kinds[KINDS] = { 0 };

	for (uint32_t at = 0; at < result.count; at++) {
		const struct experiment_seen *is = &result.seen[at];
		const int kind = is->meets ? MET : APART;

		kinds[ALL] += is->weight;
		kinds[kind] += is->weight - is->other;
		kinds[MET + APART - kind] += is->other;
		estimate->sums[ALL].unsure += stores * is->unsure;
		estimate->sums[kind].unsure += stores * (is->unsure + is->unsure_kind);
		estimate->sums[MET + APART - kind].unsure += stores * is->unsure_kind;
	}
	for (int kind = 0; kind < KINDS; kind++)
		poisson_sum_add(&estimate->sums[kind], kinds[kind] > 0, stores * kinds[kind]);
	estimate->hits += result.count;
}

/* Some of the stores that are sampled: there is one experiment at a time. */
static void estimate_by_experiments(const struct look *look, struct random *random,
				    struct estimate *estimate)
{
	struct experiment_hints hints[THREADS] = { 0 };
	uint32_t samples[THREADS] = { 0 }, made[THREADS] = { 0 };
	uint32_t free_at = 0, left = PERIOD, since = 0, all = 0, experiments = 0;

	memset(estimate, 0, sizeof(*estimate));
	for (uint32_t n = 0; n < look->steps; n++) {
		const uint32_t from = steps[n].thread;

		if (--left)
			continue;
		left = 1 + (uint32_t)random_below(random, 2 * PERIOD - 1);
		if (!steps[n].is_store && look->stores_alone)
			continue;
		experiment_learn(&hints[from], LINE + steps[n].at, steps[n].bytes,
				 steps[n].is_store);
		if (!steps[n].is_store)
			continue;
		samples[from]++;
		all++;
		since++;
		if (n < free_at || random_uniform(random) >= look->chance)
			continue;
		made[from]++;
		experiments++;
		free_at = experiment_at(n, look->steps, look->is_whole, all, hints, random);
		add_kinds(estimate, PERIOD * since);
		since = 0;
		for (uint32_t at = 0; at < result.count; at++) {
			const struct experiment_seen *is = &result.seen[at];
			const uint32_t to = is->tid - WRITER;

			poisson_sum_add(&estimate->all[from][to], 1, PERIOD * is->weight);
			estimate->all[from][to].unsure += PERIOD * is->unsure;
			poisson_sum_add(&estimate->met[from][to], 1,
					PERIOD * (is->meets ? is->weight - is->other : is->other));
		}
	}
	for (int kind = 0; kind < KINDS && experiments; kind++)
		estimate->sums[kind] =
			poisson_sum_scaled(&estimate->sums[kind], (double)all / (all - since));
	estimate->each = experiments ? (double)PERIOD * all / experiments : PERIOD;
	for (uint32_t from = 0; from < THREADS; from++) {
		const double by = made[from] ? (double)samples[from] / made[from] : 0;

		for (uint32_t to = 0; to < THREADS; to++) {
			estimate->all[from][to] = poisson_sum_scaled(&estimate->all[from][to], by);
			estimate->met[from][to] = poisson_sum_scaled(&estimate->met[from][to], by);
		}
	}
}

static void check_program(const struct program *program, int is_whole)
{
	const double slack = is_whole ? 0.05 : program->slack;
	const uint32_t runs = repetitions(200, 30);
	const struct look look = { .steps = STEPS, .is_whole = is_whole, .chance = 1 };
	double truths = 0, sums = 0, truths_met = 0, sums_met = 0;
	uint32_t cells = 0, holding = 0;

	for (uint32_t run = 0; run < runs; run++) {
		struct random random = random_of(run + 1);
		struct estimate estimate;
		struct truth truth;

		make_steps(program, STEPS, &random, &truth);
		estimate_by_experiments(&look, &random, &estimate);
		for (uint32_t n = 0; n < THREADS * THREADS; n++) {
			const uint32_t from = n / THREADS, to = n % THREADS;
			const struct interval interval =
				poisson_sum_interval(&estimate.all[from][to], interval_confidence);

			truths += truth.all[from][to];
			sums += estimate.all[from][to].sum;
			truths_met += truth.met[from][to];
			sums_met += estimate.met[from][to].sum;
			CU_ASSERT_TRUE(truth.all[from][to] > 0 || estimate.all[from][to].sum <= 0);
			cells += truth.all[from][to] > 0;
			holding += truth.all[from][to] > 0 && interval.low <= truth.all[from][to] &&
				   truth.all[from][to] <= interval.high;
		}
	}
	printf("# %s, %s: %.3f of what was, true ones %.3f; %u of %u intervals hold (%.1f%%)\n",
	       program->name, is_whole ? "whole lines" : "two words", sums / truths,
	       truths_met > 0 ? sums_met / truths_met : 0, holding, cells, 100.0 * holding / cells);
	CU_ASSERT_DOUBLE_EQUAL(sums / truths, 1, slack);
	if (truths_met > 0) {
		CU_ASSERT_DOUBLE_EQUAL(sums_met / truths_met, 1, slack);
	} else {
		CU_ASSERT_EQUAL(sums_met, 0);
	}
	CU_ASSERT_TRUE(holding >= 0.93 * cells);
}

static void whole_lines(void)
{
	for (size_t n = 0; n < sizeof(programs) / sizeof(programs[0]); n++)
		check_program(&programs[n], 1);
}

static void two_words(void)
{
	for (size_t n = 0; n < sizeof(programs) / sizeof(programs[0]); n++)
		check_program(&programs[n], 0);
}

/* Do the intervals of the sums hold in so many runs, of which each has a few hits or many? */
static void check_kinds(const struct program *program, const struct look *look, double least)
{
	static const char *const names[] = { [ALL] = "all", [MET] = "true", [APART] = "false" };
	const uint32_t runs = repetitions(400, 100);
	double truths[KINDS] = { 0 }, sums[KINDS] = { 0 }, hits = 0;
	uint32_t holding[KINDS] = { 0 };

	for (uint32_t run = 0; run < runs; run++) {
		struct random random = random_of(1000 + run);
		double is[KINDS] = { 0 };
		struct estimate estimate;
		struct truth truth;

		make_steps(program, look->steps, &random, &truth);
		estimate_by_experiments(look, &random, &estimate);
		for (uint32_t n = 0; n < THREADS * THREADS; n++) {
			is[ALL] += truth.all[n / THREADS][n % THREADS];
			is[MET] += truth.met[n / THREADS][n % THREADS];
		}
		is[APART] = is[ALL] - is[MET];
		hits += estimate.hits;
		for (int kind = 0; kind < KINDS; kind++) {
			struct poisson_sum sum = estimate.sums[kind];
			struct interval interval;

			if (!(sum.sum > 0))
				sum.most = estimate.each;
			interval = poisson_sum_interval(&sum, interval_confidence);
			truths[kind] += is[kind];
			sums[kind] += sum.sum;
			holding[kind] += interval.low <= is[kind] && is[kind] <= interval.high;
		}
	}
	printf("# %s, %s, %.0f hits:", program->name, look->is_whole ? "whole lines" : "two words",
	       hits / runs);
	for (int kind = 0; kind < KINDS; kind++) {
		printf(" %s %.3f of what was, %.1f%% hold%s", names[kind],
		       sums[kind] / truths[kind], 100.0 * holding[kind] / runs,
		       kind < APART ? ";" : "\n");
		CU_ASSERT_TRUE(holding[kind] >= least * runs);
	}
}

static void true_and_false(void)
{
	static const struct look looks[] = {
		{ .steps = 1000, .chance = 1 },
		{ .steps = 2000, .chance = 0.2 },
		{ .steps = 10000, .chance = 1 },
		{ .steps = 1000, .is_whole = 1, .chance = 1 },
		{ .steps = 10000, .is_whole = 1, .chance = 1 },
		{ .steps = 3000, .chance = 1, .stores_alone = 1 },
		{ .steps = 10000, .chance = 1, .stores_alone = 1 },
	};

	for (size_t n = 0; n < sizeof(wide) / sizeof(wide[0]); n++) {
		for (size_t at = 0; at < sizeof(looks) / sizeof(looks[0]); at++)
			check_kinds(&wide[n], &looks[at], 0.9);
	}
}

static void several_words(void)
{
	static const struct look looks[] = {
		{ .steps = 1000, .chance = 1 },
		{ .steps = 10000, .chance = 1 },
	};

	for (size_t n = 0; n < sizeof(several) / sizeof(several[0]); n++) {
		check_program(&several[n], 0);
		check_program(&several[n], 1);
		for (size_t at = 0; at < sizeof(looks) / sizeof(looks[0]); at++)
			check_kinds(&several[n], &looks[at], 0.8);
	}
}

/* Each word has a chance, and what is drawn is drawn as often as it says. */
static void chances(void)
{
	const struct experiment_hints hints = { .counts = { 3, 9, 0, 0, 0, 0, 1, 50 } };
	struct random random = random_of(5);
	double weights[EXPERIMENT_WORDS] = { 0 };
	const uint32_t draws = 200000;
	const struct drawn_words *drawn;

	for (uint32_t n = 0; n < draws; n++) {
		struct watch_register registers[WATCH_REGISTERS];

		experiment_begin(&setup, LINE + 8, 8, WRITER, 0, 0);
		experiment_watch(&setup, WRITER + 1, &hints, &random, registers);
		drawn = &setup.others[0].drawn;
		weights[drawn->word[0]] += 1 / drawn_words_chance(drawn, 1u << drawn->word[0]);
		CU_ASSERT_EQUAL(registers[2].address, LINE + 8 * drawn->word[0]);
	}
	CU_ASSERT_EQUAL(weights[1], 0);
	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		if (n != 1) {
			CU_ASSERT_DOUBLE_EQUAL(weights[n] / draws, 1, 0.1);
		}
	}
}

/*
 * What a thread accesses that the first word tells of already need not be drawn.
 * Of the rest any word will do. Words 2 and 3 are stored to: an access from word 3 on has one of them,
 * another from word 5 on has none.
 */
static void wide_chances(void)
{
	const struct experiment_hints one = { .counts = { [1] = 90, [3] = 10 },
					      .words = { [1] = 2, [3] = 3 } };
	const struct experiment_hints other = { .counts = { [1] = 90, [5] = 10 },
						.words = { [1] = 2, [5] = 2 } };
	struct random random = random_of(6);
	uint32_t drawn[2] = { 0 };
	const uint32_t draws = 1000;
	/* of 10 accesses beside the first word: so many draws are even */
	const double even = 1.0 / (20 + 10);

	for (uint32_t n = 0; n < draws; n++) {
		struct watch_register registers[WATCH_REGISTERS];

		experiment_begin(&setup, LINE + 16, 16, WRITER, 0, 0);
		CU_ASSERT_EQUAL(setup.stored, 0x0c);
		experiment_watch(&setup, WRITER + 1, &one, &random, registers);
		experiment_watch(&setup, WRITER + 2, &other, &random, registers);
		for (int at = 0; at < 2; at++) {
			const struct drawn_words *is = &setup.others[at].drawn;
			const uint32_t from = at ? 5 : 3, words = at ? 2 : 3;

			if (is->word[0] < from || is->word[0] >= from + words)
				continue;
			drawn[at]++;
			CU_ASSERT_EQUAL((is->reach[0] & setup.stored) != 0, !at);
			CU_ASSERT_EQUAL(is->least, 0);
			CU_ASSERT_EQUAL(is->reach[0], is->beside);
			CU_ASSERT_DOUBLE_EQUAL(drawn_words_chance(is, is->reach[0]),
					       1 - even + even * words / 7, 1e-9);
		}
	}
	CU_ASSERT_TRUE(drawn[0] > 0.93 * draws && drawn[1] > 0.93 * draws);
}

/* By the chance that the one that was chosen had */
static double represented_by(const struct candidates *candidates)
{
	const struct candidate *chosen = &candidates->chosen;

	return chosen->access.weight * (double)candidates->count / chosen->chance;
}

/*
 * Stores that are chosen among many at one time and among few at another, and of these some seldom: who
 * counts each for what it stands for knows what share of all was found.
 */
static void rounds(void)
{
	const struct sampled_access access = { .weight = PERIOD };
	const uint32_t runs = 40000;
	double found = 0, represented = 0, stores = 0, sharing = 0;
	struct random random = random_of(3);

	for (uint32_t run = 0; run < runs; run++) {
		const uint32_t busy = run % 2 ? 20 : 0;
		struct candidates candidates = { .count = 0 };

		/* lines that nobody shares, of which it is known for half; and one that is shared */
		for (uint32_t n = 0; n < busy; n++)
			candidates_consider(&candidates, &random, &access, 0, n % 2 ? 100 : 0);
		candidates_consider(&candidates, &random, &access, 1, 0);
		stores += busy + 1;
		sharing += 1;
		represented += represented_by(&candidates);
		if (candidates.chosen.writer == 1)
			found += represented_by(&candidates);
	}
	printf("# %.4f of stores were of the shared line, %.4f are told\n", sharing / stores,
	       found / represented);
	CU_ASSERT_DOUBLE_EQUAL(represented / PERIOD / stores, 1, 0.02);
	CU_ASSERT_DOUBLE_EQUAL(found / represented * stores / sharing, 1, 0.03);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "loads between a store and the next one are transfers", loads },
		{ "so is the next store of another, and no more", stores },
		{ "an access that is told slowly is one", interrupted },
		{ "experiments that end, and that do not", ends },
		{ "the writer does not store again", no_anchor },
		{ "the writer has no CPU while others store", absent },
		{ "registers that were used up before", used_up },
		{ "words are drawn as often as it is said", chances },
		{ "so are those of wide accesses, and beside them", wide_chances },
		{ "a store stands for those that it was chosen from", rounds },
		{ "whole lines: programs that are known", whole_lines },
		{ "two words of eight, weighted: the same", two_words },
		{ "now this word and then that one", several_words },
		{ "accesses of several words: true and false sharing, in intervals that hold",
		  true_and_false },
	};

	return tap_main("experiment", cases, sizeof(cases) / sizeof(cases[0]));
}
