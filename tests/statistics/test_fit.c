/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of fit: chi-square beside published tables, and how often they are wrong. */
#include <math.h>
#include <string.h>

#include "statistics/fit.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define SEEDS 2000u
#define KINDS 7u

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: critical values */
static void published_values(void)
{
	static const struct {
		double degrees, chance, value;
	} rows[] = {
		{ 1, 0.10, 2.706 }, { 1, 0.05, 3.841 }, { 1, 0.001, 10.828 }, { 2, 0.05, 5.991 },
		{ 5, 0.01, 15.086 }, { 10, 0.05, 18.307 }, { 16, 0.025, 28.845 }, { 50, 0.001, 86.661 },
		{ 100, 0.05, 124.342 }, { 1, 0.95, 0.004 }, { 10, 0.975, 3.247 }, { 100, 0.99, 70.065 },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		CU_ASSERT_DOUBLE_EQUAL(chi_square_upper(rows[n].chance, rows[n].degrees), rows[n].value,
				       0.0006);
		CU_ASSERT_DOUBLE_EQUAL(chi_square_tail(chi_square_upper(rows[n].chance, rows[n].degrees),
						       rows[n].degrees), rows[n].chance, 1e-9);
	}
	CU_ASSERT_EQUAL(chi_square_tail(0, 3), 1);
	/* of two degrees it is exp(-x / 2), on either side of where the methods change */
	for (double x = 0.5; x < 60; x += 0.5)
		CU_ASSERT_DOUBLE_EQUAL(chi_square_tail(x, 2) / exp(-x / 2), 1, 1e-10);
}

static struct fit fit_drawn(uint64_t seed, uint64_t n, double too_many)
{
	struct random random = random_of(seed);
	double shares[KINDS];
	uint64_t counts[KINDS] = { 0 };

	for (size_t kind = 0; kind < KINDS; kind++)
		shares[kind] = 1.0 / KINDS;
	for (uint64_t i = 0; i < n; i++) {
		const int is_biased = (double)random_below(&random, 1000000) < 1e6 * too_many;

		counts[is_biased ? 0 : random_below(&random, KINDS)]++;
	}
	return fit_shares(counts, shares, KINDS);
}

/* p is below any chance as often as that chance says, and the effect is its floor in the mean. */
static void clean(void)
{
	uint32_t below_5 = 0, below_50 = 0;
	double effect = 0, floor = 0;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		const struct fit fit = fit_drawn(seed, 3000, 0);

		CU_ASSERT_EQUAL(fit.degrees, KINDS - 1);
		below_5 += fit.p < 0.05;
		below_50 += fit.p < 0.5;
		effect += fit.effect / SEEDS;
		floor += fit.floor / SEEDS;
	}
	CU_ASSERT_TRUE(below_5 > 70 && below_5 < 130);
	CU_ASSERT_TRUE(below_50 > 920 && below_50 < 1080);
	CU_ASSERT_DOUBLE_EQUAL(effect / floor, 1, 0.03);
}

/* 5 of 100 samples go elsewhere: the effect is 5 of 100 less what would have been there anyhow. */
static void biased(void)
{
	uint32_t seen = 0;

	for (uint64_t seed = 0; seed < 200; seed++) {
		const struct fit fit = fit_drawn(seed, 20000, 0.05);

		seen += fit.p < 1e-6;
		CU_ASSERT_DOUBLE_EQUAL(fit.effect, 0.05 * (KINDS - 1) / KINDS, 0.012);
	}
	CU_ASSERT_EQUAL(seen, 200);
}

/* What has no share is not looked at, and of one kind or of nothing nothing is told. */
static void little(void)
{
	const double one[] = { 0, 1, 0 }, two[] = { 0.5, 0, 0.5 };
	const uint64_t counts[] = { 10, 77, 10 }, none[] = { 0, 5, 0 };
	struct fit fit = fit_shares(counts, one, 3);

	CU_ASSERT_EQUAL(fit.degrees, 0);
	fit = fit_shares(none, two, 3);
	CU_ASSERT_EQUAL(fit.degrees, 0);
	fit = fit_shares(counts, two, 3);
	CU_ASSERT_EQUAL(fit.degrees, 1);
	CU_ASSERT_EQUAL(fit.statistic, 0);
	CU_ASSERT_EQUAL(fit.p, 1);
}

/* n (n + 2) (r1^2 / (n - 1) + r2^2 / (n - 2)), by hand: 100 * 102 * (0.04 / 99 + 0.01 / 98) */
static void ljung_and_box(void)
{
	const double correlations[] = { 0.2, -0.1 };

	CU_ASSERT_DOUBLE_EQUAL(ljung_box(correlations, 2, 100), 5.1620285, 1e-6);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "chi-square's published values", published_values },
		{ "shares that are right", clean },
		{ "shares that are wrong", biased },
		{ "little to be told", little },
		{ "Ljung and Box", ljung_and_box },
	};

	return tap_main("statistics_fit", cases, sizeof(cases) / sizeof(cases[0]));
}
