/* SPDX-License-Identifier: BSD-3-Clause */
/* Percentiles of latencies, weighed and not: how often their intervals hold the truth. */
#include <math.h>
#include <string.h>

#include "analysis/latencies.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define RUNS 800
#define PHASES 3

static uint64_t state = 20261124;

/* A time of the program: its samples, their period, and cycles whose logarithms are normal */
struct phase {
	uint32_t samples;
	uint64_t period;
	double middle, spread;
};

static const struct scenario {
	const char *name;
	struct phase phases[PHASES];
} scenarios[] = {
	{ "one period", { { 300, 1000, 100, 0.5 } } },
	{ "few samples", { { 40, 1000, 100, 1 } } },
	{ "many periods, one kind of latency", { { 200, 10, 80, 0.7 }, { 200, 500, 80, 0.7 },
						 { 300, 4000, 80, 0.7 } } },
	{ "busy times are slow", { { 400, 100, 20, 0.3 }, { 200, 5000, 300, 0.6 } } },
	{ "busy times are fast", { { 400, 5000, 20, 0.3 }, { 300, 200, 300, 0.6 } } },
	{ "two peaks", { { 300, 1000, 14, 0.02 }, { 300, 1500, 500, 0.02 } } },
};

static uint64_t draw(const struct phase *phase)
{
	return (uint64_t)floor(phase->middle * exp(phase->spread * random_normal(&state)));
}

/* What part of the events has that many cycles at most */
static double share_up_to(const struct scenario *scenario, double cycles)
{
	double events = 0, so = 0;

	for (size_t n = 0; n < PHASES; n++) {
		const struct phase *phase = &scenario->phases[n];
		double all = (double)phase->samples * (double)phase->period;
		double distance = log((cycles + 1) / phase->middle) / phase->spread;

		if (!phase->samples)
			continue;
		events += all;
		so += all * (1 + erf(distance / sqrt(2))) / 2;
	}
	return so / events;
}

static double truth_of(const struct scenario *scenario, double share)
{
	double cycles = 0;

	while (share_up_to(scenario, cycles) < share)
		cycles++;
	return cycles;
}

static void fill(struct latencies *latencies, const struct scenario *scenario)
{
	for (size_t n = 0; n < PHASES; n++) {
		const struct phase *phase = &scenario->phases[n];
		const struct weighted samples = weighted_of(phase->samples, phase->period);

		for (uint32_t i = 0; i < phase->samples; i++)
			CU_ASSERT_EQUAL_FATAL(latencies_add_weighed(latencies, draw(phase),
								    phase->period), 0);
		latencies_weigh(latencies, &samples);
	}
}

enum { COLUMN_MEDIAN = 2, COLUMN_ENDS = 6, PERCENTILE_COUNT = 3 };

static const double shares[PERCENTILE_COUNT] = { 0.5, 0.95, 0.99 };

static void tell(struct document *document, const struct latencies *latencies)
{
	static const struct column columns[] = { LATENCY_COLUMNS };

	table_begin(document, "latencies", "", "", columns, sizeof(columns) / sizeof(columns[0]));
	row_begin(document, "all");
	cells_latencies(document, latencies);
}

static int holds(const struct cell *cells, uint32_t percentile, double truth)
{
	const struct cell *low = &cells[COLUMN_ENDS + 2 * percentile], *high = low + 1;

	return (low->kind == CELL_ABSENT || (double)low->count <= truth) &&
	       (high->kind == CELL_ABSENT || (double)high->count >= truth);
}

static void check_scenario(const struct scenario *scenario)
{
	uint32_t held[PERCENTILE_COUNT] = { 0 };
	double truth[PERCENTILE_COUNT];

	for (uint32_t n = 0; n < PERCENTILE_COUNT; n++)
		truth[n] = truth_of(scenario, shares[n]);
	for (uint32_t run = 0; run < RUNS; run++) {
		struct latencies latencies = { .base = 0 };
		struct document document = { .count = 0 };

		fill(&latencies, scenario);
		tell(&document, &latencies);
		for (uint32_t n = 0; n < PERCENTILE_COUNT; n++)
			held[n] += (uint32_t)holds(document.tables[0].rows[0].cells, n, truth[n]);
		document_free(&document);
		latencies_free(&latencies);
	}
	for (uint32_t n = 0; n < PERCENTILE_COUNT; n++) {
		if (held[n] < RUNS * 95 / 100)
			printf("# %s, %g: %u of %u held\n", scenario->name, shares[n], held[n], RUNS);
		CU_ASSERT(held[n] >= RUNS * 95 / 100);
	}
}

static void intervals(void)
{
	for (size_t n = 0; n < sizeof(scenarios) / sizeof(scenarios[0]); n++)
		check_scenario(&scenarios[n]);
}

static double chance_of(uint32_t k, uint32_t n, double share)
{
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(share) +
		   (n - k) * log(1 - share));
}

/*
 * Of n samples of a population, how many are below its percentile is binomial. The interval from
 * the low-th to the high-th smallest holds it where at least low and fewer than high are: no
 * simulation is needed.
 */
static double chance_to_hold(const struct cell *cells, uint32_t n, double share)
{
	const uint32_t low = cells[0].kind == CELL_ABSENT ? 0 : (uint32_t)cells[0].count;
	const uint32_t high = cells[1].kind == CELL_ABSENT ? n + 1 : (uint32_t)cells[1].count;
	double chance = 0;

	for (uint32_t k = low; k < high; k++)
		chance += chance_of(k, n, share);
	return chance;
}

static void any_number_of_samples(void)
{
	for (uint32_t n = 1; n <= 300; n++) {
		const struct weighted samples = weighted_of(n, 1000);
		struct latencies latencies = { .base = 1000 };
		struct document document = { .count = 0 };

		for (uint32_t value = 1; value <= n; value++)
			CU_ASSERT_EQUAL_FATAL(latencies_add(&latencies, value), 0);
		latencies_weigh(&latencies, &samples);
		tell(&document, &latencies);
		for (uint32_t i = 0; i < PERCENTILE_COUNT; i++) {
			const struct cell *ends =
				&document.tables[0].rows[0].cells[COLUMN_ENDS + 2 * i];

			CU_ASSERT(chance_to_hold(ends, n, shares[i]) >= 0.95 - 1e-9);
		}
		document_free(&document);
		latencies_free(&latencies);
	}
}

/* Numbers by themselves, weighed alike, and weighed apart: in one or in parts that are added up */
static void parts(void)
{
	static const uint64_t weights[] = { 7, 7, 1000 };
	struct latencies whole = { .base = 0 }, sum = { .base = 0 };
	struct document found = { .count = 0 }, expected = { .count = 0 };

	for (size_t n = 0; n < 3; n++) {
		struct latencies part = { .base = weights[n] };
		const struct weighted samples = weighted_of(500, weights[n]);

		for (uint32_t i = 0; i < 500; i++) {
			uint64_t value = random_next(&state) % (n ? 100000 : 300);

			CU_ASSERT_EQUAL(n == 2 ? latencies_add_weighed(&part, value, weights[n]) :
						 latencies_add(&part, value), 0);
			CU_ASSERT_EQUAL(latencies_add_weighed(&whole, value, weights[n]), 0);
		}
		latencies_weigh(&part, &samples);
		latencies_weigh(&whole, &samples);
		CU_ASSERT_EQUAL(latencies_merge(&sum, &part), 0);
		latencies_free(&part);
	}
	tell(&expected, &whole);
	tell(&found, &sum);
	for (uint32_t n = 0; n < COLUMN_ENDS + 2 * PERCENTILE_COUNT; n++) {
		const struct cell *a = &expected.tables[0].rows[0].cells[n];
		const struct cell *b = &found.tables[0].rows[0].cells[n];

		CU_ASSERT(a->kind == b->kind && a->count == b->count);
		CU_ASSERT_DOUBLE_EQUAL(a->decimal, b->decimal, 1e-6);
	}
	CU_ASSERT(expected.tables[0].rows[0].cells[COLUMN_MEDIAN].count > 100);
	document_free(&expected);
	document_free(&found);
	latencies_free(&whole);
	latencies_free(&sum);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "parts that are added up", parts },
		{ "intervals hold percentiles with a chance of 95% whatever the number of samples",
		  any_number_of_samples },
		{ "intervals of percentiles hold the truth in 95 of 100 runs", intervals },
	};

	return tap_main("latencies", cases, sizeof(cases) / sizeof(cases[0]));
}
