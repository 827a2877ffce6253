/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_budget.c
 * @see precis_budget.h
 *
 * What has been spent beyond what is aimed at is a debt, which the time to come pays
 * off: so what was too much at first, before anything was known, is made good. The period follows from
 * what a sample costs and how often the event happens, both as they were lately.
 */
#include "precis_budget.h"

#include <string.h>

#include "precis_clock.h"
#include "precis_kernel_cost.h"
#include "precis_periods.h"

/* How long is looked at before anything is decided, or until the limit's share of it has been spent */
#define INTERVAL_NS 10000000u
#define PERIOD_MOST ((uint64_t)1 << 40)
/* IBS takes multiples of these */
#define PERIOD_STEP 16u
/* What is aimed at, of the limit; and what may be spent, of what is aimed at, to pay off or to use up */
#define AIM 0.92
#define LEAST 0.2
#define MOST 1.3
/* In how much time that is to be done, and of how much at most something can be saved */
#define AHEAD_NS 300e6
#define SAVED_NS 1e9
/* Smaller changes of the period are none */
#define HIGHER 1.04
#define LOWER 0.96
/* How long it takes until what has been is half forgotten */
#define REMEMBERED_NS 200e6

static uint64_t spent(const struct precis_counter *counter)
{
	const struct precis_papi_statistics *statistics = &counter->tally.statistics;

	return statistics->component_ns + statistics->callback_ns +
	       precis_kernel_cost_of(counter, statistics);
}

/* Those that have cost something */
static uint64_t samples_of(const struct precis_counter *counter)
{
	const struct precis_papi_statistics *statistics = &counter->tally.statistics;

	return statistics->samples + statistics->discarded;
}

void precis_budget_start(struct precis_counter *counter)
{
	struct precis_budget *budget = &counter->budget;

	memset(budget, 0, sizeof(*budget));
	budget->since = precis_now();
	if (precis_counter_count(counter, &budget->count))
		budget->count = 0;
}

/* 'events': how many there were; 'in': the time in which there could be any */
static void learn(struct precis_budget *budget, uint64_t elapsed, uint64_t its_ns, uint64_t samples,
		  uint64_t events, uint64_t in)
{
	double left = REMEMBERED_NS / (REMEMBERED_NS + (double)elapsed);

	budget->recent_events = left * budget->recent_events + (double)events;
	budget->recent_time = left * budget->recent_time + (double)in;
	if (!samples) /* of what one costs nothing has been learnt */
		return;
	budget->recent_samples = left * budget->recent_samples + (double)samples;
	budget->recent_ns = left * budget->recent_ns + (double)its_ns;
}

static void settle_up(struct precis_budget *budget, double aim, uint64_t elapsed, uint64_t its_ns)
{
	budget->balance += aim * (double)elapsed - (double)its_ns;
	if (budget->balance > aim * SAVED_NS)
		budget->balance = aim * SAVED_NS;
}

/* What makes samples cost what they may from now on */
static uint64_t wanted(const struct precis_counter *counter, double aim)
{
	const struct precis_budget *budget = &counter->budget;
	double share = aim + budget->balance / AHEAD_NS, period;
	uint64_t whole;

	share = share < LEAST * aim ? LEAST * aim : share > MOST * aim ? MOST * aim : share;
	period = budget->recent_ns / budget->recent_samples * budget->recent_events /
		 budget->recent_time / share;
	whole = period < (double)PERIOD_MOST ? (uint64_t)period : PERIOD_MOST;
	whole += whole % PERIOD_STEP ? PERIOD_STEP - whole % PERIOD_STEP : 0;
	return whole > counter->sampling.period ? whole : counter->sampling.period;
}

/* What took its time from the sampled thread: the helper thread's own does not. */
static uint64_t taken_from(const struct precis_counter *counter, uint64_t its_ns, uint64_t samples)
{
	return precis_counter_is_polled(counter) ? (uint64_t)(counter->kernel_ns * (double)samples) : its_ns;
}

static void change(struct precis_counter *counter, uint64_t after)
{
	uint64_t before = counter->periods.now;

	if ((double)after <= HIGHER * (double)before && (double)after >= LOWER * (double)before)
		return;
	if (precis_period_change(counter, after))
		return;
	counter->tally.statistics.period_changes++;
	if (counter->sampling.period_changed)
		counter->sampling.period_changed(counter->common->event_set, counter->papi_code,
						 before, after, counter->sampling.user);
}

void precis_budget_check(struct precis_counter *counter, uint64_t now)
{
	struct precis_budget *budget = &counter->budget;
	uint64_t elapsed = now - budget->since, its_ns = spent(counter) - budget->spent;
	uint64_t samples = samples_of(counter) - budget->samples, count, taken;
	double aim = AIM * counter->sampling.max_overhead;

	if ((elapsed < INTERVAL_NS && (double)its_ns < aim * INTERVAL_NS) || !elapsed ||
	    !counter->periods.now || precis_counter_count(counter, &count))
		return;
	taken = taken_from(counter, its_ns, samples);
	taken = taken < elapsed / 2 ? taken : elapsed / 2;
	learn(budget, elapsed, its_ns, samples, count - budget->count, elapsed - taken);
	settle_up(budget, aim, elapsed, its_ns);
	budget->since = now;
	budget->spent += its_ns;
	budget->samples += samples;
	budget->count = count;
	if (budget->recent_samples > 0 && budget->recent_events > 0)
		change(counter, wanted(counter, aim));
}
