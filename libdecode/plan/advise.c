/* SPDX-License-Identifier: BSD-3-Clause */
/* How to sample for a budget of time, and for a share that is to be known so well. */
#include <string.h>

#include <precis/error.h>
#include <precis/plan.h>

#include "../sample/abi.h"
#include "setup.h"

/* Of 96 in 100: with that of 95 fewer were as exact as that in simulations, where the number of samples
 * varies, too. */
#define Z_SHARE 2.0537489106318225
#define BUDGET 0.01          /* where nothing is asked for */
#define WAKEUPS_OF_BUDGET 20 /* a 20th of it */
#define PAGE 4096u
#define RING_MOST (UINT64_C(1) << 30)
#define BELOW 10 /* periods down to a 10th less are looked at for one that is in step with no loop */

double precis_plan_samples(double share, double error, double dependence)
{
	double within, root, samples;

	if (!(share > 0 && share < 1 && error > 0 && error < 1 && dependence >= 1 &&
	      dependence <= DBL_MAX))
		return PRECIS_E_ARGUMENT;
	/* with u = 1 / sqrt(n): u^2 / 2 + z s u = share * error */
	within = share * error;
	root = Z_SHARE * root_of(dependence * share * (1 - share));
	root = 2 * within / (root + root_of(root * root + 2 * within));
	samples = 1 / (root * root);
	return samples > 1 ? samples : 1;
}

/* What the wish and the setup come to */
struct asked {
	const struct precis_plan_cost *cost;
	struct precis_plan_setup setup; /* with the period and ring that are looked at */
	struct precis_plan_prediction prediction; /* of these */
	double budget; /* 0: none */
	double needed; /* samples; 0: none */
	double dependence;
	uint64_t unit, least, most, page, ring_most;
	uint32_t ring_bound;
};

static uint64_t ring_for_delay(const struct asked *asked)
{
	const struct precis_plan_setup *setup = &asked->setup;
	const double late = peak_of(setup) / step_of(setup) * setup->reader_delay_ns * 1e-9;
	/* and the one that comes when it is full */
	const double bytes = (late + burst_of(late) + 1) * setup->record_bytes;
	uint64_t ring = asked->page;

	/* up to the watermark, which is half of it, nobody is told */
	while ((double)ring / 2 < bytes && ring < RING_MOST)
		ring *= 2;
	return ring;
}

/* Does it spend more on wakeups than it may? */
static int wakes_too_often(const struct asked *asked, uint64_t ring)
{
	const double rate = asked->setup.rate / step_of(&asked->setup);
	const double wakeups = rate * asked->setup.record_bytes / ((double)ring / 2);
	const double most = (asked->budget > 0 ? asked->budget : BUDGET) / WAKEUPS_OF_BUDGET;

	return asked->cost->knowledge[PRECIS_PLAN_WAKEUP] == PRECIS_PLAN_KNOWN &&
	       wakeups * asked->cost->ns[PRECIS_PLAN_WAKEUP] * 1e-9 > most;
}

static void choose_ring(struct asked *asked)
{
	uint64_t ring = ring_for_delay(asked);

	asked->ring_bound = ring == asked->page ? PRECIS_PLAN_RING_BY_PAGE :
						  PRECIS_PLAN_RING_BY_DELAY;
	while (wakes_too_often(asked, ring) && ring < RING_MOST) {
		ring *= 2;
		asked->ring_bound = PRECIS_PLAN_RING_BY_WAKEUPS;
	}
	if (ring > asked->ring_most) {
		asked->ring_bound = PRECIS_PLAN_RING_BY_LIMIT;
		for (ring = asked->page; ring <= asked->ring_most / 2; ring *= 2)
			;
	}
	asked->setup.ring_bytes = ring;
	asked->setup.watermark_bytes = ring / 2;
	asked->setup.watermark_samples = asked->setup.is_signalled ? 1 : 0;
}

/* What that period costs, at most as far as that is known. 0, or a negative enum precis_error */
static int look_at(struct asked *asked, uint64_t period, double *cost)
{
	const struct precis_plan_estimate *overhead = &asked->prediction.overhead;
	int code;

	asked->setup.period = period;
	choose_ring(asked);
	asked->prediction.size = sizeof(asked->prediction);
	code = precis_plan_predict(asked->cost, &asked->setup, &asked->prediction);
	*cost = is_known(overhead->high) ? overhead->high : overhead->value;
	return code;
}

/* The least period that costs no more than the budget; more than the event's most if there is none */
static int period_in_budget(struct asked *asked, uint64_t *period)
{
	uint64_t low = asked->least, high = asked->most + 1;
	double cost;
	int code = 0;

	while (!code && low < high) {
		const uint64_t middle = low + (high - low) / 2;

		code = look_at(asked, middle, &cost);
		if (cost <= asked->budget)
			high = middle;
		else
			low = middle + 1;
	}
	*period = high;
	return code;
}

/* The least period that the kernel does not throttle */
static uint64_t period_unthrottled(const struct precis_plan_setup *setup)
{
	double period;

	if (setup->interrupts_most <= 0)
		return 0;
	period = peak_of(setup) / (setup->interrupts_most * gathered_of(setup)) + setup->random_start + 1;
	return period < (double)PERIOD_MOST ? (uint64_t)period : PERIOD_MOST;
}

/* Events that come for sure, as far as their rate is known */
static double least_rate(const struct precis_plan_setup *setup)
{
	return most_of(setup->rate - REACH_OF_95 * setup->rate_deviation, 0);
}

/* The longest period that gives the samples; 0: none does */
static uint64_t period_for_samples(const struct asked *asked)
{
	const double cpus = cpus_of(&asked->setup);
	/* each counter may stop just before a sample */
	const double events = least_rate(&asked->setup) * asked->setup.seconds * cpus;
	const double period = events / (asked->needed + cpus) + asked->setup.random_start;

	return period < (double)PERIOD_MOST ? (uint64_t)period : PERIOD_MOST;
}

/* The longest in step with no loop that is no longer, or one that is not much shorter */
static uint64_t at_most(const struct asked *asked, uint64_t period)
{
	const uint64_t shortest = period - period / BELOW;
	uint64_t found = 0;

	/* primes are seldom: from a little below upwards, in ever larger steps down */
	for (uint64_t step = asked->unit; !found && period - shortest > step; step *= 2) {
		const uint64_t candidate = precis_plan_period(period - step, asked->unit);

		if (candidate && candidate <= period)
			found = candidate;
	}
	if (!found)
		found = precis_plan_period(shortest, asked->unit);
	return found && found <= period && found >= asked->least ? found :
								    period / asked->unit * asked->unit;
}

static uint64_t at_least(const struct asked *asked, uint64_t period)
{
	const uint64_t found = precis_plan_period(period, asked->unit);

	return found && found <= asked->most ? found : asked->most / asked->unit * asked->unit;
}

/* The error of the share with so many samples: what precis_plan_samples() is solved for */
static double error_with(const struct precis_plan_wish *wish, double dependence, double samples)
{
	if (wish->share <= 0)
		return NOT_KNOWN;
	return (Z_SHARE * root_of(dependence * wish->share * (1 - wish->share) / samples) +
		0.5 / samples) /
	       wish->share;
}

static int choose_period(struct asked *asked, struct precis_plan_advice *advice)
{
	const uint64_t unthrottled = period_unthrottled(&asked->setup);
	uint64_t least = asked->least, most;
	int code = 0;

	advice->bound = PRECIS_PLAN_BY_EVENT;
	if (unthrottled > least) {
		least = unthrottled;
		advice->bound = PRECIS_PLAN_BY_THROTTLING;
	}
	if (asked->budget > 0) {
		uint64_t period;

		code = period_in_budget(asked, &period);
		if (period > least) {
			least = period;
			advice->bound = PRECIS_PLAN_BY_BUDGET;
		}
	}
	advice->is_feasible = least <= asked->most;
	if (!advice->is_feasible)
		advice->bound = PRECIS_PLAN_BY_EVENT;
	advice->period = at_least(asked, least);
	if (asked->needed > 0) {
		most = period_for_samples(asked);
		most = most > asked->most ? asked->most : most;
		advice->is_feasible &= most >= least && at_most(asked, most) >= least;
		if (advice->is_feasible) {
			advice->period = at_most(asked, most);
			advice->bound = PRECIS_PLAN_BY_PRECISION;
		}
	}
	return code;
}

/* What each of them alone would have to be */
static int set_needs(struct asked *asked, const struct precis_plan_wish *wish,
		     struct precis_plan_advice *advice)
{
	const double cpus = cpus_of(&asked->setup);
	uint64_t most;
	double cost;
	int code = 0;

	advice->budget_needed = advice->seconds_needed = advice->error_reached = NOT_KNOWN;
	if (asked->needed > 0) {
		most = period_for_samples(asked);
		most = at_most(asked, most > asked->most ? asked->most : most);
		if (most >= asked->least) {
			code = look_at(asked, most, &cost);
			advice->budget_needed = cost;
		}
	}
	if (!code)
		code = look_at(asked, advice->period, &cost);
	if (code)
		return code;
	/* no period keeps it: what the longest one costs, each event if the kernel counts it */
	if (asked->needed <= 0 && !advice->is_feasible)
		advice->budget_needed = cost;
	if (asked->needed > 0 && least_rate(&asked->setup) > 0) {
		const double step = step_of(&asked->setup);

		advice->seconds_needed = (asked->needed + cpus) * step / asked->prediction.kept /
					 least_rate(&asked->setup) / cpus;
	}
	advice->error_reached = error_with(wish, asked->dependence,
					   most_of(asked->prediction.samples.low, 1));
	advice->ring_bytes = asked->setup.ring_bytes;
	advice->watermark_bytes = asked->setup.watermark_bytes;
	advice->ring_bound = asked->ring_bound;
	return 0;
}

static int is_refused(const struct precis_plan_wish *wish)
{
	const int is_share = wish->share > 0 || wish->error > 0;

	return !(is_amount(wish->budget) && is_amount(wish->share) && is_amount(wish->error) &&
		 is_amount(wish->samples) && is_amount(wish->dependence)) ||
	       (wish->dependence > 0 && wish->dependence < 1) ||
	       (is_share && precis_plan_samples(wish->share, wish->error, 1) < 0) ||
	       wish->page_bytes > RING_MOST;
}

static void ask(struct asked *asked, const struct precis_plan_wish *wish)
{
	asked->dependence = wish->dependence > 0 ? wish->dependence : 1;
	asked->budget = wish->budget;
	asked->needed = wish->samples;
	if (wish->share > 0)
		asked->needed = most_of(asked->needed,
					precis_plan_samples(wish->share, wish->error, asked->dependence));
	if (asked->budget <= 0 && asked->needed <= 0)
		asked->budget = BUDGET;
	asked->unit = wish->unit ? wish->unit : 1;
	asked->page = wish->page_bytes ? wish->page_bytes : PAGE;
	asked->ring_most = wish->ring_most ? wish->ring_most : RING_MOST;
	asked->most = wish->period_most && wish->period_most < PERIOD_MOST ? wish->period_most :
									    PERIOD_MOST;
	asked->least = wish->period_least ? wish->period_least : 1;
	/* fewer events than a period is shorter by are none */
	if ((double)asked->least <= asked->setup.random_start)
		asked->least = (uint64_t)asked->setup.random_start + 1;
	if (asked->setup.reader_delay_ns <= 0)
		asked->setup.reader_delay_ns = asked->cost->reader_delay_ns > 0 ?
						       asked->cost->reader_delay_ns :
						       PRECIS_PLAN_DELAY_NS;
}

int precis_plan_advise(const struct precis_plan_cost *cost, const struct precis_plan_setup *setup,
		       const struct precis_plan_wish *wish, struct precis_plan_advice *advice)
{
	struct asked asked = { 0 };
	int code;

	ABI_IN(struct precis_plan_cost, cost, precis_plan_advise(&abi, setup, wish, advice));
	ABI_IN(struct precis_plan_setup, setup, precis_plan_advise(cost, &abi, wish, advice));
	ABI_IN(struct precis_plan_wish, wish, precis_plan_advise(cost, setup, &abi, advice));
	ABI_OUT(struct precis_plan_advice, advice, precis_plan_advise(cost, setup, wish, &abi));
	if (is_refused(wish) || !is_amount(setup->random_start) || !is_amount(setup->reader_delay_ns) ||
	    setup->random_start > (double)(PERIOD_MOST / 2))
		return PRECIS_E_ARGUMENT;
	asked.cost = cost;
	asked.setup = *setup;
	ask(&asked, wish);
	memset(advice, 0, sizeof(*advice));
	advice->size = sizeof(*advice);
	advice->samples_needed = asked.needed;
	if (asked.least > asked.most)
		return PRECIS_E_ARGUMENT;
	code = choose_period(&asked, advice);
	return code ? code : set_needs(&asked, wish, advice);
}
