// SPDX-License-Identifier: BSD-3-Clause
/* Sparse systems: solutions put back into the equations, orders of elimination, and how much fills up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/minimum_degree.h"
#include "statistics/random.h"
#include "statistics/sparse.h"
#include "tests/support/tap.h"

struct system {
	uint32_t n;
	size_t count, room;
	struct sparse_place *places;
	double *values;
};

static void put(struct system *system, uint32_t row, uint32_t column, double value)
{
	if (system->count == system->room) {
		system->room = system->room ? 2 * system->room : 64;
		system->places = realloc(system->places, system->room * sizeof(*system->places));
		system->values = realloc(system->values, system->room * sizeof(*system->values));
	}
	system->places[system->count] = (struct sparse_place){ row, column };
	system->values[system->count++] = value;
}

static double uniform(struct random *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* K x, of the triplets as they were given */
static void multiply(const struct system *system, const double *x, double *product)
{
	memset(product, 0, system->n * sizeof(*product));
	for (size_t at = 0; at < system->count; at++) {
		const struct sparse_place *place = &system->places[at];

		product[place->row] += system->values[at] * x[place->column];
		if (place->row != place->column)
			product[place->column] += system->values[at] * x[place->row];
	}
}

/* Of one right side, and of several at once */
static double largest_error(const struct system *system, struct random *random, struct sparse *sparse)
{
	const uint32_t n = system->n;
	double *x = malloc(n * sizeof(*x)), *right = malloc(n * sizeof(*right)), worst = 0;
	double *sides = malloc(n * SPARSE_SIDES * sizeof(*sides));
	double *of_sides = malloc(n * SPARSE_SIDES * sizeof(*of_sides));
	double *work = malloc(n * SPARSE_SIDES * sizeof(*work));

	for (uint32_t side = 0; side < SPARSE_SIDES; side++) {
		for (uint32_t v = 0; v < n; v++)
			of_sides[v * SPARSE_SIDES + side] = x[v] = uniform(random) * 2 - 1;
		multiply(system, x, right);
		for (uint32_t v = 0; v < n; v++)
			sides[v * SPARSE_SIDES + side] = right[v];
	}
	sparse_solve(sparse, right, work);
	sparse_solve_sides(sparse, sides, work);
	for (uint32_t v = 0; v < n; v++)
		worst = fmax(worst, fabs(right[v] - x[v]));
	for (uint32_t v = 0; v < n * SPARSE_SIDES; v++)
		worst = fmax(worst, fabs(sides[v] - of_sides[v]));
	free(x);
	free(right);
	free(sides);
	free(of_sides);
	free(work);
	return worst;
}

/* b' x, of a right side that has few entries, beside what solving gives */
static double quadratic_error(const struct system *system, struct random *random,
			      struct sparse *sparse)
{
	double *right = calloc(system->n, sizeof(*right)),
	       *work = malloc(2 * system->n * sizeof(*work));
	double *x = malloc(system->n * sizeof(*x)), sum = 0, size = 0, got;

	for (uint32_t n = 0; n < 1 + system->n / 8; n++)
		right[random_below(random, system->n)] = uniform(random) * 2 - 1;
	memcpy(x, right, system->n * sizeof(*x));
	got = sparse_quadratic(sparse, right, work);
	sparse_solve(sparse, x, work);
	for (uint32_t v = 0; v < system->n; v++) {
		sum += right[v] * x[v];
		size += fabs(right[v] * x[v]);
	}
	free(right);
	free(work);
	free(x);
	return fabs(got - sum) / size;
}

static void release(struct system *system)
{
	free(system->places);
	free(system->values);
}

/* Unknowns of either sign, a third of them negative; couplings between signs at will, inside few */
static void test_random_systems(void)
{
	for (uint32_t seed = 1; seed <= 200; seed++) {
		struct random random = random_of(seed);
		struct system system = { .n = 1 + (uint32_t)random_below(&random, 60) };
		struct sparse *sparse;

		for (uint32_t v = 0; v < system.n; v++)
			put(&system, v, v, (v % 3 ? 1 : -1) * (4 + uniform(&random)));
		for (uint32_t n = 0; n < 2 * system.n; n++) {
			const uint32_t a = (uint32_t)random_below(&random, system.n);
			const uint32_t b = (uint32_t)random_below(&random, system.n);

			if (!(a % 3) != !(b % 3))
				put(&system, a, b, uniform(&random) * 2 - 1);
		}
		sparse = sparse_new(system.n, system.places, system.count);
		CU_ASSERT_FATAL(sparse != NULL);
		sparse_factor(sparse, system.values);
		CU_ASSERT(largest_error(&system, &random, sparse) < 1e-11);
		CU_ASSERT(quadratic_error(&system, &random, sparse) < 1e-11);
		/* other values of the same shape */
		for (size_t at = 0; at < system.count; at++)
			system.values[at] *= at < system.n ? 3 : -0.5;
		sparse_factor(sparse, system.values);
		CU_ASSERT(largest_error(&system, &random, sparse) < 1e-11);
		sparse_free(sparse);
		release(&system);
	}
}

/* Weights that are 1e10 apart, as of equations that hold by nature beside those of few samples */
static void test_unlike_weights(void)
{
	struct system system = { .n = 400 };
	struct random random = random_of(7);
	struct sparse *sparse;

	for (uint32_t v = 0; v < 200; v++)
		put(&system, v, v, 1e-8);
	for (uint32_t v = 200; v < 400; v++)
		put(&system, v, v, v % 2 ? -100 : -1);
	for (uint32_t row = 0; row < 200; row++) {
		put(&system, row, 200 + row, 1);
		put(&system, row, 200 + (row + 1) % 200, -1);
	}
	sparse = sparse_new(system.n, system.places, system.count);
	CU_ASSERT_FATAL(sparse != NULL);
	sparse_factor(sparse, system.values);
	CU_ASSERT(largest_error(&system, &random, sparse) < 1e-7);
	CU_ASSERT(quadratic_error(&system, &random, sparse) < 1e-7);
	sparse_free(sparse);
	release(&system);
}

/* A hub of 3000 neighbours: the order leaves it to the end, and nothing fills up */
static void test_hub_fills_nothing(void)
{
	struct system system = { .n = 3001 };
	struct sparse *sparse;

	for (uint32_t v = 0; v < system.n; v++)
		put(&system, v, v, 3001);
	for (uint32_t v = 1; v < system.n; v++)
		put(&system, 0, v, 1);
	sparse = sparse_new(system.n, system.places, system.count);
	CU_ASSERT_FATAL(sparse != NULL);
	CU_ASSERT_EQUAL(sparse_entries(sparse), 3000);
	sparse_free(sparse);
	release(&system);
}

/* A grid of 60 x 60 in its natural order has some 60 entries in each column; less than a third is left */
static void test_grid_fills_little(void)
{
	struct system system = { .n = 3600 };
	struct sparse *sparse;

	for (uint32_t v = 0; v < 3600; v++) {
		put(&system, v, v, 5);
		if (v % 60 < 59)
			put(&system, v, v + 1, -1);
		if (v < 3540)
			put(&system, v, v + 60, -1);
	}
	sparse = sparse_new(system.n, system.places, system.count);
	CU_ASSERT_FATAL(sparse != NULL);
	CU_ASSERT(sparse_entries(sparse) < 3600 * 60 / 3);
	sparse_free(sparse);
	release(&system);
}

/* Hubs of 1200 neighbours each, on a ring of 2000: they come last, one after the other, and cost but a row */
static void test_hubs_come_last(void)
{
	enum { RING = 2000, HUBS = 3 };
	static size_t starts[RING + HUBS + 1];
	static uint32_t neighbours[RING * (2 + 2 * HUBS)], order[RING + HUBS];
	struct system system = { .n = RING + HUBS };
	struct sparse *sparse;
	size_t at = 0;

	for (uint32_t v = 0; v < RING + HUBS; v++) {
		put(&system, v, v, 5000);
		starts[v] = at;
		for (uint32_t other = 0; other < RING + HUBS; other++) {
			const int both = v < RING && other < RING;
			const uint32_t low = v < other ? v : other, high = v < other ? other : v;
			const int is_next = both && (high - low == 1 || high - low == RING - 1);
			const int is_of_hub = low < RING && high >= RING && (low + high) % 5 < 3;

			if (!is_next && !is_of_hub)
				continue;
			neighbours[at++] = other;
			if (v < other)
				put(&system, v, other, 1);
		}
	}
	starts[RING + HUBS] = at;
	CU_ASSERT_EQUAL(minimum_degree_order(RING + HUBS, starts, neighbours, order), 0);
	for (uint32_t n = 0; n < RING; n++)
		CU_ASSERT(order[n] < RING);
	for (uint32_t n = RING; n < RING + HUBS; n++)
		CU_ASSERT_EQUAL(order[n], n);
	sparse = sparse_new(system.n, system.places, system.count);
	CU_ASSERT_FATAL(sparse != NULL);
	CU_ASSERT(sparse_entries(sparse) < 2 * RING + HUBS * (RING + HUBS));
	sparse_free(sparse);
	release(&system);
}

/* Rounding or a caller's mistake: a pivot of 0 is no division by it */
static void test_no_pivot(void)
{
	struct system system = { .n = 3 };
	double right[] = { 1, 1, 1 }, work[6];
	struct sparse *sparse;

	put(&system, 0, 0, 1);
	put(&system, 0, 1, 1);
	put(&system, 1, 1, 1); /* 1 - 1 * 1 */
	put(&system, 2, 2, 0);
	sparse = sparse_new(system.n, system.places, system.count);
	CU_ASSERT_FATAL(sparse != NULL);
	sparse_factor(sparse, system.values);
	sparse_solve(sparse, right, work);
	CU_ASSERT(!isnan(right[0]) && !isnan(right[1]));
	sparse_free(sparse);
	release(&system);
}

static void test_order_has_all(void)
{
	static const size_t starts[] = { 0, 1, 3, 4, 4 };
	uint32_t neighbours[] = { 1, 0, 2, 1 }, order[4], seen = 0;

	CU_ASSERT_EQUAL(minimum_degree_order(4, starts, neighbours, order), 0);
	for (uint32_t at = 0; at < 4; at++)
		seen |= 1u << order[at];
	CU_ASSERT_EQUAL(seen, 15);
	CU_ASSERT_EQUAL(order[0], 3);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random systems", test_random_systems },
		{ "weights far apart", test_unlike_weights },
		{ "a hub fills nothing", test_hub_fills_nothing },
		{ "a grid fills little", test_grid_fills_little },
		{ "hubs come last", test_hubs_come_last },
		{ "no pivot", test_no_pivot },
		{ "each unknown is eliminated once", test_order_has_all },
	};

	return tap_main("sparse", cases, sizeof(cases) / sizeof(cases[0]));
}
