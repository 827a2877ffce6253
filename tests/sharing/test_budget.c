/* SPDX-License-Identifier: BSD-3-Clause */
/* What watching costs, by given figures, and when there is one more experiment. */
#include "sharing/budget.h"

#include "tests/support/tap.h"

#define SECOND UINT64_C(1000000000)

static const struct budget spent = {
	.most = 0.05,
	.begun = 7 * SECOND,
	.hit_ns = 10000,
	.closed_ns = 100,
	.off_ns = 300,
	.armed_ns = 1800,
	.arming_ns = 2000000,
	.hits = 500,
	.closed = 30000,
	.off = 20000,
	.armed = 5000,
	.experiments = 16,
	.dearest_ns = 3000000,
};

/* 5 ms of hits, 2 ms of arming, 3 ms, 6 ms and 9 ms of switches */
static void sums(void)
{
	CU_ASSERT_EQUAL(budget_switches_ns(&spent), 18000000);
	CU_ASSERT_EQUAL(budget_watching_ns(&spent), 25000000);
	CU_ASSERT_EQUAL(budget_experiments_ns(&spent), 16000000);
}

/* 25 ms were spent, and the next one costs 2 ms, between 1 and 3: it is within 5% from 540 ms on */
static void next_experiment(void)
{
	CU_ASSERT(!budget_affords(&spent, 7 * SECOND + 539 * SECOND / 1000, 0));
	CU_ASSERT(budget_affords(&spent, 7 * SECOND + 541 * SECOND / 1000, 0));
	/* samples have spent 10 ms more */
	CU_ASSERT(!budget_affords(&spent, 7 * SECOND + 739 * SECOND / 1000, 10000000));
	CU_ASSERT(budget_affords(&spent, 7 * SECOND + 741 * SECOND / 1000, 10000000));
}

/* Of 16 ms 12 had been spent before, or 14 */
static void dearest(void)
{
	struct budget budget = spent;

	budget_made_one(&budget, 14000000);
	CU_ASSERT_EQUAL(budget.dearest_ns, 3000000);
	budget_made_one(&budget, 12000000);
	CU_ASSERT_EQUAL(budget.dearest_ns, 4000000);
}

/* Where nothing is known of switches, or there are none, they cost nothing */
static void without_switches(void)
{
	struct budget budget = spent;

	budget.closed_ns = budget.off_ns = budget.armed_ns = 0;
	CU_ASSERT_EQUAL(budget_watching_ns(&budget), 7000000);
	CU_ASSERT(!budget_wants_closed(&budget, UINT64_MAX / 2, 1));
	budget = spent;
	budget.closed = budget.off = budget.armed = 0;
	CU_ASSERT_EQUAL(budget_watching_ns(&budget), 7000000);
}

static void first_experiment(void)
{
	const struct budget budget = {
		.most = 0.05, .begun = SECOND, .hit_ns = 10000, .first_ns = 4000000, .bare_ns = 1
	};

	CU_ASSERT(!budget_affords(&budget, SECOND, 0));
	CU_ASSERT(!budget_affords(&budget, SECOND + 79 * SECOND / 1000, 0));
	CU_ASSERT(budget_affords(&budget, SECOND + 81 * SECOND / 1000, 0));
	CU_ASSERT(!budget_affords(&budget, SECOND + 81 * SECOND / 1000, 51000));
}

/* 100 ns each would be 2% of 200000 a second, and 3% of 300000 */
static void first_of_many_switches(void)
{
	struct budget budget = {
		.most = 0.05, .begun = SECOND, .closed_ns = 100, .first_ns = 4000000
	};

	CU_ASSERT_EQUAL(budget_spared_share(&budget), 0);
	CU_ASSERT(!budget_affords(&budget, 100 * SECOND, 0));
	budget.bare = 2000;
	budget.bare_ns = SECOND / 100;
	CU_ASSERT_DOUBLE_EQUAL(budget_spared_share(&budget), 0.02, 1e-9);
	CU_ASSERT(!budget_affords(&budget, SECOND + 79 * SECOND / 1000, 0));
	CU_ASSERT(budget_affords(&budget, SECOND + 81 * SECOND / 1000, 0));
	budget.bare = 3000;
	CU_ASSERT_DOUBLE_EQUAL(budget_spared_share(&budget), 0.03, 1e-9);
	CU_ASSERT(!budget_affords(&budget, 100 * SECOND, 0));
	/* threads have had them: it is too late */
	budget.experiments = 1;
	CU_ASSERT(budget_affords(&budget, 100 * SECOND, 0));
	budget.experiments = 0;
	/* what they were before the first one was nobody's cost */
	CU_ASSERT_EQUAL(budget_watching_ns(&budget), 0);
}

/* 200 ns each more than closed ones are half of 5% at 125000 a second */
static void dear_while_off(void)
{
	const struct budget unsure = { .most = 0.05, .closed_ns = 300, .off_ns = 200 };

	CU_ASSERT(!budget_wants_closed(&spent, 124000, SECOND));
	CU_ASSERT(budget_wants_closed(&spent, 126000, SECOND));
	CU_ASSERT(budget_wants_closed(&spent, 1260, SECOND / 100));
	CU_ASSERT(!budget_wants_closed(&spent, 0, SECOND));
	CU_ASSERT(!budget_wants_closed(&unsure, 1000000, SECOND));
}

/* Twice as long each time, up to 10 ms */
static void pauses(void)
{
	CU_ASSERT_EQUAL(budget_pause_ns(0), 1000000);
	CU_ASSERT_EQUAL(budget_pause_ns(1000000), 2000000);
	CU_ASSERT_EQUAL(budget_pause_ns(6000000), 10000000);
	CU_ASSERT_EQUAL(budget_pause_ns(10000000), 10000000);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what is spent is of hits, of arming and of switches", sums },
		{ "the next experiment costs more than the others in the mean", next_experiment },
		{ "the dearest experiment is known", dearest },
		{ "switches of which nothing is known cost nothing", without_switches },
		{ "the first experiment is made when what it is taken to cost is within the budget",
		  first_experiment },
		{ "none is made where it would cost too much from then on",
		  first_of_many_switches },
		{ "registers that are off are closed where switches are many", dear_while_off },
		{ "pauses become longer", pauses },
	};

	return tap_main("budget", cases, sizeof(cases) / sizeof(cases[0]));
}
