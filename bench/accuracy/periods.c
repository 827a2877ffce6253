/* SPDX-License-Identifier: BSD-3-Clause */
/* See periods.h. */
#include "periods.h"

#include <math.h>

#include <precis/plan.h>

/* IBS counts in steps of 16, and the kernel wants 144 at least (IBS_OP_MAX_CNT and 0x90 in its ibs.c). */
#define IBS_STEP 16u
#define IBS_LEAST 144u
/*
 * The kernel's timers of clocks take longer periods in place of shorter ones
 * (perf_swevent_start_hrtimer()).
 */
#define CLOCK_LEAST 10000u

const char *period_kind_name(enum period_kind kind, const struct bench_event *event)
{
	static const char *const names[PERIOD_KINDS] = {
		[PERIOD_GIVEN] = "given", [PERIOD_OWN] = "own", [PERIOD_NEXT] = "own + 1",
		[PERIOD_PRIME] = "prime", [PERIOD_POWER] = "power of 2",
	};

	if (event->family == EVENT_IBS && kind == PERIOD_OWN)
		return "own, 16 * odd";
	return event->family == EVENT_IBS && kind == PERIOD_NEXT ? "16 * even" : names[kind];
}

static uint64_t nearest_power(uint64_t number)
{
	const double exponent = round(log2((double)number));

	return exponent < 63 ? UINT64_C(1) << (unsigned int)exponent : UINT64_C(1) << 63;
}

static uint64_t prime_behind(uint64_t number)
{
	do
		number++;
	while (!precis_plan_is_prime(number));
	return number;
}

static int has(const struct chosen_period *chosen, uint32_t count, uint64_t period)
{
	for (uint32_t n = 0; n < count; n++) {
		if (chosen[n].period == period)
			return 1;
	}
	return 0;
}

void period_choose(struct chosen_period *chosen, uint32_t *count, struct chosen_period period)
{
	if (!has(chosen, *count, period.period))
		chosen[(*count)++] = period;
}

static void add(struct chosen_period *chosen, uint32_t *count, uint64_t period, enum period_kind kind)
{
	period_choose(chosen, count, (struct chosen_period){ period, kind });
}

uint32_t periods_around(const struct bench_event *event, struct chosen_period chosen[PERIOD_KINDS])
{
	const int is_ibs = event->family == EVENT_IBS;
	const uint64_t next = event->period + (is_ibs ? IBS_STEP : 1);
	uint64_t power = nearest_power(event->period);
	uint32_t count = 0;

	add(chosen, &count, event->period, PERIOD_OWN);
	add(chosen, &count, next, PERIOD_NEXT);
	if (!is_ibs)
		add(chosen, &count, prime_behind(next), PERIOD_PRIME);
	/* where it is one of these already it is no other period */
	while (has(chosen, count, power))
		power *= 2;
	add(chosen, &count, power, PERIOD_POWER);
	return count;
}

const char *period_refused(const struct bench_event *event, uint64_t period)
{
	if (event->family == EVENT_IBS && (period % IBS_STEP || period < IBS_LEAST))
		return "periods of IBS are multiples of 16 from 144 on";
	if (event->quantity == QUANTITY_CPU_TIME && period < CLOCK_LEAST)
		return "the kernel's clocks take 10000 ns in place of less";
	return NULL;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

struct period_step series_step(const struct series *series)
{
	const struct bench_event *event = series->event;
	const enum quantity quantity = event_is_direct(event) ? event->quantity : QUANTITY_OPS;
	const struct kernel *kernel = series->kernel;
	const uint64_t inner = series->count && series->runs[0].inner ? series->runs[0].inner : kernel->inner;
	struct period_step step = { 0 };

	if (!kernel_knows(kernel, quantity) || kernel->turn[quantity] <= 0)
		return step;
	step.turn = (uint64_t)kernel->turn[quantity];
	step.outer = (uint64_t)(kernel_truth(kernel, quantity, 2, inner) -
				kernel_truth(kernel, quantity, 1, inner));
	/*
	 * positions of an outer turn that are visited are equal modulo the first; of a turn modulo the
	 * second
	 */
	step.divisor = common_divisor(common_divisor(series->period, step.outer), step.turn);
	return step;
}
