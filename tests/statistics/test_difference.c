/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences of estimates: quantiles as tables have them, and how often intervals hold the truth. */
#include <math.h>

#include "statistics/difference.h"
#include "statistics/quantiles.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define RUNS 1000

static uint64_t state = 20261123;

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.1 and 1.3.6.7.2 */
static void quantiles(void)
{
	static const struct {
		uint32_t degrees;
		double chance, quantile;
	} rows[] = {
		{ 1, 0.025, 12.706 }, { 2, 0.025, 4.303 }, { 3, 0.025, 3.182 }, { 4, 0.05, 2.132 },
		{ 5, 0.001, 5.893 }, { 10, 0.01, 2.764 }, { 15, 0.025, 2.131 },
		{ 30, 0.005, 2.750 }, { 100, 0.025, 1.984 },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		CU_ASSERT_DOUBLE_EQUAL(student_upper(rows[n].chance, rows[n].degrees),
				       rows[n].quantile, 0.00051);
	CU_ASSERT_DOUBLE_EQUAL(normal_upper(0.025), INTERVAL_Z, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(normal_upper(0.001), 3.090, 0.0005);
	CU_ASSERT_DOUBLE_EQUAL(normal_upper(0.1), 1.282, 0.0005);
	CU_ASSERT_DOUBLE_EQUAL(normal_upper(0.5), 0, 1e-9);
	CU_ASSERT(student_upper(1e-6, 1) > 3e5 && student_upper(1e-6, 1) < 3.2e5);
}

static int is_outside(double truth, const struct interval *interval)
{
	return truth < interval->low || truth > interval->high;
}

/* The share of samples, of which each weighs what 'spread' says */
static struct estimate draw_share(uint32_t samples, double share, double spread)
{
	struct weighted whole = { 0 }, part = { 0 };
	struct estimate found;

	for (uint32_t n = 0; n < samples; n++) {
		const struct weighted sample =
			weighted_of(1, 1 + (uint64_t)(10000 * exp(spread * random_normal(&state))));

		weighted_add(&whole, &sample);
		if (random_uniform(&state) < share)
			weighted_add(&part, &sample);
	}
	found.value = weighted_share(&part, &whole);
	found.interval = weighted_interval(&part, &whole);
	return found;
}

static void shares(void)
{
	static const struct {
		uint32_t samples[2];
		double shares[2], spread;
	} cases[] = {
		{ { 100, 100 }, { 0.5, 0.5 }, 0 }, { { 100, 1000 }, { 0.01, 0.01 }, 0 },
		{ { 1000, 1000 }, { 0.9, 0.92 }, 0 }, { { 60, 400 }, { 0.2, 0.6 }, 0.5 },
		{ { 300, 300 }, { 0.02, 0.05 }, 0.7 }, { { 200, 2000 }, { 0.999, 0.99 }, 0.5 },
	};

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		const double truth = cases[n].shares[1] - cases[n].shares[0];
		int missed = 0;

		for (uint32_t run = 0; run < RUNS; run++) {
			const struct estimate before = draw_share(cases[n].samples[0],
								  cases[n].shares[0],
								  cases[n].spread);
			const struct estimate after = draw_share(cases[n].samples[1],
								 cases[n].shares[1],
								 cases[n].spread);
			const struct interval found = difference_of(&before, &after);

			missed += is_outside(truth, &found);
		}
		CU_ASSERT(missed <= RUNS * 5 / 100);
	}
}

/* Events of a program, of which each sample stands for as many as 'spread' leaves it */
static struct weighted draw_total(double expected, double spread)
{
	struct weighted samples = { 0 };
	double time = 0;

	for (;;) {
		struct weighted sample;

		time -= log(random_uniform(&state));
		if (time > expected)
			return samples;
		sample = weighted_of(1, 1 + (uint64_t)(10000 * exp(spread * random_normal(&state))));
		weighted_add(&samples, &sample);
	}
}

static void totals(void)
{
	static const double expected[] = { 3, 30, 1000 }, spreads[] = { 0, 0.5 };

	for (uint32_t n = 0; n < 6; n++) {
		const double spread = spreads[n / 3];
		/* what a sample stands for in the mean; with all alike just that */
		const double mean = n / 3 ? 1 + 10000 * exp(spread * spread / 2) - 0.5 : 10001;
		int missed = 0;

		for (uint32_t run = 0; run < 4 * RUNS; run++) {
			const struct weighted samples = draw_total(expected[n % 3], spread);
			const struct estimate found =
				estimate_of_total(&samples, 10001, 10001, interval_confidence);

			missed += is_outside(expected[n % 3] * mean, &found.interval);
		}
		CU_ASSERT(missed <= 4 * RUNS * 6 / 100);
	}
}

/* Runs that differ by more than sampling says, and runs that do not */
static void runs(void)
{
	static const struct {
		uint32_t count;
		double spread, error;
	} cases[] = { { 2, 5, 1 }, { 3, 5, 0.1 }, { 5, 2, 1 }, { 4, 0, 1 }, { 8, 0.1, 3 } };

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		int missed = 0;

		for (uint32_t run = 0; run < RUNS; run++) {
			struct estimate each[8], found;

			for (uint32_t i = 0; i < cases[n].count; i++) {
				const double half = INTERVAL_Z * cases[n].error;

				each[i].value = 100 + cases[n].spread * random_normal(&state) +
						cases[n].error * random_normal(&state);
				each[i].interval = (struct interval){ each[i].value - half,
								      each[i].value + half };
			}
			found = estimate_of_runs(each, cases[n].count, 0.025);
			missed += is_outside(100, &found.interval);
		}
		CU_ASSERT(missed <= RUNS * 6 / 100);
	}
}

/* An end that is not known leaves none of the difference; a run that has no figure leaves no mean */
static void unknown(void)
{
	const struct estimate known = { 3, { 2, 5 } }, half = { 4, { NAN, 7 } };
	const struct estimate both[] = { known, { NAN, { NAN, NAN } } };
	struct interval found = difference_of(&known, &half);

	CU_ASSERT(isnan(found.low));
	CU_ASSERT_DOUBLE_EQUAL(found.high, 1 + sqrt(9 + 1), 1e-12);
	CU_ASSERT(isnan(estimate_of_runs(both, 2, 0.025).value));
	found = difference_of(&known, &known);
	CU_ASSERT_DOUBLE_EQUAL(found.low, -sqrt(5), 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.high, sqrt(5), 1e-12);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "quantiles as tables have them", quantiles },
		{ "differences of shares are held in 95 of 100 runs", shares },
		{ "totals are held in 94", totals },
		{ "means of runs are held in 94", runs },
		{ "what is not known stays so", unknown },
	};

	return tap_main("difference", cases, sizeof(cases) / sizeof(cases[0]));
}
