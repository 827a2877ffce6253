/* SPDX-License-Identifier: BSD-3-Clause */
/* What watching costs, by given figures, and when there is one more experiment. */
#include "sharing/budget.h"

#include "tests/support/tap.h"

#define SECOND UINT64_C(1000000000)

static const struct budget spent = {
	.most = 0.05,
	.begun = 7 * SECOND,
	.hit_ns = 10000,
	.off_ns = 300,
	.armed_ns = 1800,
	.arming_ns = 2000000,
	.hits = 500,
	.off = 20000,
	.armed = 5000,
	.experiments = 22,
};

/* 5 ms of hits, 2 ms of arming, 6 ms and 9 ms of switches */
static void sums(void)
{
	CU_ASSERT_EQUAL(budget_switches_ns(&spent), 15000000);
	CU_ASSERT_EQUAL(budget_watching_ns(&spent), 22000000);
}

/* 22 ms were spent on 22 experiments: the next one is within 5% from 460 ms on */
static void mean_of_experiments(void)
{
	CU_ASSERT(!budget_affords(&spent, 7 * SECOND + 459 * SECOND / 1000, 0));
	CU_ASSERT(budget_affords(&spent, 7 * SECOND + 461 * SECOND / 1000, 0));
	/* samples have spent 10 ms more */
	CU_ASSERT(!budget_affords(&spent, 7 * SECOND + 659 * SECOND / 1000, 10000000));
	CU_ASSERT(budget_affords(&spent, 7 * SECOND + 661 * SECOND / 1000, 10000000));
}

/* Where nothing is known of switches, or there are none, they cost nothing */
static void without_switches(void)
{
	struct budget budget = spent;

	budget.off_ns = budget.armed_ns = 0;
	CU_ASSERT_EQUAL(budget_watching_ns(&budget), 7000000);
	CU_ASSERT(!budget_wants_closed(&budget, UINT64_MAX / 2, 1));
	budget = spent;
	budget.off = budget.armed = 0;
	CU_ASSERT_EQUAL(budget_watching_ns(&budget), 7000000);
}

static void first_experiment(void)
{
	const struct budget budget = {
		.most = 0.05, .begun = SECOND, .hit_ns = 10000, .first_ns = 4000000
	};

	CU_ASSERT(!budget_affords(&budget, SECOND, 0));
	CU_ASSERT(!budget_affords(&budget, SECOND + 79 * SECOND / 1000, 0));
	CU_ASSERT(budget_affords(&budget, SECOND + 81 * SECOND / 1000, 0));
	CU_ASSERT(!budget_affords(&budget, SECOND + 81 * SECOND / 1000, 51000));
}

/* 300 ns each are half of 5% at 83333 a second */
static void dear_while_off(void)
{
	CU_ASSERT(!budget_wants_closed(&spent, 83000, SECOND));
	CU_ASSERT(budget_wants_closed(&spent, 84000, SECOND));
	CU_ASSERT(budget_wants_closed(&spent, 840, SECOND / 100));
	CU_ASSERT(!budget_wants_closed(&spent, 0, SECOND));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what is spent is of hits, of arming and of switches", sums },
		{ "the next experiment costs what the others did", mean_of_experiments },
		{ "switches of which nothing is known cost nothing", without_switches },
		{ "the first experiment is made when what it is taken to cost is within the budget",
		  first_experiment },
		{ "registers that are off are closed where switches are many", dear_while_off },
	};

	return tap_main("budget", cases, sizeof(cases) / sizeof(cases[0]));
}
