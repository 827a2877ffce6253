/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice against what it is for: shares that are sampled so are as exact as was asked for, budgets are
 * kept, and the ring that is advised loses nothing where half of it does.
 */
#include <math.h>
#include <string.h>

#include <precis/error.h>
#include <precis/plan.h>

#include "tests/property/random.h"
#include "tests/support/tap.h"

#define RUNS 1000

static struct precis_plan_cost ibs_cost(void)
{
	struct precis_plan_cost cost = { .size = sizeof(cost), .reach = 2.2, .between = 0.05 };

	cost.knowledge[PRECIS_PLAN_SAMPLE] = PRECIS_PLAN_KNOWN;
	cost.ns[PRECIS_PLAN_SAMPLE] = 2600;
	cost.covariance[PRECIS_PLAN_SAMPLE][PRECIS_PLAN_SAMPLE] = 60 * 60;
	cost.knowledge[PRECIS_PLAN_INTERRUPT] = PRECIS_PLAN_MERGED;
	cost.as[PRECIS_PLAN_INTERRUPT][PRECIS_PLAN_SAMPLE] = 1;
	cost.knowledge[PRECIS_PLAN_WAKEUP] = PRECIS_PLAN_KNOWN;
	cost.ns[PRECIS_PLAN_WAKEUP] = 1500;
	cost.knowledge[PRECIS_PLAN_BYTE] = PRECIS_PLAN_KNOWN;
	cost.ns[PRECIS_PLAN_BYTE] = 0.3;
	return cost;
}

static struct precis_plan_setup ibs_setup(void)
{
	return (struct precis_plan_setup){
		.size = sizeof(struct precis_plan_setup), .cpus = 1, .rate = 2e9, .random_start = 63.5,
		.seconds = 60, .interrupts_most = 100000, .record_bytes = 160, .reader_delay_ns = 20e6,
	};
}

static struct precis_plan_wish ibs_wish(void)
{
	return (struct precis_plan_wish){ .size = sizeof(struct precis_plan_wish), .unit = 16,
					  .period_least = 144, .period_most = 1 << 27 };
}

static struct precis_plan_advice advise(const struct precis_plan_cost *cost,
					const struct precis_plan_setup *setup,
					const struct precis_plan_wish *wish)
{
	struct precis_plan_advice advice = { .size = sizeof(advice) };

	CU_ASSERT_EQUAL_FATAL(precis_plan_advise(cost, setup, wish, &advice), 0);
	return advice;
}

static struct precis_plan_prediction predict(const struct precis_plan_cost *cost,
					     struct precis_plan_setup setup,
					     const struct precis_plan_advice *advice)
{
	struct precis_plan_prediction prediction = { .size = sizeof(prediction) };

	setup.period = advice->period;
	setup.ring_bytes = advice->ring_bytes;
	setup.watermark_bytes = advice->watermark_bytes;
	CU_ASSERT_EQUAL_FATAL(precis_plan_predict(cost, &setup, &prediction), 0);
	return prediction;
}

/* The budget is kept by the interval's upper end, and nothing of it is left that matters. */
static void budgets(void)
{
	const struct precis_plan_cost cost = ibs_cost();
	const struct precis_plan_setup setup = ibs_setup();
	static const double budgets[] = { 0.001, 0.01, 0.05, 0.1 };

	for (size_t n = 0; n < sizeof(budgets) / sizeof(budgets[0]); n++) {
		struct precis_plan_wish wish = ibs_wish();
		struct precis_plan_advice advice;
		struct precis_plan_prediction found;

		wish.budget = budgets[n];
		advice = advise(&cost, &setup, &wish);
		found = predict(&cost, setup, &advice);
		CU_ASSERT(found.overhead.high <= budgets[n]);
		/* the periods near powers are 4% apart */
		CU_ASSERT(found.overhead.high > 0.94 * budgets[n]);
		CU_ASSERT_EQUAL(advice.bound, PRECIS_PLAN_BY_BUDGET);
		CU_ASSERT(advice.is_feasible);
		CU_ASSERT_EQUAL(advice.period % 32, 16);
		CU_ASSERT_EQUAL(advice.samples_needed, 0);
		CU_ASSERT(isnan(advice.seconds_needed) && isnan(advice.budget_needed));
		CU_ASSERT(isnan(advice.error_reached));
	}
}

/* Samples of what has that share, at the period that is advised, from a start at random */
static double sampled(uint64_t *state, double events, const struct precis_plan_advice *advice,
		      double share)
{
	const double period = (double)advice->period - 63.5;
	const uint64_t samples = (uint64_t)(events / period + random_uniform(state));
	uint64_t hits = 0;

	for (uint64_t n = 0; n < samples; n++)
		hits += random_uniform(state) < share;
	return (double)hits / (double)samples;
}

static void shares(void)
{
	static const struct {
		double share, error;
	} cases[] = { { 0.5, 0.1 }, { 0.5, 0.02 }, { 0.1, 0.1 }, { 0.05, 0.2 }, { 0.01, 0.3 },
		      { 0.002, 0.5 } };
	const struct precis_plan_cost cost = ibs_cost();
	uint64_t state = random_seed("plan_advice");

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct precis_plan_setup setup = ibs_setup();
		struct precis_plan_wish wish = ibs_wish();
		struct precis_plan_advice advice;
		uint32_t missed = 0;

		wish.share = cases[n].share;
		wish.error = cases[n].error;
		setup.rate_deviation = 0.02 * setup.rate;
		setup.seconds = 20;
		advice = advise(&cost, &setup, &wish);
		CU_ASSERT_EQUAL(advice.bound, PRECIS_PLAN_BY_PRECISION);
		CU_ASSERT(advice.is_feasible);
		CU_ASSERT_EQUAL(advice.period % 32, 16);
		CU_ASSERT(advice.error_reached <= cases[n].error);
		CU_ASSERT(advice.error_reached > 0.9 * cases[n].error);
		CU_ASSERT(advice.seconds_needed <= setup.seconds);
		for (uint32_t run = 0; run < RUNS; run++) {
			const double rate = setup.rate + setup.rate_deviation * random_normal(&state);
			const double found = sampled(&state, rate * setup.seconds, &advice, cases[n].share);

			missed += fabs(found - cases[n].share) > cases[n].error * cases[n].share;
		}
		printf("# share %g to %g: %.0f samples, missed %u of %u\n", cases[n].share, cases[n].error,
		       advice.samples_needed, missed, RUNS);
		CU_ASSERT(missed <= RUNS * 5 / 100);
		/* it is not that far more samples are taken than it takes */
		CU_ASSERT(missed >= RUNS * 1 / 100);
	}
}

/* n samples have that error */
static void numbers(void)
{
	const double found = precis_plan_samples(0.01, 0.1, 1);

	/* 1.96 gives 38032 */
	CU_ASSERT(found > 38032 * 1.097 && found < 38032 * 1.098 + 1 / (0.01 * 0.1) + 10);
	CU_ASSERT_DOUBLE_EQUAL(2.053749 * sqrt(0.01 * 0.99 / found) + 0.5 / found, 0.001, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(precis_plan_samples(0.01, 0.1, 4) / found, 4, 0.1);
	CU_ASSERT_EQUAL(precis_plan_samples(0, 0.1, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_plan_samples(1, 0.1, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_plan_samples(0.5, 0, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_plan_samples(0.5, NAN, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_plan_samples(0.5, 0.1, 0.5), PRECIS_E_ARGUMENT);
}

/* Budget and precision that do not go together: what would give is told, and gives */
static void what_gives(void)
{
	const struct precis_plan_cost cost = ibs_cost();
	struct precis_plan_setup setup = ibs_setup();
	struct precis_plan_wish wish = ibs_wish(), other;
	struct precis_plan_advice advice;

	setup.seconds = 2;
	wish.share = 0.01;
	wish.error = 0.1;
	wish.budget = 0.01;
	advice = advise(&cost, &setup, &wish);
	CU_ASSERT_FALSE(advice.is_feasible);
	CU_ASSERT_EQUAL(advice.bound, PRECIS_PLAN_BY_BUDGET);
	CU_ASSERT(advice.seconds_needed > 11 && advice.seconds_needed < 15);
	CU_ASSERT(advice.budget_needed > 0.05 && advice.budget_needed < 0.08);
	CU_ASSERT(advice.error_reached > 0.2 && advice.error_reached < 0.3);
	setup.seconds = advice.seconds_needed * 1.1;
	CU_ASSERT(advise(&cost, &setup, &wish).is_feasible);
	setup.seconds = 2;
	other = wish;
	other.budget = advice.budget_needed * 1.05;
	CU_ASSERT(advise(&cost, &setup, &other).is_feasible);
	other = wish;
	other.error = advice.error_reached * 1.05;
	CU_ASSERT(advise(&cost, &setup, &other).is_feasible);
	other.error = advice.error_reached * 0.9;
	CU_ASSERT_FALSE(advise(&cost, &setup, &other).is_feasible);
}

/* A writer of 'rate' records a second, evenly or in bursts, and a reader that is late */
static uint64_t simulate_loss(uint64_t *state, const struct precis_plan_setup *setup, uint64_t ring,
			      uint64_t watermark, int is_bursty)
{
	const double each = ((double)setup->period - setup->random_start) / setup->rate;
	const double delay = setup->reader_delay_ns * 1e-9;
	double now = 0, reads_at = INFINITY;
	uint64_t used = 0, lost = 0, told = 0;

	for (uint32_t n = 0; n < 200000; n++) {
		now += is_bursty ? -log(random_uniform(state)) * each : each;
		if (now >= reads_at) {
			used = told = 0;
			reads_at = INFINITY;
		}
		if (used + setup->record_bytes > ring) {
			lost++;
			continue;
		}
		used += setup->record_bytes;
		if (used - told > watermark) {
			told = used;
			/* one time in four it is as late as it can be */
			if (isinf(reads_at))
				reads_at = now + delay * fmin(1, random_uniform(state) * 4 / 3);
		}
	}
	return lost;
}

/* The ring that is advised loses nothing, and half of it does. */
static void rings(void)
{
	static const double delays[] = { 1e4, 5e6, 20e6, 100e6, 300e6 };
	static const double budgets[] = { 0.003, 0.01, 0.1 };
	struct precis_plan_cost cost = ibs_cost();
	uint64_t state = random_seed("plan_advice");
	uint32_t by_delay = 0, by_wakeups = 0;

	for (size_t n = 0; n < 15; n++) {
		struct precis_plan_setup setup = ibs_setup();
		struct precis_plan_wish wish = ibs_wish();
		struct precis_plan_advice advice;
		struct precis_plan_prediction found;

		setup.reader_delay_ns = delays[n % 5];
		cost.ns[PRECIS_PLAN_WAKEUP] = n % 5 ? 1500 : 20000;
		wish.budget = budgets[n / 5];
		advice = advise(&cost, &setup, &wish);
		setup.period = advice.period;
		for (int is_bursty = 0; is_bursty < 2; is_bursty++)
			CU_ASSERT_EQUAL(simulate_loss(&state, &setup, advice.ring_bytes,
						      advice.watermark_bytes, is_bursty), 0);
		found = predict(&cost, setup, &advice);
		CU_ASSERT_EQUAL(found.lost.high, 0);
		if (advice.ring_bound == PRECIS_PLAN_RING_BY_DELAY) {
			uint64_t lost;

			advice.ring_bytes /= 2;
			advice.watermark_bytes /= 2;
			found = predict(&cost, setup, &advice);
			CU_ASSERT(found.limits & PRECIS_PLAN_SMALL_RING);
			CU_ASSERT(found.lost.high > 0);
			lost = simulate_loss(&state, &setup, advice.ring_bytes,
					     advice.watermark_bytes, 1);
			/* where it is large enough but for bursts these may not have come */
			CU_ASSERT(lost > 0 || found.lost.value == 0);
			CU_ASSERT(lost * found.samples.value / 200000 <= found.lost.high);
			by_delay += lost > 0;
		} else {
			CU_ASSERT_EQUAL(advice.ring_bound, PRECIS_PLAN_RING_BY_WAKEUPS);
			by_wakeups++;
			/* what half of it would spend on wakeups */
			CU_ASSERT(2 * found.of_cause[PRECIS_PLAN_WAKEUP] > wish.budget / 20);
			CU_ASSERT(found.of_cause[PRECIS_PLAN_WAKEUP] <= wish.budget / 20);
		}
	}
	CU_ASSERT(by_delay >= 6);
	CU_ASSERT(by_wakeups >= 2);
}

static void ring_limits(void)
{
	const struct precis_plan_cost cost = ibs_cost();
	struct precis_plan_setup setup = ibs_setup();
	struct precis_plan_wish wish = ibs_wish();
	struct precis_plan_advice advice;

	wish.budget = 0.01;
	wish.ring_most = 20000;
	advice = advise(&cost, &setup, &wish);
	CU_ASSERT_EQUAL(advice.ring_bytes, 16384);
	CU_ASSERT_EQUAL(advice.ring_bound, PRECIS_PLAN_RING_BY_LIMIT);
	wish = ibs_wish();
	wish.page_bytes = 65536;
	setup.reader_delay_ns = 1;
	advice = advise(&cost, &setup, &wish);
	CU_ASSERT_EQUAL(advice.ring_bytes, 65536);
	CU_ASSERT_EQUAL(advice.ring_bound, PRECIS_PLAN_RING_BY_PAGE);
}

/* The kernel's limit, the event's, and none that can be met */
static void bounds(void)
{
	const struct precis_plan_cost cost = ibs_cost();
	struct precis_plan_setup setup = ibs_setup();
	struct precis_plan_wish wish = ibs_wish();
	struct precis_plan_advice advice;

	wish.budget = 10;
	advice = advise(&cost, &setup, &wish);
	CU_ASSERT_EQUAL(advice.bound, PRECIS_PLAN_BY_THROTTLING);
	CU_ASSERT_EQUAL(predict(&cost, setup, &advice).kept, 1);
	setup.interrupts_most = 0;
	advice = advise(&cost, &setup, &wish);
	CU_ASSERT_EQUAL(advice.bound, PRECIS_PLAN_BY_BUDGET);
	wish.period_least = 65536;
	advice = advise(&cost, &setup, &wish);
	CU_ASSERT_EQUAL(advice.bound, PRECIS_PLAN_BY_EVENT);
	CU_ASSERT(advice.period >= 65536 && advice.period < 70000);
	wish = ibs_wish();
	wish.period_most = 20000;
	wish.budget = 0.001;
	advice = advise(&cost, &setup, &wish);
	CU_ASSERT_FALSE(advice.is_feasible);
	CU_ASSERT(advice.period <= 20000);
	/* nothing is asked for: 1% */
	wish = ibs_wish();
	advice = advise(&cost, &setup, &wish);
	CU_ASSERT(fabs(predict(&cost, setup, &advice).overhead.high - 0.0097) < 0.0004);
}

static void refused(void)
{
	const struct precis_plan_cost cost = ibs_cost();
	struct precis_plan_setup setup = ibs_setup();
	struct precis_plan_advice advice = { .size = sizeof(advice) };
	struct precis_plan_wish wish = ibs_wish();

	wish.budget = -1;
	CU_ASSERT_EQUAL(precis_plan_advise(&cost, &setup, &wish, &advice), PRECIS_E_ARGUMENT);
	wish = ibs_wish();
	wish.share = 0.5;
	CU_ASSERT_EQUAL(precis_plan_advise(&cost, &setup, &wish, &advice), PRECIS_E_ARGUMENT);
	wish.error = 1.5;
	CU_ASSERT_EQUAL(precis_plan_advise(&cost, &setup, &wish, &advice), PRECIS_E_ARGUMENT);
	wish = ibs_wish();
	wish.dependence = 0.5;
	CU_ASSERT_EQUAL(precis_plan_advise(&cost, &setup, &wish, &advice), PRECIS_E_ARGUMENT);
	wish = ibs_wish();
	wish.period_most = 100;
	CU_ASSERT_EQUAL(precis_plan_advise(&cost, &setup, &wish, &advice), PRECIS_E_ARGUMENT);
	wish = ibs_wish();
	setup.rate = 0;
	CU_ASSERT_EQUAL(precis_plan_advise(&cost, &setup, &wish, &advice), PRECIS_E_ARGUMENT);
	setup = ibs_setup();
	setup.random_start = NAN;
	CU_ASSERT_EQUAL(precis_plan_advise(&cost, &setup, &wish, &advice), PRECIS_E_ARGUMENT);
}

/* Each event costs more than the budget: no period keeps it, and what it takes at least is said */
static void dear_events(void)
{
	struct precis_plan_cost cost = ibs_cost();
	struct precis_plan_setup setup = ibs_setup();
	struct precis_plan_wish wish = ibs_wish();
	struct precis_plan_advice advice = { .size = sizeof(advice) };

	setup.kernel_counts = 1;
	setup.rate = 10000;
	cost.knowledge[PRECIS_PLAN_EVENT] = PRECIS_PLAN_KNOWN;
	cost.ns[PRECIS_PLAN_EVENT] = 14000; /* 14% of the time */
	wish.budget = 0.01;
	CU_ASSERT_EQUAL_FATAL(precis_plan_advise(&cost, &setup, &wish, &advice), 0);
	CU_ASSERT_EQUAL(advice.is_feasible, 0);
	CU_ASSERT(advice.budget_needed >= 0.14 && advice.budget_needed < 0.17);
	wish.budget = advice.budget_needed * 1.06;
	advice.size = sizeof(advice);
	CU_ASSERT_EQUAL_FATAL(precis_plan_advise(&cost, &setup, &wish, &advice), 0);
	CU_ASSERT_EQUAL(advice.is_feasible, 1);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "budgets are kept, and used", budgets },
		{ "shares are as exact as was asked for in 95 of 100 recordings", shares },
		{ "how many samples it takes", numbers },
		{ "what would give", what_gives },
		{ "the ring loses nothing, half of it does", rings },
		{ "the largest and the least ring", ring_limits },
		{ "what bounds periods", bounds },
		{ "events that cost more than the budget, whatever the period", dear_events },
		{ "what is no wish", refused },
	};

	return tap_main("plan_advice", cases, sizeof(cases) / sizeof(cases[0]));
}
