/* SPDX-License-Identifier: BSD-3-Clause */
/* What sampling costs and gives, from how it is done. */
#include <string.h>

#include <precis/error.h>
#include <precis/plan.h>

#include "../sample/abi.h"
#include "setup.h"

#define NS 1e-9
#define OF_EVENTS (UINT32_C(1) << PRECIS_PLAN_EVENT)

/* A cause that was measured together with others is told from them if it comes by more or less than that */
#define SAME 0.02

/* perf_cpu_time_max_percent of kernel/events/core.c: interrupts that take more than 25% of the time */
#define INTERRUPT_SHARE 0.25

/* On one CPU, for each second that the program runs without sampling */
struct rates {
	double x[PRECIS_PLAN_CAUSES];
	double unthrottled;    /* samples, were there no throttling */
	double wakeup_samples; /* from one to the next */
	double watermark;      /* bytes that wait then */
};

static int is_refused(const struct precis_plan_setup *setup)
{
	return !(is_amount(setup->random_start) && is_amount(setup->rate) &&
		 is_amount(setup->rate_deviation) && is_amount(setup->rate_peak) &&
		 is_amount(setup->seconds) && is_amount(setup->samples_per_interrupt) &&
		 is_amount(setup->interrupts_most) && is_amount(setup->reader_delay_ns) &&
		 is_amount(setup->working_set_bytes) && is_amount(setup->cache_bytes)) ||
	       setup->rate <= 0 || setup->seconds <= 0 || !setup->record_bytes ||
	       !setup->ring_bytes || (double)setup->period <= setup->random_start ||
	       (setup->rate_peak > 0 && setup->rate_peak < setup->rate);
}

/* Of the bytes that are written those for which there is no room in the cache */
static double displaced(const struct precis_plan_setup *setup, double bytes)
{
	const double footprint = (double)setup->ring_bytes + (gathered_of(setup) > 1 ? DEBUG_STORE : 0);
	const double too_much = footprint + setup->working_set_bytes - setup->cache_bytes;

	if (setup->working_set_bytes <= 0 || setup->cache_bytes <= 0 || too_much <= 0)
		return 0;
	return bytes * least_of(1, too_much / footprint) *
	       least_of(1, setup->working_set_bytes / setup->cache_bytes);
}

static struct rates rates_of(const struct precis_plan_setup *setup,
			     struct precis_plan_prediction *prediction)
{
	const double bytes = setup->record_bytes;
	const double peak = peak_of(setup) / setup->rate;
	struct rates rates = { 0 };
	double interrupts;

	rates.unthrottled = setup->rate / step_of(setup);
	interrupts = rates.unthrottled / gathered_of(setup);
	prediction->kept = 1;
	if (setup->interrupts_most > 0) {
		if (interrupts * peak > setup->interrupts_most)
			prediction->limits |= PRECIS_PLAN_THROTTLED;
		prediction->kept = least_of(1, setup->interrupts_most / interrupts);
	}
	rates.watermark = setup->watermark_bytes ? (double)setup->watermark_bytes :
						   (double)setup->ring_bytes / 2;
	rates.wakeup_samples = setup->watermark_samples ? (double)setup->watermark_samples :
							  most_of(1, rates.watermark / bytes);
	rates.wakeup_samples = most_of(rates.wakeup_samples, gathered_of(setup));
	rates.watermark = most_of(bytes, rates.wakeup_samples * bytes);
	rates.x[PRECIS_PLAN_SAMPLE] = rates.unthrottled * prediction->kept;
	rates.x[PRECIS_PLAN_INTERRUPT] = interrupts * prediction->kept;
	/* who has signals waits for nothing; to wake a reader costs most where its CPU is idle */
	rates.x[setup->is_signalled ? PRECIS_PLAN_SIGNAL : PRECIS_PLAN_WAKEUP] =
		rates.x[PRECIS_PLAN_SAMPLE] / rates.wakeup_samples;
	rates.x[PRECIS_PLAN_BYTE] = rates.x[PRECIS_PLAN_SAMPLE] * bytes;
	rates.x[PRECIS_PLAN_DISPLACED] = displaced(setup, rates.x[PRECIS_PLAN_BYTE]);
	rates.x[PRECIS_PLAN_EVENT] = setup->kernel_counts ? setup->rate : 0;
	return rates;
}

/* Parts whose cost is not known, or is in that of others that come more often, or less often */
static void compare(const struct precis_plan_cost *cost, const struct rates *rates,
		    struct precis_plan_prediction *prediction)
{
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		double in_others = 0;

		if (cost->knowledge[cause] == PRECIS_PLAN_KNOWN)
			continue;
		for (uint32_t other = 0; other < PRECIS_PLAN_CAUSES; other++)
			in_others += cost->as[cause][other] * rates->x[other];
		if (cost->knowledge[cause] != PRECIS_PLAN_MERGED)
			in_others = 0;
		if (rates->x[cause] > in_others * (1 + SAME))
			prediction->at_least |= UINT32_C(1) << cause;
		else if (rates->x[cause] < in_others * (1 - SAME))
			prediction->at_most |= UINT32_C(1) << cause;
	}
}

/* NAN if a cause comes whose variance was not told */
static double variance_of(const struct precis_plan_cost *cost, const struct rates *rates)
{
	double sum = 0;

	for (uint32_t i = 0; i < PRECIS_PLAN_CAUSES; i++) {
		for (uint32_t j = 0; j < PRECIS_PLAN_CAUSES; j++) {
			if (rates->x[i] > 0 && rates->x[j] > 0)
				sum += rates->x[i] * cost->covariance[i][j] * rates->x[j];
		}
	}
	return sum * NS * NS;
}

static void set_interval(struct precis_plan_estimate *estimate, double half)
{
	estimate->low = estimate->value - half;
	estimate->high = estimate->value + half;
}

static void set_overhead(const struct precis_plan_cost *cost, const struct precis_plan_setup *setup,
			 const struct rates *rates, struct precis_plan_prediction *prediction)
{
	const double reach = cost->reach > 0 ? cost->reach : REACH_OF_95;
	struct precis_plan_estimate *overhead = &prediction->overhead, *run = &prediction->run;
	double variance = variance_of(cost, rates), of_rate;

	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		if (cost->knowledge[cause] == PRECIS_PLAN_KNOWN)
			prediction->of_cause[cause] = cost->ns[cause] * rates->x[cause] * NS;
		overhead->value += prediction->of_cause[cause];
	}
	of_rate = overhead->value * setup->rate_deviation / setup->rate;
	variance += overhead->value * cost->between * overhead->value * cost->between +
		    of_rate * of_rate;
	set_interval(overhead, reach * root_of(variance));
	run->value = overhead->value;
	set_interval(run, reach * root_of(variance + 2 * cost->noise * cost->noise));
	if (overhead->low < 0)
		overhead->low = 0;
	if (prediction->at_most)
		overhead->low = run->low = NOT_KNOWN;
	if (prediction->at_least)
		overhead->high = run->high = NOT_KNOWN;
}

/* The same for what a longer period saves, of one sample */
static void set_sample(const struct precis_plan_cost *cost, const struct rates *rates,
		       struct precis_plan_prediction *prediction)
{
	const double reach = cost->reach > 0 ? cost->reach : REACH_OF_95;
	const double each = NS * rates->x[PRECIS_PLAN_SAMPLE];
	struct precis_plan_estimate *sample = &prediction->sample_ns;
	struct rates of_samples = *rates;
	double between;

	of_samples.x[PRECIS_PLAN_EVENT] = 0;
	sample->value = prediction->overhead.value - prediction->of_cause[PRECIS_PLAN_EVENT];
	between = sample->value * cost->between;
	set_interval(sample, reach * root_of(variance_of(cost, &of_samples) + between * between));
	if (sample->low < 0)
		sample->low = 0;
	if (prediction->at_most & ~OF_EVENTS)
		sample->low = NOT_KNOWN;
	if (prediction->at_least & ~OF_EVENTS)
		sample->high = NOT_KNOWN;
	*sample = (struct precis_plan_estimate){ sample->value / each, sample->low / each,
						 sample->high / each };
}

/* The kernel measures what its interrupts take, and lets there be fewer. */
static int is_long(const struct precis_plan_setup *setup,
		   const struct precis_plan_prediction *prediction, double samples)
{
	const double in_interrupts = prediction->of_cause[PRECIS_PLAN_SAMPLE] +
				     prediction->of_cause[PRECIS_PLAN_INTERRUPT] +
				     prediction->of_cause[PRECIS_PLAN_BYTE];

	return setup->interrupts_most > 0 && gathered_of(setup) <= 1 &&
	       in_interrupts / samples > INTERRUPT_SHARE / setup->interrupts_most;
}

/*
 * What does not fit while the reader is late. The least is that it never is, the most that it is as late
 * as it can be each time; the value takes all times up to that as equally likely.
 */
static void set_lost(const struct precis_plan_setup *setup, const struct rates *rates,
		     double delay_ns, struct precis_plan_prediction *prediction)
{
	const double peak = peak_of(setup) / setup->rate;
	const double each = rates->x[PRECIS_PLAN_SAMPLE];
	const double late = each * peak * delay_ns * NS; /* samples in the longest delay */
	const double burst = burst_of(late);
	const double room = ((double)setup->ring_bytes - rates->watermark) / setup->record_bytes;
	const double missing = late - most_of(room, 0);
	const double all = prediction->samples.value;

	if (delay_ns <= 0) {
		prediction->lost = (struct precis_plan_estimate){ NOT_KNOWN, 0, NOT_KNOWN };
		return;
	}
	if (late + burst <= room)
		return;
	prediction->limits |= PRECIS_PLAN_SMALL_RING;
	prediction->lost.high = all * most_of(missing, burst) / (rates->wakeup_samples + late);
	if (missing > 0)
		prediction->lost.value = all * missing * missing / (2 * late) /
					 (rates->wakeup_samples + late / 2);
	prediction->lost.high = least_of(prediction->lost.high, all);
}

static void set_counts(const struct precis_plan_setup *setup, const struct rates *rates,
		       struct precis_plan_prediction *prediction)
{
	const double cpus = cpus_of(setup), times = setup->seconds * cpus;
	struct precis_plan_estimate *samples = &prediction->samples, *bytes = &prediction->bytes;

	samples->value = rates->x[PRECIS_PLAN_SAMPLE] * times;
	/* each counter may stop just before a sample; its start is known */
	set_interval(samples, samples->value * REACH_OF_95 * setup->rate_deviation / setup->rate + cpus);
	samples->low = most_of(samples->low, 0);
	bytes->value = samples->value * setup->record_bytes;
	bytes->low = samples->low * setup->record_bytes;
	bytes->high = samples->high * setup->record_bytes;
	prediction->interrupts = rates->x[PRECIS_PLAN_INTERRUPT] * times;
	prediction->wakeups = (rates->x[PRECIS_PLAN_WAKEUP] + rates->x[PRECIS_PLAN_SIGNAL]) * times;
}

int precis_plan_predict(const struct precis_plan_cost *cost, const struct precis_plan_setup *setup,
			struct precis_plan_prediction *prediction)
{
	struct rates rates;
	double delay;

	ABI_IN(struct precis_plan_cost, cost, precis_plan_predict(&abi, setup, prediction));
	ABI_IN(struct precis_plan_setup, setup, precis_plan_predict(cost, &abi, prediction));
	ABI_OUT(struct precis_plan_prediction, prediction, precis_plan_predict(cost, setup, &abi));
	if (is_refused(setup))
		return PRECIS_E_ARGUMENT;
	memset(prediction, 0, sizeof(*prediction));
	prediction->size = sizeof(*prediction);
	rates = rates_of(setup, prediction);
	delay = setup->reader_delay_ns > 0 ? setup->reader_delay_ns : cost->reader_delay_ns;
	compare(cost, &rates, prediction);
	set_overhead(cost, setup, &rates, prediction);
	set_sample(cost, &rates, prediction);
	set_counts(setup, &rates, prediction);
	set_lost(setup, &rates, delay, prediction);
	if (is_long(setup, prediction, rates.x[PRECIS_PLAN_SAMPLE]))
		prediction->limits |= PRECIS_PLAN_LONG_INTERRUPT;
	if (setup->working_set_bytes <= 0 || setup->cache_bytes <= 0)
		prediction->limits |= PRECIS_PLAN_NO_POLLUTION;
	return 0;
}
