/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of two samples: figures as they are computed by hand, how often intervals hold the truth, and
 * how often something is found where there is nothing.
 */
#include <math.h>

#include "statistics/quantiles.h"
#include "statistics/two_samples.h"
#include "tests/property/random.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

static uint64_t state = 20261125;

/* By Simpson's rule over the density, in 200000 steps */
static void tails(void)
{
	static const struct {
		double t, degrees, tail;
	} rows[] = {
		{ 2.46, 24.9, 0.0105927336 }, { 1.3, 3.5, 0.1362977079 }, { 0.2, 7.25, 0.4234876440 },
		{ 4, 1.5, 0.0449162635 }, { 3, 150.5, 0.0015803382 }, { 0, 5, 0.5 },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		CU_ASSERT_DOUBLE_EQUAL(student_tail(rows[n].t, rows[n].degrees), rows[n].tail, 2e-10);
		CU_ASSERT_DOUBLE_EQUAL(student_tail(-rows[n].t, rows[n].degrees), 1 - rows[n].tail, 2e-10);
	}
	/* the arc tangent and the normal distribution, at both ends of the degrees */
	CU_ASSERT_DOUBLE_EQUAL(student_tail(12.706, 1), 0.5 - atan(12.706) / M_PI, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(student_tail(1.96, 1e8), erfc(1.96 / M_SQRT2) / 2, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(student_upper(student_tail(2.5, 6.5), 6.5), 2.5, 1e-9);
}

/* Moments and sums by hand, the tail as above */
static void welch(void)
{
	const struct moments before = { 20.82, 7.867428571428574, 15 };
	const struct moments after = { 22.986666666666668, 3.812666666666668, 15 };
	const struct tested found = welch_test(&before, &after, 0);
	const struct tested wider = welch_test(&before, &after, 1);
	const double error = 2.166666666666668 / 2.45535639828601;
	const double reach = student_upper(0.025, 24.98852929023142) * error;

	CU_ASSERT_DOUBLE_EQUAL(found.difference, 2.166666666666668, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(found.p, 0.02137800146, 1e-10);
	CU_ASSERT_DOUBLE_EQUAL(found.interval.low, found.difference - reach, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(found.interval.high, found.difference + reach, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(wider.interval.low, found.interval.low - 1, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(wider.p, 2 * student_tail(1.166666666666668 / error, 24.98852929023142), 1e-9);
	CU_ASSERT_EQUAL(welch_test(&before, &after, 5).p, 1);
}

/* Sums of fractions, exact */
static void fisher(void)
{
	static const struct {
		struct part before, after;
		double p;
	} rows[] = {
		{ { 3, 4 }, { 1, 4 }, 0.485714285714 }, { { 0, 5000 }, { 3, 5000 }, 0.249924992499 },
		{ { 12, 100 }, { 30, 120 }, 0.0215542550431 }, { { 1, 11 }, { 6, 9 }, 0.0247678018576 },
		{ { 500, 1000 }, { 560, 1000 }, 0.00819346102546 },
		{ { 990, 1000 }, { 1000, 1000 }, 0.00190946516534 }, { { 0, 9 }, { 0, 9 }, 1 },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		const struct tested one = shares_test(&rows[n].before, &rows[n].after, 0, 0);
		const struct tested other = shares_test(&rows[n].after, &rows[n].before, 0, 0);

		CU_ASSERT_DOUBLE_EQUAL(one.p, rows[n].p, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(other.p, rows[n].p, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(one.difference, -other.difference, 1e-12);
		CU_ASSERT(one.interval.low < one.difference && one.difference < one.interval.high);
	}
}

/* Counts that no sum may walk through one by one still end, and agree */
static void large_counts(void)
{
	const struct part half = { UINT64_C(1) << 61, UINT64_C(1) << 62 };
	const struct part more = { (UINT64_C(1) << 61) + (UINT64_C(1) << 34), UINT64_C(1) << 62 };
	const struct part rare = { 40, UINT64_C(1) << 62 }, none = { 0, UINT64_C(1) << 62 };

	CU_ASSERT_EQUAL(shares_test(&half, &half, 0, 0).p, 1);
	CU_ASSERT(shares_test(&half, &more, 0, 0).p < 1e-9);
	CU_ASSERT(shares_test(&rare, &none, 0, 0).p < 1e-9);
}

/* A step is never less than the one before it: 0.01, 0.04, 0.03, 0.005 times 3, 1, 2, 4 */
static void holm(void)
{
	double chances[] = { 0.01, 0.04, 0.03, 0.005 }, large[] = { 0.6, 0.7 };

	CU_ASSERT_EQUAL(holm_adjust(chances, 4), 0);
	CU_ASSERT_DOUBLE_EQUAL(chances[0], 0.03, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(chances[1], 0.06, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(chances[2], 0.06, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(chances[3], 0.02, 1e-15);
	CU_ASSERT_EQUAL(holm_adjust(large, 2), 0);
	CU_ASSERT_EQUAL(large[0], 1);
	CU_ASSERT_EQUAL(large[1], 1);
	CU_ASSERT_EQUAL(holm_adjust(large, 0), 0);
}

/* --- how often they hold the truth --- */

static uint32_t seeds(void)
{
	return repetitions(4000, 1000);
}

static struct moments draw_mean(uint32_t count, double mean, double deviation)
{
	double sum = 0, squares = 0;

	for (uint32_t n = 0; n < count; n++) {
		const double value = deviation * random_normal(&state);

		sum += value;
		squares += value * value;
	}
	return (struct moments){ mean + sum / count, (squares - sum * sum / count) / (count - 1), count };
}

/* Welch's test is nearly exact: 5 and 6 in 100 are missed with runs as few and as unequal as these */
static void means_hold(void)
{
	static const struct {
		uint32_t counts[2];
		double means[2], deviations[2];
	} cases[] = {
		{ { 5, 5 }, { 0, 0 }, { 1, 1 } }, { { 5, 20 }, { 3, 4 }, { 1, 3 } },
		{ { 20, 20 }, { -1, 1 }, { 1, 0.1 } }, { { 8, 5 }, { 0, 0 }, { 0.2, 1 } },
	};

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		const double truth = cases[n].means[1] - cases[n].means[0];
		uint32_t missed = 0;

		for (uint32_t run = 0; run < seeds(); run++) {
			struct moments sides[2];
			struct tested found;

			for (uint32_t side = 0; side < 2; side++)
				sides[side] = draw_mean(cases[n].counts[side], cases[n].means[side],
							cases[n].deviations[side]);
			found = welch_test(&sides[0], &sides[1], 0);
			missed += truth < found.interval.low || truth > found.interval.high;
		}
		CU_ASSERT(missed <= seeds() * 6 / 100);
		CU_ASSERT(missed >= seeds() * 3 / 100);
	}
}

/* So many runs of 500 draws, whose share differs from run to run by that deviation */
static struct part draw_parts(uint32_t runs, double share, double deviation, double *statistic,
			      double *degrees)
{
	struct part parts[20], sum = { 0, 0 };

	for (uint32_t n = 0; n < runs; n++) {
		const double of_run = share + deviation * random_normal(&state);

		parts[n] = (struct part){ 0, 500 };
		for (uint32_t draw = 0; draw < 500; draw++)
			parts[n].k += random_uniform(&state) < of_run;
		sum.k += parts[n].k;
		sum.n += parts[n].n;
	}
	parts_spread(parts, runs, statistic, degrees);
	return sum;
}

/*
 * Independent draws, and draws that are alike within runs: without the latter's statistic 4 times as
 * many miss
 */
static void shares_hold(void)
{
	static const struct {
		uint32_t runs[2];
		double shares[2], deviation;
	} cases[] = {
		{ { 5, 5 }, { 0.002, 0.002 }, 0 }, { { 5, 20 }, { 0.1, 0.1 }, 0 },
		{ { 5, 5 }, { 0.5, 0.6 }, 0 }, { { 10, 10 }, { 0.3, 0.3 }, 0.05 },
		{ { 5, 5 }, { 0.2, 0.25 }, 0.04 },
	};

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		const double truth = cases[n].shares[1] - cases[n].shares[0];
		uint32_t missed = 0, found_by_chance = 0;

		for (uint32_t run = 0; run < seeds(); run++) {
			double statistic = 0, degrees = 0;
			struct part sides[2];
			struct tested found;

			for (uint32_t side = 0; side < 2; side++)
				sides[side] = draw_parts(cases[n].runs[side], cases[n].shares[side],
							 cases[n].deviation, &statistic, &degrees);
			found = shares_test(&sides[0], &sides[1], statistic, degrees);
			missed += truth < found.interval.low || truth > found.interval.high;
			found_by_chance += truth == 0 && found.p <= 0.05;
		}
		/* what runs differ by is known by few of them: Student's t is nearly exact, as with means */
		CU_ASSERT(missed <= seeds() * (cases[n].deviation > 0 ? 6 : 5) / 100);
		CU_ASSERT(found_by_chance <= seeds() * 5 / 100);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "tails of Student's t, with degrees that are not whole", tails },
		{ "Welch's test, with room for what is no chance", welch },
		{ "Fisher's exact test, and the difference of two shares", fisher },
		{ "counts as large as there are", large_counts },
		{ "Holm's procedure", holm },
		{ "intervals of differences of means hold the truth", means_hold },
		{ "those of shares do, also if draws of a run are alike", shares_hold },
	};

	return tap_main("two_samples", cases, sizeof(cases) / sizeof(cases[0]));
}
