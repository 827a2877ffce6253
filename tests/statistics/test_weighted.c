/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of samples that weigh differently: their sums, and how often their intervals hold the truth. */
#include <math.h>

#include "statistics/weighted.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define RUNS 1000

static uint64_t state = 20261123;

/* From 0 to below 1 */
static double uniform(void)
{
	return (double)(random_next(&state) >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

/*
 * A time of the program: so many samples, of periods around 'period'. The share of events that are what
 * is asked for is 'rate' times the scenario's, and goes with the period to that power.
 */
struct phase {
	uint32_t samples;
	double period, rate, spread, power;
};

struct scenario {
	const char *name;
	double largest_share; /* that it can have */
	struct phase phases[5];
};

static const struct scenario scenarios[] = {
	{ "periods that vary", 1, { { 200, 1000, 1, 0.5, 0 } } },
	{ "periods that vary much", 1, { { 300, 1000, 1, 1, 0 } } },
	{ "more where periods are long", 0.3, { { 300, 1000, 1, 1, 0.7 } } },
	{ "less where periods are long", 0.3, { { 300, 1000, 1, 1, -0.7 } } },
	{ "a frequency that is being found", 1,
	  { { 20, 1, 1, 0, 0 }, { 20, 10, 1, 0, 0 }, { 20, 100, 1, 0, 0 }, { 20, 1000, 1, 0.2, 0 },
	    { 150, 30000, 1, 0.2, 0 } } },
	{ "few samples of most events", 1, { { 300, 100, 1, 0.1, 0 }, { 40, 10000, 1, 0.1, 0 } } },
	{ "it is in the quiet time", 1, { { 300, 100, 1, 0.1, 0 }, { 100, 3000, 0.1, 0.1, 0 } } },
	{ "it is in the busy time", 0.3, { { 300, 1000, 0.3, 0.1, 0 }, { 60, 10000, 3, 0.1, 0 } } },
	{ "it is in the busy time, of few samples", 0.3,
	  { { 1000, 1000, 0.1, 0.3, 0 }, { 50, 10000, 1, 0, 0 } } },
	{ "many samples", 1, { { 2000, 1000, 1, 0.5, 0 }, { 200, 20000, 1, 0.5, 0 } } },
};

/* What is drawn, and the share that the events have which its samples stand for */
struct drawn {
	struct weighted whole, part;
	double events, so;
};

static void draw_sample(struct drawn *drawn, const struct phase *phase, double share)
{
	double deviation = phase->spread ? phase->spread * normal() : 0;
	double period = phase->period * exp(deviation);
	double rate = share * phase->rate * exp(phase->power * deviation);
	const struct weighted one = weighted_of(1, period < 1 ? 1 : (uint64_t)period);

	rate = rate < 1 ? rate : 1;
	weighted_add(&drawn->whole, &one);
	if (uniform() < rate)
		weighted_add(&drawn->part, &one);
	drawn->events += (double)one.weight;
	drawn->so += rate * (double)one.weight;
}

static struct drawn draw(const struct scenario *scenario, double share)
{
	struct drawn drawn = { .events = 0 };

	for (size_t n = 0; n < 5; n++) {
		for (uint32_t i = 0; i < scenario->phases[n].samples; i++)
			draw_sample(&drawn, &scenario->phases[n], share);
	}
	return drawn;
}

static void check_scenario(const struct scenario *scenario, double share)
{
	uint32_t held = 0, runs = 0;

	while (runs < RUNS) {
		struct drawn drawn = draw(scenario, share);
		struct interval interval;

		if (weighted_effective(&drawn.whole) < WEIGHTED_FEWEST)
			continue;
		interval = weighted_interval(&drawn.part, &drawn.whole);
		held += interval.low <= drawn.so / drawn.events &&
			drawn.so / drawn.events <= interval.high;
		runs++;
	}
	if (held < RUNS * 95 / 100)
		printf("# %s, a share of %g: %u of %u held\n", scenario->name, share, held, runs);
	CU_ASSERT(held >= RUNS * 95 / 100);
}

static void intervals(void)
{
	static const double shares[] = { 0.001, 0.003, 0.01, 0.03, 0.1, 0.3,
					 0.5,	0.7,   0.9,  0.97, 0.99, 0.999 };

	for (size_t n = 0; n < sizeof(scenarios) / sizeof(scenarios[0]); n++) {
		for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
			if (shares[i] <= scenarios[n].largest_share)
				check_scenario(&scenarios[n], shares[i]);
		}
	}
}

static int are_same(const struct weighted *a, const struct weighted *b)
{
	return a->weight == b->weight && a->squares == b->squares && a->samples == b->samples &&
	       a->least == b->least && a->most == b->most;
}

/* Sums are the same in any order, and by parts; what is not known of one sample is not of all. */
static void sums(void)
{
	static const uint64_t weights[] = { 7, 3, UINT64_C(1) << 40, 1, 3, 900000 };
	const size_t count = sizeof(weights) / sizeof(weights[0]);
	struct weighted forward = { 0 }, backward = { 0 }, parts[2] = { { 0 }, { 0 } }, rest;
	struct weighted unknown = weighted_of(2, 0);

	for (size_t n = 0; n < count; n++) {
		const struct weighted one = weighted_of(1, weights[n]);
		const struct weighted other = weighted_of(1, weights[count - 1 - n]);

		weighted_add(&forward, &one);
		weighted_add(&backward, &other);
		weighted_add(&parts[n % 2], &one);
	}
	CU_ASSERT(are_same(&forward, &backward));
	rest = weighted_sum_of(&parts[0], &parts[1]);
	CU_ASSERT(are_same(&forward, &rest));
	CU_ASSERT_EQUAL(forward.samples, count);
	CU_ASSERT_EQUAL(forward.least, 1);
	CU_ASSERT_EQUAL(forward.most, UINT64_C(1) << 40);
	CU_ASSERT(forward.weight == (UINT64_C(1) << 40) + 900014);
	CU_ASSERT(forward.squares == ((weight_sum)1 << 80) + UINT64_C(810000000068));
	rest = weighted_rest(&forward, &parts[0]);
	CU_ASSERT(rest.weight == parts[1].weight && rest.squares == parts[1].squares &&
		  rest.samples == parts[1].samples);
	weighted_add(&forward, &unknown);
	CU_ASSERT(weighted_are_counted(&forward));
	CU_ASSERT_DOUBLE_EQUAL(weighted_share(&parts[0], &forward), 3.0 / 8, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(weighted_effective(&forward), 8, 0);
}

static void check_almost_alike(uint64_t k, uint64_t n)
{
	const struct weighted one = weighted_of(1, 1000000001);
	struct weighted whole = weighted_of(n, 1000000000), part = weighted_of(k, 1000000000);
	struct interval found, expected;

	weighted_add(&whole, &one);
	weighted_add(&part, &one);
	found = weighted_interval(&part, &whole);
	expected = interval_of_share(k + 1, n + 1);
	CU_ASSERT(!weighted_are_counted(&whole));
	CU_ASSERT_DOUBLE_EQUAL(found.low, expected.low, 1e-7);
	CU_ASSERT_DOUBLE_EQUAL(found.high, expected.high, 1e-7);
}

/* Samples of one weight, whatever it is, are so many samples; of almost one, almost. */
static void alike(void)
{
	for (uint64_t n = 1; n < 200; n += 7) {
		for (uint64_t k = 0; k <= n; k += 1 + n / 9) {
			const struct weighted part = weighted_of(k, 100003);
			const struct weighted whole = weighted_of(n, 100003);
			struct interval expected = interval_of_share(k, n);
			struct interval found = weighted_interval(&part, &whole);

			CU_ASSERT(found.low == expected.low && found.high == expected.high);
			CU_ASSERT_DOUBLE_EQUAL(weighted_effective(&whole), (double)n, 0);
			check_almost_alike(k, n);
		}
	}
}

/* All or none of samples that weigh differently; one that outweighs all others */
static void ends(void)
{
	struct weighted whole = weighted_of(50, 10), one = weighted_of(1, 1000000), none = { 0 };
	const struct weighted more = weighted_of(50, 20);
	struct interval interval;

	weighted_add(&whole, &more);
	interval = weighted_interval(&none, &whole);
	CU_ASSERT(interval.low == 0 && interval.high > 0.060 && interval.high < 0.061);
	interval = weighted_interval(&whole, &whole);
	CU_ASSERT(interval.high == 1 && interval.low > 0.939 && interval.low < 0.940);
	weighted_add(&whole, &one);
	CU_ASSERT(weighted_effective(&whole) < 1.01);
	interval = weighted_interval(&one, &whole);
	CU_ASSERT(interval.low < 0.2 && interval.high == 1);
	CU_ASSERT_EQUAL(weighted_share(&none, &none), 0);
}

/*
 * Two kinds of samples, one of them with a share of all and latencies 'ratio' times as long, whose
 * logarithms are normal: the share that it has of their sum
 */
static int misses_sum(uint32_t samples, double share, double spread, double ratio)
{
	const double truth = share * ratio / (share * ratio + 1 - share);
	struct weighted whole = { 0 }, part = { 0 };
	struct interval interval;

	for (uint32_t n = 0; n < samples; n++) {
		const int is_in = uniform() < share;
		const double latency = 1000 * (is_in ? ratio : 1) * exp(spread * normal());
		const struct weighted sample = weighted_of(1, 1 + (uint64_t)latency);

		weighted_add(&whole, &sample);
		if (is_in)
			weighted_add(&part, &sample);
	}
	/* then none is told */
	if (!part.samples || part.samples == samples || weighted_are_counted(&whole) ||
	    weighted_effective(&whole) < WEIGHTED_FEWEST)
		return 0;
	interval = weighted_interval(&part, &whole);
	return truth < interval.low || truth > interval.high;
}

static void shares_of_sums(void)
{
	static const uint32_t samples[] = { 50, 200, 1000 };
	static const double shares[] = { 0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99 };
	static const double spreads[] = { 0.05, 1, 2 }, ratios[] = { 0.2, 5 };

	for (uint32_t n = 0; n < 3 * 8 * 3 * 2; n++) {
		const uint32_t count = samples[n % 3];
		const double share = shares[n / 3 % 8], spread = spreads[n / 24 % 3];
		const double ratio = ratios[n / 72];
		int missed = 0;

		for (uint32_t run = 0; run < RUNS; run++)
			missed += misses_sum(count, share, spread, ratio);
		if (missed > RUNS * 6 / 100)
			printf("# %u samples, %g, spread %g, ratio %g: %d missed\n", count, share, spread,
			       ratio, missed);
		CU_ASSERT(missed <= RUNS * 6 / 100);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "sums", sums },
		{ "samples of one weight are counted", alike },
		{ "all, none, and one that outweighs the others", ends },
		{ "intervals hold the truth in 95 of 100 runs", intervals },
		{ "those of shares of sums hold it in 94, or are not told", shares_of_sums },
	};

	return tap_main("weighted", cases, sizeof(cases) / sizeof(cases[0]));
}
