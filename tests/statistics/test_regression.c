/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What several things cost, from what they cost together: costs that are put into simulated runs are
 * found within their intervals, and designs that cannot tell them apart are told.
 */
#include <math.h>

#include "statistics/regression.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define SEEDS 400
#define BLOCKS 20
#define ROWS_MOST 2000

enum { SAMPLE, INTERRUPT, WAKEUP, SIGNAL, BYTE, DISPLACED, THINGS };

static struct regression_row rows[ROWS_MOST];
static size_t count;

/* ns for each of them */
static const double costs[THINGS] = { 300, 2200, 900, 3400, 0.25, 0.04 };

/* What a run without sampling takes, in ns, and how its time varies */
#define NATIVE 50e6
#define NOISE 0.003
#define DRIFT 0.002

struct design {
	uint32_t columns;
	int several_interrupts; /* samples of some runs come by the hundred in an interrupt */
	int several_wakeups, several_bytes, several_rings;
	int is_signalled;
};

static const struct design full = { THINGS, 1, 1, 1, 1, 1 };

static void set_counts(double x[THINGS], const struct design *design, uint32_t run)
{
	static const double samples[] = { 200, 500, 1000, 2000, 5000, 10000, 20000 };
	static const double each_wakeup[] = { 1, 64, 400 };
	const uint32_t other = run / 7;

	x[SAMPLE] = samples[run % 7];
	x[INTERRUPT] = design->several_interrupts && other % 2 ? x[SAMPLE] / 300 : x[SAMPLE];
	x[WAKEUP] = x[SAMPLE] / (design->several_wakeups ? each_wakeup[other % 3] : 1);
	x[SIGNAL] = design->is_signalled && other % 5 == 0 ? x[WAKEUP] : 0;
	x[BYTE] = x[SAMPLE] * (design->several_bytes && other % 4 > 1 ? 1600 : 40);
	x[DISPLACED] = design->several_rings && other % 6 > 2 ? x[BYTE] : 0;
}

/* Pairs of runs, one of which was sampled */
static void simulate(uint64_t *state, const struct design *design, uint32_t blocks, double scale)
{
	count = 0;
	for (uint32_t block = 0; block < blocks; block++) {
		const double drift = 1 + DRIFT * random_normal(state);

		for (uint32_t run = 0; run < 7 * 12; run++) {
			struct regression_row *row = &rows[count++];
			double cost = 0;

			memset(row, 0, sizeof(*row));
			set_counts(row->x, design, run);
			for (uint32_t n = 0; n < THINGS; n++)
				cost += scale * costs[n] * row->x[n];
			row->block = block;
			row->y = drift * cost + NATIVE * NOISE * M_SQRT2 * random_normal(state);
			row->weight = 1 / (NATIVE * NATIVE * NOISE * NOISE * 2);
		}
	}
}

static enum regression_refusal fit_now(const struct design *design, struct regression *fit)
{
	return regression_fit(rows, count, design->columns, fit);
}

/* Every cost in its interval, in 95 of 100 of the seeds */
static void injected(void)
{
	uint64_t state = random_seed("regression");
	uint32_t missed[THINGS] = { 0 };

	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct regression fit;

		simulate(&state, &full, BLOCKS, 1);
		CU_ASSERT_EQUAL_FATAL(fit_now(&full, &fit), REGRESSION_FITTED);
		CU_ASSERT_DOUBLE_EQUAL(fit.spread, 1, 0.15);
		for (uint32_t n = 0; n < THINGS; n++) {
			const struct interval found = regression_interval(&fit, n);

			CU_ASSERT_EQUAL(fit.verdict[n], REGRESSION_SEPARATE);
			CU_ASSERT(fit.inflation[n] >= 1 && fit.inflation[n] <= 10);
			missed[n] += costs[n] < found.low || costs[n] > found.high;
			/* it does say something */
			CU_ASSERT(found.high - found.low < 2 * costs[n]);
		}
	}
	for (uint32_t n = 0; n < THINGS; n++) {
		printf("# cost %u: missed %u of %u\n", n, missed[n], SEEDS);
		CU_ASSERT(missed[n] <= SEEDS * 5 / 100);
	}
}

/* What runs that were not seen cost, from those that were */
static void predicted(void)
{
	static const double unseen[][THINGS] = {
		{ 40000, 133, 100, 0, 6.4e6, 0 },
		{ 3000, 3000, 46, 46, 480e3, 480e3 },
		{ 15000, 15000, 15000, 0, 600e3, 0 },
	};
	uint64_t state = random_seed("regression");
	uint32_t missed = 0, of = 0;

	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct regression fit;

		simulate(&state, &full, BLOCKS, 1);
		fit_now(&full, &fit);
		for (uint32_t n = 0; n < sizeof(unseen) / sizeof(unseen[0]); n++, of++) {
			const double drift = 1 + DRIFT * random_normal(&state);
			const double one = NATIVE * NOISE * M_SQRT2;
			double truth = one * random_normal(&state), found = 0;
			double half, x[REGRESSION_COLUMNS] = { 0 };

			for (uint32_t i = 0; i < THINGS; i++) {
				x[i] = unseen[n][i];
				truth += drift * costs[i] * x[i];
				found += fit.coefficient[i] * x[i];
			}
			half = fit.reach * sqrt(regression_variance(&fit, x) +
						fit.spread * fit.spread * one * one);
			missed += fabs(truth - found) > half;
		}
	}
	printf("# missed %u of %u\n", missed, of);
	CU_ASSERT(missed <= of * 5 / 100);
}

/*
 * Programs whose costs differ by 5%, three of which are fitted: what another one costs, with a period that
 * was not measured, is in its interval, and near it.
 */
static void other_programs(void)
{
	static const double unseen[THINGS] = { 8000, 8000, 160, 0, 2.4e6, 0 };
	const double one = NATIVE * NOISE * M_SQRT2;
	uint64_t state = random_seed("regression");
	uint32_t missed = 0, far = 0, by_noise_alone = 0;

	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		const double times[] = { 1 + 0.05 * random_normal(&state), 1 + 0.05 * random_normal(&state),
					 1 + 0.05 * random_normal(&state) };
		const double own = 1 + 0.05 * random_normal(&state);
		double truth = one * random_normal(&state), found = 0, x[REGRESSION_COLUMNS] = { 0 };
		struct regression fit;
		double between, known;

		simulate(&state, &full, BLOCKS, 1);
		for (size_t n = 0; n < count; n++) {
			double cost = 0;

			for (uint32_t i = 0; i < THINGS; i++)
				cost += costs[i] * rows[n].x[i];
			rows[n].group = (uint32_t)(n / 84 + n) % 3; /* in each block another order */
			rows[n].y += (times[rows[n].group] - 1) * cost;
		}
		CU_ASSERT_EQUAL_FATAL(fit_now(&full, &fit), REGRESSION_FITTED);
		between = regression_between(rows, count, 3, &fit);
		for (uint32_t i = 0; i < THINGS; i++) {
			x[i] = unseen[i];
			truth += own * costs[i] * x[i];
			found += fit.coefficient[i] * x[i];
		}
		known = regression_variance(&fit, x) + fit.spread * fit.spread * one * one;
		missed += fabs(truth - found) >
			  fit.reach * sqrt(known + between * between * found * found);
		by_noise_alone += fabs(truth - found) > fit.reach * sqrt(known);
		/* half a point of the time, or 15% of the overhead */
		far += fabs(truth - found) > fmax(0.005 * NATIVE, 0.15 * truth);
	}
	printf("# missed %u, far %u, without what is between programs %u of %u\n", missed, far,
	       by_noise_alone, SEEDS);
	CU_ASSERT(missed <= SEEDS * 10 / 100);
	CU_ASSERT(far <= SEEDS * 5 / 100);
	CU_ASSERT(by_noise_alone > 2 * missed);
}

/* Off against off: the interval holds 0, and that it is noise is told */
static void nothing(void)
{
	uint64_t state = random_seed("regression");
	uint32_t alarms = 0, missed = 0;

	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct regression fit;
		struct interval found;

		simulate(&state, &full, BLOCKS, 0);
		alarms += fit_now(&full, &fit) != REGRESSION_NOISE;
		found = regression_interval(&fit, SAMPLE);
		missed += found.low > 0 || found.high < 0;
	}
	printf("# alarms %u, missed %u of %u\n", alarms, missed, SEEDS);
	CU_ASSERT(alarms <= SEEDS * 5 / 100);
	CU_ASSERT(missed <= SEEDS * 5 / 100);
}

/* One interrupt, one wakeup and as many bytes for each sample: their sum is known, and held */
static void one_for_all(void)
{
	const struct design design = { BYTE + 1, 0, 0, 0, 0, 0 };
	uint64_t state = random_seed("regression");
	const double sum = costs[SAMPLE] + costs[INTERRUPT] + costs[WAKEUP] + 40 * costs[BYTE];
	uint32_t missed = 0;

	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct regression fit;
		struct interval found;

		simulate(&state, &design, BLOCKS, 1);
		CU_ASSERT_EQUAL(fit_now(&design, &fit), REGRESSION_FITTED);
		CU_ASSERT_EQUAL(fit.verdict[SAMPLE], REGRESSION_SEPARATE);
		CU_ASSERT_EQUAL(fit.verdict[INTERRUPT], REGRESSION_MERGED);
		CU_ASSERT_DOUBLE_EQUAL(fit.as[INTERRUPT][SAMPLE], 1, 1e-9);
		CU_ASSERT_EQUAL(fit.verdict[WAKEUP], REGRESSION_MERGED);
		CU_ASSERT_EQUAL(fit.verdict[SIGNAL], REGRESSION_ABSENT);
		CU_ASSERT_EQUAL(fit.coefficient[SIGNAL], 0);
		CU_ASSERT_EQUAL(fit.verdict[BYTE], REGRESSION_MERGED);
		CU_ASSERT_DOUBLE_EQUAL(fit.as[BYTE][SAMPLE], 40, 1e-6);
		found = regression_interval(&fit, SAMPLE);
		missed += sum < found.low || sum > found.high;
	}
	CU_ASSERT(missed <= SEEDS * 5 / 100);
}

/* A column that two others make together is merged into both */
static void of_two(void)
{
	uint64_t state = random_seed("regression");
	struct regression fit;

	simulate(&state, &full, BLOCKS, 1);
	for (size_t n = 0; n < count; n++)
		rows[n].x[DISPLACED] = 160 * rows[n].x[SAMPLE] + 8000 * rows[n].x[WAKEUP];
	CU_ASSERT_EQUAL(fit_now(&full, &fit), REGRESSION_FITTED);
	CU_ASSERT_EQUAL(fit.verdict[BYTE], REGRESSION_SEPARATE);
	CU_ASSERT_EQUAL(fit.verdict[DISPLACED], REGRESSION_MERGED);
	CU_ASSERT_DOUBLE_EQUAL(fit.as[DISPLACED][SAMPLE], 160, 1e-3);
	CU_ASSERT_DOUBLE_EQUAL(fit.as[DISPLACED][WAKEUP], 8000, 1e-3);
	CU_ASSERT_EQUAL(fit.as[DISPLACED][BYTE], 0);
	CU_ASSERT_EQUAL(fit.as[DISPLACED][INTERRUPT], 0);
}

/* Just below and just above what is merged */
static void border(void)
{
	uint64_t state = random_seed("regression");

	for (int is_above = 0; is_above < 2; is_above++) {
		/* of the second column this share of its square is its own */
		const double own = is_above ? 0.09 : 0.11;
		struct regression fit;

		for (count = 0; count < 160; count++) {
			const double sign = count % 2 ? 1 : -1;

			memset(&rows[count], 0, sizeof(rows[count]));
			rows[count].x[0] = 1;
			rows[count].x[1] = 1 + sign * sqrt(own / (1 - own));
			rows[count].y = 5 * rows[count].x[0] + 7 * rows[count].x[1] +
					0.1 * random_normal(&state);
			rows[count].weight = 1;
			rows[count].block = (uint32_t)count / 8;
		}
		CU_ASSERT_EQUAL(regression_fit(rows, count, 2, &fit), REGRESSION_FITTED);
		CU_ASSERT_EQUAL(fit.verdict[1], is_above ? REGRESSION_MERGED : REGRESSION_SEPARATE);
		if (!is_above) {
			CU_ASSERT_DOUBLE_EQUAL(fit.inflation[1], 1 / own, 1e-6);
			CU_ASSERT_DOUBLE_EQUAL(fit.coefficient[0], 5, 0.2);
			CU_ASSERT_DOUBLE_EQUAL(fit.coefficient[1], 7, 0.2);
		}
	}
}

static void refused(void)
{
	uint64_t state = random_seed("regression");
	struct regression fit;

	simulate(&state, &full, REGRESSION_FEWEST_BLOCKS - 1, 1);
	CU_ASSERT_EQUAL(fit_now(&full, &fit), REGRESSION_FEW_BLOCKS);
	simulate(&state, &full, REGRESSION_FEWEST_BLOCKS, 1);
	CU_ASSERT_EQUAL(fit_now(&full, &fit), REGRESSION_FITTED);
	rows[3].x[WAKEUP] = NAN;
	CU_ASSERT_EQUAL(fit_now(&full, &fit), REGRESSION_EMPTY);
	rows[3].x[WAKEUP] = -1;
	CU_ASSERT_EQUAL(fit_now(&full, &fit), REGRESSION_EMPTY);
	rows[3].x[WAKEUP] = 1;
	rows[3].weight = 0;
	CU_ASSERT_EQUAL(fit_now(&full, &fit), REGRESSION_EMPTY);
	for (size_t n = 0; n < count; n++) {
		memset(rows[n].x, 0, sizeof(rows[n].x));
		rows[n].weight = 1;
	}
	CU_ASSERT_EQUAL(fit_now(&full, &fit), REGRESSION_EMPTY);
	/* known of one block alone, of which nothing can be left out */
	rows[0].x[0] = 1;
	CU_ASSERT_EQUAL(fit_now(&full, &fit), REGRESSION_FEW_BLOCKS);
	CU_ASSERT_EQUAL(regression_fit(rows, 0, 2, &fit), REGRESSION_EMPTY);
	CU_ASSERT(isnan(regression_between(rows, count, 1, &fit)));
}

/* y = 2 a + 3 b, whatever the rows weigh */
static void exact(void)
{
	struct regression fit;

	for (count = 0; count < 40; count++) {
		memset(&rows[count], 0, sizeof(rows[count]));
		rows[count].x[0] = (double)(count % 5);
		rows[count].x[1] = 1e6 * (double)(count % 7);
		rows[count].y = 2 * rows[count].x[0] + 3e-6 * rows[count].x[1];
		rows[count].weight = 1 + (double)(count % 3);
		rows[count].block = (uint32_t)count / 4;
	}
	CU_ASSERT_EQUAL(regression_fit(rows, count, 2, &fit), REGRESSION_FITTED);
	CU_ASSERT_DOUBLE_EQUAL(fit.coefficient[0], 2, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(fit.coefficient[1], 3e-6, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(fit.spread, 0, 1e-6);
}

/*
 * What is dear is not as dear each time, and rows with none of it tell what is cheap: they decide, once rows
 * have the weights that are theirs.
 */
static void dear_and_cheap(void)
{
	static const double true_costs[] = { 250, 17000 };
	uint64_t state = random_seed("dear and cheap");
	double before = 0, after = 0, spread = 0;
	uint32_t missed = 0;

	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct regression fit;

		for (count = 0; count < BLOCKS * 24; count++) {
			const double events = 1000.0 * (double)(1 + count % 6);
			struct regression_row *row = &rows[count];

			memset(row, 0, sizeof(*row));
			row->x[0] = events;
			row->x[1] = count % 2 ? events / (double)(1 + count % 5) : 0;
			row->block = (uint32_t)count / 24;
			row->y = true_costs[0] * row->x[0] + NATIVE * NOISE * random_normal(&state) +
				 true_costs[1] * row->x[1] * (1 + 0.2 * random_normal(&state));
			row->weight = 1 / (NATIVE * NATIVE);
		}
		CU_ASSERT_EQUAL_FATAL(regression_fit(rows, count, 2, &fit), REGRESSION_FITTED);
		before += pow(fit.coefficient[0] - true_costs[0], 2);
		regression_reweigh(rows, count, &fit, NOISE * NOISE);
		CU_ASSERT_EQUAL_FATAL(regression_fit(rows, count, 2, &fit), REGRESSION_FITTED);
		after += pow(fit.coefficient[0] - true_costs[0], 2);
		spread += fit.spread / SEEDS;
		for (uint32_t n = 0; n < 2; n++) {
			const struct interval found = regression_interval(&fit, n);

			missed += true_costs[n] < found.low || true_costs[n] > found.high;
		}
	}
	printf("# deviation of what is cheap: %.0f, then %.1f; missed %u of %u\n", sqrt(before / SEEDS),
	       sqrt(after / SEEDS), missed, 2 * SEEDS);
	CU_ASSERT_DOUBLE_EQUAL(spread, NOISE, 0.2 * NOISE);
	CU_ASSERT(sqrt(after) < sqrt(before) / 5);
	CU_ASSERT(missed <= 2 * SEEDS * 5 / 100);

	/* where nothing is known of the noise, and where nothing costs anything, weights stay */
	for (size_t n = 0; n < count; n++)
		rows[n].weight = 3;
	regression_reweigh(rows, count, &(struct regression){ .columns = 2 }, 1);
	CU_ASSERT_EQUAL(rows[0].weight, 3);
	regression_reweigh(rows, count, &(struct regression){ .columns = 2, .coefficient = { 1, 1 } }, 0);
	CU_ASSERT_EQUAL(rows[1].weight, 3);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "costs that were put in are held in 95 of 100 runs", injected },
		{ "so is what other runs cost", predicted },
		{ "and what other programs cost, in 90 of 100", other_programs },
		{ "where nothing costs anything 0 is held, and noise is told", nothing },
		{ "what comes together is merged, and its sum held", one_for_all },
		{ "what two others make is merged into both", of_two },
		{ "where merging begins", border },
		{ "too few blocks, numbers that are none, nothing at all", refused },
		{ "without noise coefficients are exact", exact },
		{ "what is dear does not decide what is cheap", dear_and_cheap },
	};

	return tap_main("regression", cases, sizeof(cases) / sizeof(cases[0]));
}
