/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions against what is computed by hand, periods, records, and what has been published. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <precis/error.h>
#include <precis/plan.h>
#include <precis/record.h>

#include "tests/support/tap.h"

/* What a calibration may be: all causes known, apart */
static struct precis_plan_cost all_known(void)
{
	struct precis_plan_cost cost = { .size = sizeof(cost), .reach = 2 };
	static const double ns[] = { 300, 2000, 900, 3400, 0.25, 0.05, 700 };

	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		cost.knowledge[cause] = PRECIS_PLAN_KNOWN;
		cost.ns[cause] = ns[cause];
	}
	return cost;
}

/* 1000 samples a second on each of two CPUs, an interrupt each; 160 bytes of a ring of 16 KiB */
static struct precis_plan_setup usual(void)
{
	return (struct precis_plan_setup){
		.size = sizeof(struct precis_plan_setup), .cpus = 2, .period = 1000000, .rate = 1e9,
		.seconds = 10, .record_bytes = 160, .ring_bytes = 16384, .reader_delay_ns = 1e6,
	};
}

static struct precis_plan_prediction predict(const struct precis_plan_cost *cost,
					     const struct precis_plan_setup *setup)
{
	struct precis_plan_prediction prediction = { .size = sizeof(prediction) };

	CU_ASSERT_EQUAL_FATAL(precis_plan_predict(cost, setup, &prediction), 0);
	return prediction;
}

static void by_hand(void)
{
	const struct precis_plan_cost cost = all_known();
	struct precis_plan_setup setup = usual();
	struct precis_plan_prediction found = predict(&cost, &setup);
	const double wakeups = 1000 / 51.2; /* of half the ring */

	CU_ASSERT_DOUBLE_EQUAL(found.of_cause[PRECIS_PLAN_SAMPLE], 300e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.of_cause[PRECIS_PLAN_INTERRUPT], 2000e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.of_cause[PRECIS_PLAN_WAKEUP], wakeups * 900e-9, 1e-12);
	CU_ASSERT_EQUAL(found.of_cause[PRECIS_PLAN_SIGNAL], 0);
	CU_ASSERT_DOUBLE_EQUAL(found.of_cause[PRECIS_PLAN_BYTE], 40e-6, 1e-12);
	CU_ASSERT_EQUAL(found.of_cause[PRECIS_PLAN_DISPLACED], 0);
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.value, 2340e-6 + wakeups * 900e-9, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.sample_ns.value, 2340 + 900 / 51.2, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(found.samples.value, 20000, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(found.bytes.value, 3.2e6, 1e-3);
	CU_ASSERT_DOUBLE_EQUAL(found.wakeups, 20 * wakeups, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(found.interrupts, 20000, 1e-6);
	CU_ASSERT_EQUAL(found.lost.value, 0);
	CU_ASSERT_EQUAL(found.lost.high, 0);
	CU_ASSERT_EQUAL(found.limits, PRECIS_PLAN_NO_POLLUTION);
	CU_ASSERT_EQUAL(found.at_least | found.at_most, 0);

	setup.is_signalled = 1;
	setup.watermark_samples = 1;
	found = predict(&cost, &setup);
	/* nobody waits to be woken */
	CU_ASSERT_EQUAL(found.of_cause[PRECIS_PLAN_WAKEUP], 0);
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.value, (300 + 2000 + 3400 + 40) * 1e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.wakeups, 20000, 1e-6);

	/* large PEBS: hundreds of records in each interrupt, and no wakeup between */
	setup = usual();
	setup.samples_per_interrupt = 100;
	found = predict(&cost, &setup);
	CU_ASSERT_DOUBLE_EQUAL(found.of_cause[PRECIS_PLAN_INTERRUPT], 20e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.of_cause[PRECIS_PLAN_WAKEUP], 9e-6, 1e-12);

	/* IBS counts from a random number on */
	setup = usual();
	setup.period = 1063;
	setup.random_start = 63;
	setup.rate = 1e6;
	CU_ASSERT_DOUBLE_EQUAL(predict(&cost, &setup).samples.value, 20000, 1e-6);
}

/* The ring is larger than what the program leaves of the cache. */
static void pollution(void)
{
	const struct precis_plan_cost cost = all_known();
	struct precis_plan_setup setup = usual();
	struct precis_plan_prediction found;

	setup.working_set_bytes = 1 << 20;
	setup.cache_bytes = 2 << 20;
	found = predict(&cost, &setup);
	CU_ASSERT_EQUAL(found.of_cause[PRECIS_PLAN_DISPLACED], 0);
	CU_ASSERT_EQUAL(found.limits, 0);
	setup.ring_bytes = 4 << 20;
	found = predict(&cost, &setup);
	/* 3 of 4 MiB have no room; the program uses half the cache */
	CU_ASSERT_DOUBLE_EQUAL(found.of_cause[PRECIS_PLAN_DISPLACED], 160e3 * 0.75 * 0.5 * 0.05e-9,
			       1e-12);
	setup.ring_bytes = 1 << 20;
	CU_ASSERT_EQUAL(predict(&cost, &setup).of_cause[PRECIS_PLAN_DISPLACED], 0);
}

/* Events that the kernel counts cost whatever the period is, and are no part of a sample */
static void counted_events(void)
{
	struct precis_plan_cost cost = all_known();
	struct precis_plan_setup setup = usual();
	struct precis_plan_prediction before = predict(&cost, &setup), found;

	/* of 1e9 a second */
	CU_ASSERT_EQUAL(before.of_cause[PRECIS_PLAN_EVENT], 0);
	cost.ns[PRECIS_PLAN_EVENT] = 0.05;
	cost.covariance[PRECIS_PLAN_EVENT][PRECIS_PLAN_EVENT] = 1e-4;
	setup.kernel_counts = 1;
	found = predict(&cost, &setup);
	CU_ASSERT_DOUBLE_EQUAL(found.of_cause[PRECIS_PLAN_EVENT], 0.05, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.value, before.overhead.value + 0.05, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.sample_ns.value, before.sample_ns.value, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(found.sample_ns.high, before.sample_ns.high, 1e-9);
	/* 0.01 ns is the standard error, twice to each side */
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.high - found.overhead.value, 0.02, 1e-9);
	setup.period *= 10;
	CU_ASSERT_DOUBLE_EQUAL(predict(&cost, &setup).of_cause[PRECIS_PLAN_EVENT], 0.05, 1e-12);
	cost.knowledge[PRECIS_PLAN_EVENT] = PRECIS_PLAN_UNKNOWN;
	found = predict(&cost, &setup);
	CU_ASSERT_EQUAL(found.at_least, 1u << PRECIS_PLAN_EVENT);
	CU_ASSERT(isnan(found.overhead.high));
	CU_ASSERT(!isnan(found.sample_ns.high));
}

static void intervals(void)
{
	struct precis_plan_cost cost = all_known();
	struct precis_plan_setup setup = usual();
	struct precis_plan_prediction found;

	cost.covariance[PRECIS_PLAN_SAMPLE][PRECIS_PLAN_SAMPLE] = 100 * 100;
	cost.covariance[PRECIS_PLAN_INTERRUPT][PRECIS_PLAN_INTERRUPT] = 200 * 200;
	cost.covariance[PRECIS_PLAN_SAMPLE][PRECIS_PLAN_INTERRUPT] =
		cost.covariance[PRECIS_PLAN_INTERRUPT][PRECIS_PLAN_SAMPLE] = -100 * 200 * 0.5;
	found = predict(&cost, &setup);
	/* sqrt(100^2 + 200^2 - 100 * 200) = 173.2 ns of a sample, twice to each side */
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.high - found.overhead.value, 346.41e-6, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.value - found.overhead.low, 346.41e-6, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(found.sample_ns.high - found.sample_ns.value, 346.41, 1e-2);
	CU_ASSERT_DOUBLE_EQUAL(found.run.high, found.overhead.high, 1e-12);
	cost.noise = 0.003;
	found = predict(&cost, &setup);
	CU_ASSERT_DOUBLE_EQUAL(found.run.high - found.run.value,
			       2 * sqrt(173.205e-6 * 173.205e-6 + 2 * 0.003 * 0.003), 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.high - found.overhead.value, 346.41e-6, 1e-8);
	/* what the rate is not known by is in overhead and samples */
	cost = all_known();
	setup.rate_deviation = 1e8;
	found = predict(&cost, &setup);
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.high, found.overhead.value * 1.2, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(found.samples.low, 20000 * (1 - 0.1959964) - 2, 0.01);
	cost.between = 0.3;
	found = predict(&cost, &setup);
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.high, found.overhead.value * (1 + 2 * sqrt(0.1)), 1e-9);
	cost.between = 3;
	CU_ASSERT_EQUAL(predict(&cost, &setup).overhead.low, 0);
	cost.covariance[PRECIS_PLAN_BYTE][PRECIS_PLAN_BYTE] = NAN;
	found = predict(&cost, &setup);
	CU_ASSERT(isnan(found.overhead.low) && isnan(found.overhead.high));
	CU_ASSERT_FALSE(isnan(found.overhead.value));
}

/* What was measured together, and comes in another proportion */
static void merged(void)
{
	struct precis_plan_cost cost = { .size = sizeof(cost) };
	struct precis_plan_setup setup = usual();
	struct precis_plan_prediction found;
	const uint32_t together[] = { PRECIS_PLAN_INTERRUPT, PRECIS_PLAN_WAKEUP, PRECIS_PLAN_BYTE };
	const double as[] = { 1, 1 / 51.2, 160 };

	cost.knowledge[PRECIS_PLAN_SAMPLE] = PRECIS_PLAN_KNOWN;
	cost.ns[PRECIS_PLAN_SAMPLE] = 2500;
	for (uint32_t n = 0; n < 3; n++) {
		cost.knowledge[together[n]] = PRECIS_PLAN_MERGED;
		cost.as[together[n]][PRECIS_PLAN_SAMPLE] = as[n];
	}
	found = predict(&cost, &setup);
	CU_ASSERT_EQUAL(found.at_least | found.at_most, 0);
	CU_ASSERT_DOUBLE_EQUAL(found.overhead.value, 2500e-6, 1e-12);
	CU_ASSERT_FALSE(isnan(found.overhead.high));
	setup.record_bytes = 80; /* and half as many wakeups */
	found = predict(&cost, &setup);
	CU_ASSERT_EQUAL(found.at_most, 1 << PRECIS_PLAN_WAKEUP | 1 << PRECIS_PLAN_BYTE);
	CU_ASSERT_EQUAL(found.at_least, 0);
	CU_ASSERT(isnan(found.overhead.low) && !isnan(found.overhead.high));
	setup = usual();
	setup.record_bytes = 162; /* as good as the same */
	CU_ASSERT_EQUAL(predict(&cost, &setup).at_least, 0);
	setup.record_bytes = 168;
	CU_ASSERT_EQUAL(predict(&cost, &setup).at_least,
			1 << PRECIS_PLAN_WAKEUP | 1 << PRECIS_PLAN_BYTE);
	setup = usual();
	setup.watermark_samples = 1;
	found = predict(&cost, &setup);
	CU_ASSERT_EQUAL(found.at_least, 1 << PRECIS_PLAN_WAKEUP);
	CU_ASSERT_EQUAL(found.at_most, 0);
	CU_ASSERT(!isnan(found.overhead.low) && isnan(found.overhead.high));
	setup.is_signalled = 1;
	/* what a sample costs has a wakeup in it, of which there is none */
	CU_ASSERT_EQUAL(predict(&cost, &setup).at_least, 1 << PRECIS_PLAN_SIGNAL);
	CU_ASSERT_EQUAL(predict(&cost, &setup).at_most, 1 << PRECIS_PLAN_WAKEUP);
	setup.samples_per_interrupt = 100;
	found = predict(&cost, &setup);
	CU_ASSERT(isnan(found.overhead.low) && isnan(found.overhead.high));
}

static void limits(void)
{
	const struct precis_plan_cost cost = all_known();
	struct precis_plan_setup setup = usual();
	struct precis_plan_prediction found;

	setup.interrupts_most = 1000;
	CU_ASSERT_FALSE(predict(&cost, &setup).limits & PRECIS_PLAN_THROTTLED);
	setup.interrupts_most = 250;
	found = predict(&cost, &setup);
	CU_ASSERT(found.limits & PRECIS_PLAN_THROTTLED);
	CU_ASSERT_DOUBLE_EQUAL(found.kept, 0.25, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.samples.value, 5000, 1e-6);
	setup.interrupts_most = 1500;
	setup.rate_peak = 2e9; /* in bursts alone */
	found = predict(&cost, &setup);
	CU_ASSERT(found.limits & PRECIS_PLAN_THROTTLED);
	CU_ASSERT_EQUAL(found.kept, 1);
	/* 2340 ns are below 25% of 1/100000 s; 25% of 1/120000 s are 2083 ns */
	setup = usual();
	setup.interrupts_most = 100000;
	CU_ASSERT_FALSE(predict(&cost, &setup).limits & PRECIS_PLAN_LONG_INTERRUPT);
	setup.interrupts_most = 120000;
	CU_ASSERT(predict(&cost, &setup).limits & PRECIS_PLAN_LONG_INTERRUPT);
}

/* 52 records fit behind the watermark: with bursts, a delay of 20 ms has at most 20 + 18 + 1 samples */
static void losses(void)
{
	const struct precis_plan_cost cost = all_known();
	struct precis_plan_setup setup = usual();
	struct precis_plan_prediction found;

	setup.reader_delay_ns = 20e6;
	CU_ASSERT_EQUAL(predict(&cost, &setup).lost.high, 0);
	setup.reader_delay_ns = 40e6;
	found = predict(&cost, &setup);
	CU_ASSERT(found.limits & PRECIS_PLAN_SMALL_RING);
	CU_ASSERT_EQUAL(found.lost.value, 0);
	CU_ASSERT(found.lost.high > 0);
	setup.reader_delay_ns = 102.4e6; /* twice the room, in which delays up to it lose a quarter */
	found = predict(&cost, &setup);
	CU_ASSERT_DOUBLE_EQUAL(found.lost.value / found.samples.value, 51.2 * 51.2 / 204.8 / 102.4, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(found.lost.high / found.samples.value, 51.2 / 153.6, 1e-6);
	CU_ASSERT_EQUAL(found.lost.low, 0);
	setup.reader_delay_ns = 0; /* nobody knows it */
	found = predict(&cost, &setup);
	CU_ASSERT(isnan(found.lost.value) && isnan(found.lost.high));
}

static void refused(void)
{
	const struct precis_plan_cost cost = all_known();
	struct precis_plan_prediction prediction = { .size = sizeof(prediction) };
	struct precis_plan_setup setup = usual();
	double *members[] = { &setup.rate, &setup.seconds, &setup.rate_deviation, &setup.random_start,
			      &setup.interrupts_most, &setup.working_set_bytes, &setup.reader_delay_ns };
	static const double bad[] = { -1, NAN, INFINITY };

	for (size_t n = 0; n < sizeof(members) / sizeof(members[0]); n++) {
		for (size_t i = 0; i < 3; i++) {
			setup = usual();
			*members[n] = bad[i];
			CU_ASSERT_EQUAL(precis_plan_predict(&cost, &setup, &prediction), PRECIS_E_ARGUMENT);
		}
	}
	setup = usual();
	setup.period = 63;
	setup.random_start = 63;
	CU_ASSERT_EQUAL(precis_plan_predict(&cost, &setup, &prediction), PRECIS_E_ARGUMENT);
	setup = usual();
	setup.record_bytes = 0;
	CU_ASSERT_EQUAL(precis_plan_predict(&cost, &setup, &prediction), PRECIS_E_ARGUMENT);
	setup = usual();
	setup.ring_bytes = 0;
	CU_ASSERT_EQUAL(precis_plan_predict(&cost, &setup, &prediction), PRECIS_E_ARGUMENT);
	setup = usual();
	setup.rate_peak = 0.5e9;
	CU_ASSERT_EQUAL(precis_plan_predict(&cost, &setup, &prediction), PRECIS_E_ARGUMENT);
}

static void primes(void)
{
	static const uint64_t are[] = { 2, 3, 5, 1009, 100003, 104729, UINT64_C(1099511627689) };
	static const uint64_t are_not[] = { 0, 1, 4, 9, 1001, 100112, UINT64_C(1099511627775) };

	for (size_t n = 0; n < sizeof(are) / sizeof(are[0]); n++)
		CU_ASSERT(precis_plan_is_prime(are[n]));
	for (size_t n = 0; n < sizeof(are_not) / sizeof(are_not[0]); n++)
		CU_ASSERT(!precis_plan_is_prime(are_not[n]));
}

static void periods(void)
{
	static const uint64_t least[] = { 0, 1, 2, 10, 64, 1000, 1024, 4096, 65536, 100000, 100112,
					  955000, UINT64_C(1) << 32, UINT64_C(1) << 40 };

	for (size_t n = 0; n < sizeof(least) / sizeof(least[0]); n++) {
		const uint64_t found = precis_plan_period(least[n], 1);
		const uint64_t of_ibs = precis_plan_period(least[n], 16);

		CU_ASSERT(precis_plan_is_prime(found) && found >= least[n]);
		CU_ASSERT(found <= least[n] + least[n] / 20 + 16);
		CU_ASSERT(of_ibs % 16 == 0 && of_ibs % 32 != 0 && of_ibs >= least[n]);
		CU_ASSERT(of_ibs <= least[n] + least[n] / 20 + 512);
	}
	CU_ASSERT_EQUAL(precis_plan_period(104761, 1), 104761);
	CU_ASSERT_EQUAL(precis_plan_period(104752, 16), 104752);
	CU_ASSERT_EQUAL(precis_plan_period(4304, 16), 4304);
	/* a prime that is near a round number would be in step as well */
	CU_ASSERT(precis_plan_period(995000, 1) > 1020000);
	CU_ASSERT(precis_plan_period(500000, 1) > 510000);
	CU_ASSERT(precis_plan_period(196500, 1) > 204000);
	CU_ASSERT(precis_plan_period(1030000, 1) >= 1048576 + 1048576 / 50);
	CU_ASSERT_EQUAL(precis_plan_period(1, 0), 0);
	CU_ASSERT_EQUAL(precis_plan_period((UINT64_C(1) << 40) + 1, 1), 0);
}

static void records(void)
{
	/* perf record -a -e ibs_op// --raw-samples -d -W --phys-data on Zen 4: the recordings of tests */
	const uint64_t ibs = PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID |
			     PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_CPU |
			     PRECIS_SAMPLE_DATA_SRC | PRECIS_SAMPLE_WEIGHT_STRUCT |
			     PRECIS_SAMPLE_PHYS_ADDR | PRECIS_SAMPLE_RAW;

	CU_ASSERT_EQUAL(precis_plan_record_bytes(ibs, 76, 0, 0, 0, 0), 160);
	CU_ASSERT_EQUAL(precis_plan_record_bytes(0, 0, 0, 0, 0, 0), 8);
	CU_ASSERT_EQUAL(precis_plan_record_bytes(PRECIS_SAMPLE_RAW, 9, 0, 0, 0, 0), 8 + 16);
	CU_ASSERT_EQUAL(precis_plan_record_bytes(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_CALLCHAIN, 9, 10, 9, 9, 9),
			8 + 8 + 88);
	CU_ASSERT_EQUAL(precis_plan_record_bytes(PRECIS_SAMPLE_REGS_INTR, 9, 9, 17, 9, 9), 8 + 8 + 136);
	CU_ASSERT_EQUAL(precis_plan_record_bytes(PRECIS_SAMPLE_BRANCH_STACK, 9, 9, 9, 32, 9), 16 + 768);
	CU_ASSERT_EQUAL(precis_plan_record_bytes(PRECIS_SAMPLE_STACK_USER, 9, 9, 9, 9, 8192), 8 + 8208);
	CU_ASSERT_EQUAL(precis_plan_record_bytes(PRECIS_SAMPLE_STACK_USER, 0, 0, 0, 0, UINT32_MAX), 65528);
	CU_ASSERT_EQUAL(precis_plan_large_pebs(192), 333);
	CU_ASSERT_EQUAL(precis_plan_large_pebs(200), 319);
	CU_ASSERT_EQUAL(precis_plan_large_pebs(32), 2040);
	CU_ASSERT_EQUAL(precis_plan_large_pebs(64), 1016);
	CU_ASSERT_EQUAL(precis_plan_large_pebs(208), 307);
	CU_ASSERT_EQUAL(precis_plan_large_pebs(0), 1);
	CU_ASSERT_EQUAL(precis_plan_large_pebs(65536), 1);
	CU_ASSERT_EQUAL(precis_plan_ends_large_pebs(ibs), PRECIS_SAMPLE_RAW);
	CU_ASSERT_EQUAL(precis_plan_ends_large_pebs(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_CALLCHAIN |
						    PRECIS_SAMPLE_DATA_PAGE_SIZE),
			PRECIS_SAMPLE_CALLCHAIN | PRECIS_SAMPLE_DATA_PAGE_SIZE);
}

/* What publications say, in their words: without an interval, and of another machine */
static void published(void)
{
	struct precis_plan_cost cost = { .size = sizeof(cost) };
	struct precis_plan_setup setup = usual();
	struct precis_plan_prediction found;
	uint32_t rows = 0, ibs = 0;

	for (; precis_plan_published(rows, &cost) == 0; rows++) {
		CU_ASSERT_EQUAL(cost.source, PRECIS_PLAN_PUBLISHED);
		CU_ASSERT(cost.ns[PRECIS_PLAN_SAMPLE] > 0);
		CU_ASSERT(isnan(cost.covariance[PRECIS_PLAN_SAMPLE][PRECIS_PLAN_SAMPLE]));
		CU_ASSERT(cost.event[0] && cost.cpu[0] && cost.kernel[0] && cost.made[0] && cost.origin[0]);
		/* the longest of them was not cut */
		CU_ASSERT(strlen(cost.origin) < sizeof(cost.origin) - 1);
		if (strcmp(cost.event, "ibs_op") == 0) {
			ibs++;
			setup.watermark_samples = 1;
			found = predict(&cost, &setup);
			CU_ASSERT_DOUBLE_EQUAL(found.overhead.value, 2910e-6, 1e-12);
			CU_ASSERT(isnan(found.overhead.low) && isnan(found.overhead.high));
			CU_ASSERT_EQUAL(found.at_least, 1 << PRECIS_PLAN_BYTE);
			setup.is_signalled = 1;
			found = predict(&cost, &setup);
			CU_ASSERT_DOUBLE_EQUAL(found.overhead.value, 6550e-6, 1e-12);
			CU_ASSERT_EQUAL(found.at_least, 1 << PRECIS_PLAN_BYTE);
			CU_ASSERT_EQUAL(found.at_most, 0);
		}
	}
	CU_ASSERT_EQUAL(ibs, 1);
	CU_ASSERT(rows >= 6);
	CU_ASSERT_EQUAL(precis_plan_published(rows, &cost), PRECIS_E_ARGUMENT);
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++)
		CU_ASSERT_PTR_NOT_NULL(precis_plan_cause_name(cause));
	CU_ASSERT_PTR_NULL(precis_plan_cause_name(PRECIS_PLAN_CAUSES));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "overheads are what they are by hand", by_hand },
		{ "so is pollution", pollution },
		{ "events that the kernel counts, whatever the period", counted_events },
		{ "and so are intervals", intervals },
		{ "causes that were measured together, in other proportions", merged },
		{ "throttling, and long interrupts", limits },
		{ "losses of small rings", losses },
		{ "what is no setup", refused },
		{ "primes", primes },
		{ "periods are primes, or odd multiples of 16", periods },
		{ "the length of records", records },
		{ "published coefficients", published },
	};

	return tap_main("plan", cases, sizeof(cases) / sizeof(cases[0]));
}
