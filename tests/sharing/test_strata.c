/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages of strata (sharing/strata.h): stores and experiments of which it is known what they say. */
#include <math.h>
#include <string.h>

#include "sharing/strata.h"
#include "statistics/poisson_sum.h"
#include "tests/support/tap.h"

#define THREADS 4u
#define PERIOD 10u

/* What is told of them */
static struct {
	struct strata strata;
	struct live_flow flows[THREADS * WATCH_THREADS_MOST], sent[WATCH_THREADS_MOST], total;
	double of_lines; /* that all lines have, together */
} known;

static uint64_t address_of(uint32_t line)
{
	return 64 * (1 + (uint64_t)line);
}

static void add_line(void *of, uint64_t line, double met, double apart)
{
	(void)line;
	*(double *)of += met + apart;
}

static void estimate(void)
{
	const struct strata_sums sums = { known.flows, known.sent, &known.total, add_line,
					  &known.of_lines };

	strata_estimate(&known.strata, &sums);
	CU_ASSERT_DOUBLE_EQUAL(known.of_lines, known.total.all.sum, 1e-6 * known.of_lines);
}

static void begin_known(void)
{
	memset(&known, 0, sizeof(known));
	CU_ASSERT_EQUAL_FATAL(strata_open(&known.strata), 0);
}

static void store_known(uint32_t line, uint32_t writer, uint32_t samples)
{
	for (uint32_t n = 0; n < samples; n++)
		strata_store(&known.strata, address_of(line), writer, PERIOD, 1);
}

/* So many, of which the first ones find that the reader came */
static void try_known(uint32_t line, uint32_t writer, uint32_t experiments, uint32_t found,
		      uint32_t reader)
{
	static const struct live_amount one = { .met = 1 };

	for (uint32_t n = 0; n < experiments; n++) {
		strata_experiment(&known.strata, address_of(line), writer, PERIOD, 10);
		if (n < found)
			strata_see(&known.strata, reader, &one);
	}
}

/* However many of all experiments were with each */
static void means(void)
{
	begin_known();
	store_known(0, 0, 100);
	store_known(1, 1, 300);
	store_known(2, 2, 600);
	try_known(0, 0, 40, 10, 1);
	try_known(1, 1, 30, 15, 2);
	try_known(2, 2, 10, 0, 0);
	estimate();
	CU_ASSERT_DOUBLE_EQUAL(known.flows[0 * WATCH_THREADS_MOST + 1].all.sum, 25 * PERIOD, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.flows[1 * WATCH_THREADS_MOST + 2].met.sum, 150 * PERIOD, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.sum, 175 * PERIOD, 1e-6);
	CU_ASSERT_EQUAL(known.total.apart.sum, 0);
	/* p (1 - p) N^2 / (n - 1), what n can say, and samples */
	CU_ASSERT_DOUBLE_EQUAL(
		known.sent[0].all.variance / (PERIOD * PERIOD),
		0.25 * 0.75 * 100 * 100 / 39 + 3.0 * 25 * 25 / (40 * 40) + 0.25 * 0.25 * 100, 1e-6);
	/* of the third nothing was found, and each of ten stands for 60 samples */
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.most, 60 * PERIOD, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.sent[1].all.most, 10 * PERIOD, 1e-6);
	strata_close(&known.strata);
}

/* Among experiments of several lines and times */
static void weights(void)
{
	static const struct live_amount both = { 1, 2, 0.5, 0.25, 0.125 };

	begin_known();
	for (uint32_t line = 0; line < 8; line++)
		store_known(line, line % 2, 10);
	/* half of them by a chance of 1 / 16: in these nothing is found */
	for (uint32_t line = 0; line < 4; line++) {
		strata_experiment(&known.strata, address_of(line), line % 2, 16 * PERIOD, 10);
		strata_experiment(&known.strata, address_of(4 + line), line % 2, PERIOD, 10);
		strata_see(&known.strata, 3, &both);
	}
	estimate();
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.sum, 3 * 80 * PERIOD / 17.0, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.total.met.sum, 80 * PERIOD / 17.0, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.unsure, 0.5 * 80 * PERIOD / 17.0, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.total.met.unsure, 0.25 * 80 * PERIOD / 17.0, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.total.apart.unsure, 0.125 * 80 * PERIOD / 17.0, 1e-6);
	for (uint32_t writer = 0; writer < 2; writer++)
		CU_ASSERT_DOUBLE_EQUAL(known.flows[writer * WATCH_THREADS_MOST + 3].all.sum,
				       3 * 40 * PERIOD / 17.0, 1e-6);
	strata_close(&known.strata);
}

static void try_alone(uint32_t from, uint32_t to, uint64_t candidates, int was_found)
{
	static const struct live_amount one = { .met = 1 };

	for (uint32_t n = from; n < to; n++) {
		strata_experiment(&known.strata, address_of(0), 0, PERIOD, candidates);
		if (was_found)
			strata_see(&known.strata, 1, &one);
	}
}

static void late(void)
{
	/* one that was chosen from nearly all of a run's stores says no more than others */
	for (uint32_t huge = 0; huge < 48; huge++) {
		begin_known();
		store_known(0, 0, 1000);
		try_alone(0, huge, 1, 0);
		try_alone(huge, huge + 1, 936, 1);
		try_alone(huge + 1, 64, 1, 0);
		estimate();
		CU_ASSERT(known.total.all.sum < 0.1 * 1000 * PERIOD);
		strata_close(&known.strata);
	}
	/* at one time 1000 stores with a transfer each, and then as many experiments with 10000 without */
	begin_known();
	store_known(0, 0, 11000);
	try_alone(0, 1000, 1, 1);
	try_alone(0, 1000, 10, 0);
	estimate();
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.sum, 1000 * PERIOD, 20 * PERIOD);
	strata_close(&known.strata);
}

/* Where all were found: the exact lower end is that share of which n of n are no surprise */
static void all_found(void)
{
	static const uint32_t made[] = { 5, 10, 30, 100, 1000 };

	for (size_t n = 0; n < sizeof(made) / sizeof(made[0]); n++) {
		const double exact = pow(0.025, 1.0 / made[n]);
		struct interval interval;

		begin_known();
		store_known(0, 0, 100000);
		try_known(0, 0, made[n], made[n], 1);
		estimate();
		CU_ASSERT_DOUBLE_EQUAL(known.total.all.sum, 100000.0 * PERIOD, 1);
		interval = poisson_sum_interval(&known.total.all, interval_confidence);
		CU_ASSERT_DOUBLE_EQUAL(interval.low / known.total.all.sum, exact,
				       0.1 * exact + 0.01);
		CU_ASSERT(interval.high > known.total.all.sum);
		strata_close(&known.strata);
	}
}

/* Those of one line, then of several, where there are too few experiments for each */
static void pooled(void)
{
	begin_known();
	for (uint32_t n = 0; n < THREADS; n++) {
		store_known(0, n, 50);
		try_known(0, n, 3, n ? 0 : 3, 1);
		store_known(10 + n, n, 10);
	}
	store_known(1, 0, 1000);
	try_known(1, 0, 60, 0, 0);
	try_known(10, 0, 1, 1, 2);
	try_known(11, 1, 1, 0, 2);
	estimate();
	/* 3 of 12 of a line's 200 samples; one of two of 40 */
	CU_ASSERT_DOUBLE_EQUAL(known.flows[1].all.sum, 50 * PERIOD, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.flows[2].all.sum, 20 * PERIOD, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.sum, 70 * PERIOD, 1e-6);
	strata_close(&known.strata);
	/* no stores are left without experiments */
	begin_known();
	store_known(0, 0, 90);
	try_known(0, 0, 10, 10, 1);
	store_known(1, 1, 10);
	estimate();
	CU_ASSERT_DOUBLE_EQUAL(known.flows[1].all.sum, 100 * PERIOD, 1e-6);
	strata_close(&known.strata);
}

/* Stores of a thread that may be watched now and then count as often, and else not at all. */
static void unwatched(void)
{
	begin_known();
	for (uint32_t writer = 0; writer < 3; writer++)
		store_known(writer, writer, 100);
	try_known(0, 0, 10, 10, 3);
	try_known(1, 1, 10, 10, 3);
	for (int n = 0; n < 30; n++) {
		strata_unwatched(&known.strata, 1);
		strata_unwatched(&known.strata, 2);
	}
	estimate();
	CU_ASSERT_DOUBLE_EQUAL(known.sent[0].all.sum, 100 * PERIOD, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.sent[1].all.sum, 25 * PERIOD, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.sum, 125 * PERIOD, 1e-6);
	strata_close(&known.strata);
}

/* Lines beyond those that are kept count, too; and so many experiments have room. */
static void many(void)
{
	const double stores = 2.0 * STRATA_MOST * PERIOD;

	begin_known();
	for (uint32_t n = 0; n < 2 * STRATA_MOST; n++)
		store_known(n, 0, 1);
	CU_ASSERT(known.strata.count < STRATA_MOST);
	CU_ASSERT_EQUAL(known.strata.stores, stores);
	for (uint32_t n = 0; strata_has_room(&known.strata); n++)
		try_known(n % 2 ? n : STRATA_MOST + n, 0, 1, 1, 1);
	CU_ASSERT_EQUAL(known.strata.experiment_count, STRATA_EXPERIMENTS_MOST);
	estimate();
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.sum, stores, 1e-6 * stores);
	/* they are forgotten, and what comes is added */
	strata_clear(&known.strata);
	CU_ASSERT(strata_has_room(&known.strata));
	store_known(5, 0, 10);
	try_known(5, 0, 10, 5, 1);
	estimate();
	CU_ASSERT_DOUBLE_EQUAL(known.total.all.sum, stores + 5 * PERIOD, 1e-6 * stores);
	strata_close(&known.strata);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each stratum has its mean, whatever share of experiments it has", means },
		{ "experiments count by the chances of their stores", weights },
		{ "of one that was chosen from many", late },
		{ "all found something: no more sure than so many are", all_found },
		{ "strata with few experiments", pooled },
		{ "threads that may not be watched", unwatched },
		{ "more lines and experiments than are kept", many },
	};

	return tap_main("strata", cases, sizeof(cases) / sizeof(cases[0]));
}
