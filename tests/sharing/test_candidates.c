/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What experiments with a chosen store stand for, over many seeds: threads that store to one line of all, and
 * more or less often to lines of their own, which are tried seldom once experiments with them were in vain.
 */
#include <math.h>
#include <stdio.h>

#include "sharing/candidates.h"
#include "sharing/live_estimate.h"
#include "tests/support/tap.h"

#define THREADS 8u
#define RUNS 400u
/* So few that each thread has one or two with its own line */
#define EXPERIMENTS 60u
#define SHARED UINT64_C(64)

struct run {
	struct random random;
	struct candidates candidates;
	struct live_result result;
	uint32_t in_vain[THREADS + 1]; /* of the shared line, and of each thread's own */
	double truth, told;
};

/* One store of a thread's, to the shared line with that chance */
static void store(struct run *run, double fraction)
{
	const uint32_t thread = (uint32_t)random_below(&run->random, THREADS);
	const int is_shared = random_uniform(&run->random) < fraction;
	const uint32_t line = is_shared ? 0 : 1 + thread;
	const struct sampled_access access = { .address = SHARED * (1 + line),
					       .bytes = 8,
					       .weight = 50 };

	run->truth += is_shared ? 50 : 0;
	candidates_consider(&run->candidates, &run->random, &access, thread, run->in_vain[line]);
}

static void experiment(struct run *run)
{
	const int is_shared = run->candidates.chosen.access.address == SHARED;
	uint32_t *in_vain = &run->in_vain[is_shared ? 0 : 1 + run->candidates.chosen.writer];

	run->result.represented += run->candidates.considered;
	run->told += is_shared ? candidates_represented(&run->candidates) : 0;
	*in_vain = is_shared ? 0 : *in_vain + 1;
	run->candidates.count = 0;
	run->candidates.considered = 0;
}

/* What is told of what was: of that line all stores are followed by somebody's access */
static double ratio_of(uint64_t seed, double fraction)
{
	struct run run = { .random = random_of(seed) };

	for (uint32_t n = 0; n < EXPERIMENTS; n++) {
		/* as many as come while the last one goes on, and until one is to be tried */
		const uint64_t stores = 1 + random_below(&run.random, 40);

		for (uint64_t at = 0; at < stores || !run.candidates.count; at++)
			store(&run, fraction);
		experiment(&run);
	}
	run.result.considered = run.candidates.all;
	return run.told * live_estimate_scale(&run.result) / run.truth;
}

/* In the mean it is the truth, by what the means of so many runs differ: 4 of their standard errors */
static void check(double fraction)
{
	double sum = 0, squares = 0, mean, error;

	for (uint32_t seed = 0; seed < RUNS; seed++) {
		const double ratio = ratio_of(seed, fraction);

		sum += ratio;
		squares += ratio * ratio;
	}
	mean = sum / RUNS;
	error = sqrt((squares / RUNS - mean * mean) / RUNS);
	if (!(fabs(mean - 1) <= 4 * error))
		printf("# fraction %g: %.4f, standard error %.4f\n", fraction, mean, error);
	CU_ASSERT(fabs(mean - 1) <= 4 * error);
	CU_ASSERT(error < 0.06);
}

static void seldom(void)
{
	check(0.02);
}

static void often(void)
{
	check(0.1);
	check(0.3);
	check(0.7);
}

static void always(void)
{
	double least = 1, most = 1;

	for (uint32_t seed = 0; seed < RUNS; seed++) {
		const double ratio = ratio_of(seed, 1);

		least = fmin(least, ratio);
		most = fmax(most, ratio);
	}
	CU_ASSERT_DOUBLE_EQUAL(least, 1, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(most, 1, 1e-9);
}

/* Of what none found there may be as much as the experiment tells that stands for most, or one store. */
static void none(void)
{
	static struct live_result result = { .heaviest = 50 };

	CU_ASSERT_EQUAL(live_estimate_each(&result), 50);
	result.experiments = 10;
	result.considered = 20000;
	result.most_represented = 8000;
	CU_ASSERT_EQUAL(live_estimate_each(&result), 8000);
	result.most_represented = 20;
	CU_ASSERT_EQUAL(live_estimate_each(&result), 50);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "shared seldom: the mean of many runs is the truth", seldom },
		{ "shared often, beside lines that are tried seldom: likewise", often },
		{ "always shared: there is no doubt", always },
		{ "what was never found", none },
	};

	return tap_main("candidates", cases, sizeof(cases) / sizeof(cases[0]));
}
