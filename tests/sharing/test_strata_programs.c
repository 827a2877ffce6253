/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Averages of strata (sharing/strata.h), over many seeds, on programs that are made up: each store is to a
 * line by a chance that is known, and so is the chance that each other thread gets it. One store in some is a
 * sample, some samples are candidates, and of these one is tried now and then: as evenly as where nothing
 * else runs, or at distances that differ so much that half of a run may lie between two.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sharing/candidates.h"
#include "sharing/strata.h"
#include "statistics/poisson_sum.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define THREADS 4u
#define LINES_MOST 300u
#define PERIOD 10u
#define BASE UINT64_C(0x10000)

/* Stores of a writer to a line, and the chance that others get one */
struct stores {
	uint32_t line, writer;
	double share; /* of all stores */
	double chance[THREADS];
	int is_true; /* what they get of the line */
};

struct program {
	const char *name;
	uint32_t samples, experiments;
	uint32_t count;
	struct stores stores[LINES_MOST];
	double change; /* in the second half of the run chances are so many times those of the first */
	double often; /* and experiments so many times as often for each store */
};

/* How many samples lie between two experiments */
enum distances { EVEN, RANDOM, HEAVY, HALF };

struct run {
	const struct program *program;
	struct random random;
	struct candidates candidates;
	struct strata strata;
	int32_t in_vain[LINES_MOST];
	double times; /* what chances are now */
	double truth[THREADS][THREADS], all, met;
	struct live_flow flows[THREADS * WATCH_THREADS_MOST], sent[WATCH_THREADS_MOST], total;
	double of_lines; /* that all lines have, together */
};

static uint64_t address_of(uint32_t line)
{
	return BASE + 64 * line;
}

/* Who gets it */
static uint32_t readers_of(struct run *run, const struct stores *stores)
{
	uint32_t readers = 0;

	for (uint32_t n = 0; n < THREADS; n++) {
		const double chance = run->times * stores->chance[n];

		readers |= (uint32_t)(chance > 0 && random_uniform(&run->random) < chance) << n;
	}
	return readers;
}

static const struct stores *store(struct run *run)
{
	const struct stores *stores = run->program->stores;
	double drawn = random_uniform(&run->random);
	uint32_t readers;

	for (uint32_t n = 1; n < run->program->count && drawn >= stores->share; n++)
		drawn -= stores++->share;
	readers = readers_of(run, stores);
	for (uint32_t n = 0; n < THREADS; n++) {
		run->truth[stores->writer][n] += readers >> n & 1;
		run->all += readers >> n & 1;
		run->met += stores->is_true ? readers >> n & 1 : 0;
	}
	return stores;
}

static void sample(struct run *run)
{
	const struct stores *stores = store(run);
	const struct sampled_access access = { .address = address_of(stores->line),
					       .bytes = 8,
					       .weight = PERIOD };

	for (uint32_t n = 1; n < PERIOD; n++)
		store(run);
	strata_store(&run->strata, access.address, stores->writer, PERIOD,
		     candidates_consider(&run->candidates, &run->random, &access, stores->writer,
					 run->in_vain[stores->line]));
}

static const struct stores *chosen_of(const struct run *run)
{
	const struct candidate *chosen = &run->candidates.chosen;
	const struct stores *stores = run->program->stores;

	while (address_of(stores->line) != chosen->access.address ||
	       stores->writer != chosen->writer)
		stores++;
	return stores;
}

/* Of the next store like the one that was sampled */
static void experiment(struct run *run)
{
	const struct stores *stores = chosen_of(run);
	const uint32_t readers = readers_of(run, stores);
	const struct live_amount amount = { .met = stores->is_true, .apart = !stores->is_true };

	CU_ASSERT_FATAL(strata_has_room(&run->strata));
	strata_experiment(&run->strata, address_of(stores->line), stores->writer,
			  PERIOD / run->candidates.chosen.chance, run->candidates.count);
	for (uint32_t n = 0; n < THREADS; n++) {
		if (readers >> n & 1)
			strata_see(&run->strata, n, &amount);
	}
	run->in_vain[stores->line] = candidates_in_vain(run->in_vain[stores->line], readers != 0);
	run->candidates.count = 0;
}

/* 1 in the mean, but of those that half of the run is left out of */
static double distance_of(enum distances distances, struct random *random)
{
	switch (distances) {
	case RANDOM:
		return -log(1 - random_uniform(random));
	case HEAVY: /* Pareto with 1.2: one in a hundred may be as long as all others */
		return pow(1 - random_uniform(random), -1 / 1.2) / 6;
	case HALF:
		return 0.5;
	case EVEN:
		break;
	}
	return 1;
}

static void add_line(void *of, uint64_t line, double met, double apart)
{
	struct run *run = of;

	CU_ASSERT(line >= BASE && line < address_of(LINES_MOST));
	run->of_lines += met + apart;
}

static void estimate(struct run *run)
{
	const struct strata_sums sums = { run->flows, run->sent, &run->total, add_line, run };

	strata_estimate(&run->strata, &sums);
}

/* Experiments that the end of the run cuts off say nothing: there is none after the last distance. */
static void observe(struct run *run, const struct program *program, enum distances distances,
		    uint64_t seed)
{
	const uint32_t half = program->samples / 2;
	const double mean = (double)program->samples / program->experiments;
	uint32_t none_from;
	double left;

	memset(run, 0, sizeof(*run));
	run->program = program;
	run->random = random_of(seed);
	CU_ASSERT_EQUAL_FATAL(strata_open(&run->strata), 0);
	left = mean * distance_of(distances, &run->random);
	none_from = (uint32_t)random_below(&run->random, half);
	for (uint32_t n = 0; n < program->samples; n++) {
		run->times = n < half ? 1 : program->change;
		sample(run);
		left -= n < half ? 1 : program->often;
		if (left > 0 || !run->candidates.count ||
		    (distances == HALF && n >= none_from && n < none_from + half))
			continue;
		experiment(run);
		left = mean * distance_of(distances, &run->random);
	}
	estimate(run);
	strata_close(&run->strata);
}

static int holds(const struct poisson_sum *sum, double most, double truth)
{
	const struct poisson_sum is = poisson_sum_with_most(sum, most);
	const struct interval interval = poisson_sum_interval(&is, interval_confidence);

	return interval.low <= truth && truth <= interval.high;
}

struct found {
	double ratios, squares;
	uint32_t runs, holding, met_holding, apart_holding, cells, cells_holding;
};

static void judge(struct found *found, const struct run *run)
{
	const double ratio = run->total.all.sum / run->all;
	double sent = 0;

	for (uint32_t n = 0; n < THREADS * THREADS; n++) {
		const uint32_t from = n / THREADS, to = n % THREADS;
		const struct poisson_sum *sum = &run->flows[from * WATCH_THREADS_MOST + to].all;
		const double truth = run->truth[from][to];

		if (truth > 0) {
			found->cells++;
			found->cells_holding +=
				(uint32_t)holds(sum, run->sent[from].all.most, truth);
		} else {
			CU_ASSERT_EQUAL(sum->sum, 0);
		}
		sent += to ? 0 : run->sent[from].all.sum;
	}
	CU_ASSERT_DOUBLE_EQUAL(sent, run->total.all.sum, 1e-6 * (1 + sent));
	CU_ASSERT_DOUBLE_EQUAL(run->of_lines, run->total.all.sum, 1e-6 * (1 + sent));
	found->runs++;
	found->ratios += ratio;
	found->squares += ratio * ratio;
	found->holding += (uint32_t)holds(&run->total.all, PERIOD, run->all);
	found->met_holding += (uint32_t)holds(&run->total.met, PERIOD, run->met);
	found->apart_holding += (uint32_t)holds(&run->total.apart, PERIOD, run->all - run->met);
}

/* Is the mean of many runs the truth, but for that share and what chance makes of it? Do intervals hold? */
static void check(const struct program *program, enum distances distances, double slack)
{
	static struct run run;
	const uint32_t runs = repetitions(200, 40);
	/* by chance two more than 7 of 100 fail */
	const double least = 0.93 * runs - 2;
	struct found found = { 0 };
	double mean, error;

	for (uint32_t seed = 0; seed < runs; seed++) {
		observe(&run, program, distances, 1000 * seed + 7);
		judge(&found, &run);
	}
	mean = found.ratios / runs;
	error = sqrt((found.squares / runs - mean * mean) / runs);
	printf("# %s: %.3f of what was, one run %.2f off; of %u hold %u, %u true, %u false; %u of %u cells\n",
	       program->name, mean, error * sqrt(runs), (unsigned int)runs,
	       (unsigned int)found.holding, (unsigned int)found.met_holding,
	       (unsigned int)found.apart_holding, (unsigned int)found.cells_holding,
	       (unsigned int)found.cells);
	CU_ASSERT(fabs(mean - 1) <= slack + 4 * error);
	CU_ASSERT(found.holding >= least);
	CU_ASSERT(found.met_holding >= least);
	CU_ASSERT(found.apart_holding >= least);
	CU_ASSERT(found.cells_holding >= 0.93 * found.cells);
}

/* --- programs --- */

static struct program program;

static void begin(const char *name, uint32_t samples, uint32_t experiments)
{
	memset(&program, 0, sizeof(program));
	program.name = name;
	program.samples = samples;
	program.experiments = experiments;
	program.change = program.often = 1;
}

static struct stores *add(uint32_t line, uint32_t writer, double share, int is_true)
{
	struct stores *stores = &program.stores[program.count++];

	*stores = (struct stores){ line, writer, share, { 0 }, is_true };
	return stores;
}

/* Each thread stores, and the next one gets it by that chance. */
static void share_line(uint32_t line, double share, double chance, int is_true)
{
	for (uint32_t n = 0; n < THREADS; n++)
		add(line, n, share / THREADS, is_true)->chance[(n + 1) % THREADS] = chance;
}

/* Lines of each thread's own */
static void keep_lines(double share)
{
	for (uint32_t n = 0; n < THREADS; n++)
		add(LINES_MOST - 1 - n, n, share / THREADS, 0);
}

static void check_shared(enum distances distances)
{
	begin("one word of all", 2000, 60);
	share_line(0, 1, 1, 1);
	check(&program, distances, 0.001);
	begin("half of what is stored to four lines", 2000, 60);
	for (uint32_t n = 0; n < 4; n++)
		share_line(n, 0.25, 0.5, n % 2);
	check(&program, distances, 0.01);
	begin("three of sixteen lines' readers", 2000, 40);
	for (uint32_t n = 0; n < 16; n++) {
		struct stores *stores = add(n, 0, 1.0 / 16, n % 2);

		stores->chance[1] = 0.7;
		stores->chance[2] = 0.5;
		stores->chance[3] = 0.3;
	}
	check(&program, distances, 0.01);
}

static void check_private(enum distances distances)
{
	begin("a store in ten", 2000, 60);
	share_line(0, 0.1, 0.9, 1);
	keep_lines(0.9);
	check(&program, distances, 0.01);
	begin("a store in a hundred", 4000, 60);
	for (uint32_t n = 0; n < 4; n++)
		share_line(n, 0.0025, 0.9, 1);
	keep_lines(0.99);
	/* where nothing is tried of them in a run, nothing is told */
	check(&program, distances, 0.08);
	begin("one of twenty stores to a line", 4000, 100);
	share_line(0, 0.3, 0.05, 1);
	keep_lines(0.7);
	check(&program, distances, 0.02);
}

static void check_lines(enum distances distances)
{
	double all = 0;

	begin("lines with 1, 1/2, 1/3 … of the stores", 4000, 100);
	for (uint32_t n = 1; n <= 40; n++)
		all += 1.0 / n;
	for (uint32_t n = 0; n < 40; n++)
		add(n, n % THREADS, 1.0 / (n + 1) / all, n % 2)->chance[(n + 1) % THREADS] =
			n % 7 / 6.0;
	check(&program, distances, 0.01);
	begin("a queue of 250 lines", 3000, 30);
	for (uint32_t n = 0; n < 250; n++)
		add(n, 0, 0.5 / 250, 1)->chance[1] = 1;
	keep_lines(0.5);
	check(&program, distances, 0.02);
	begin("few experiments", 500, 8);
	share_line(0, 0.5, 0.7, 1);
	keep_lines(0.5);
	check(&program, distances, 0.05);
}

static void even(void)
{
	check_shared(EVEN);
	check_private(EVEN);
	check_lines(EVEN);
}

static void at_random(void)
{
	check_shared(RANDOM);
	check_private(RANDOM);
	check_lines(RANDOM);
}

static void heavy(void)
{
	check_shared(HEAVY);
	check_private(HEAVY);
	check_lines(HEAVY);
}

static void half(void)
{
	check_shared(HALF);
	check_private(HALF);
	check_lines(HALF);
}

/* In the second half there are a tenth of the transfers, and experiments four times as often. */
static void phases(void)
{
	begin("one thing, and then another", 4000, 100);
	share_line(0, 0.5, 0.8, 1);
	share_line(1, 0.5, 0.5, 0);
	program.change = 0.1;
	program.often = 4;
	check(&program, EVEN, 0.08);
	check(&program, RANDOM, 0.08);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "experiments at even distances: the mean is the truth, and intervals hold",
		  even },
		{ "likewise at random ones", at_random },
		{ "at distances with a heavy tail", heavy },
		{ "with half of the run between two", half },
		{ "a program that changes", phases },
	};

	return tap_main("strata_programs", cases, sizeof(cases) / sizeof(cases[0]));
}
