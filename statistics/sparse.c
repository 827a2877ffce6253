/* SPDX-License-Identifier: BSD-3-Clause */
/* L D L' row by row, along the elimination tree. */
#include "sparse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "minimum_degree.h"

#define NONE UINT32_MAX

/* A pivot below that part of its diagonal is rounding. */
#define PIVOT_LEAST 1e-13

#define AHEAD 4u /* columns on a path, that are asked for before they are needed */

#define TOGETHER 4u /* columns of the same rows, that are gone through at once */

struct sparse {
	uint32_t n;
	uint32_t *order, *position;
	/* K in the order of elimination: of each column the rows above the diagonal */
	size_t *starts;
	uint32_t *rows;
	double *values, *diagonal;
	size_t *where; /* a value's place in 'values', or behind them on the diagonal */
	size_t count;
	/* L by columns */
	size_t *factor_starts;
	uint32_t *factor_rows;
	double *factor, *pivots;
	/* By row of L the columns that it has entries in, each behind those that it depends on */
	size_t *path_starts;
	uint32_t *paths;
	uint32_t *parent, *length, *mark;
	uint8_t *alike; /* by column: so many from there on have the same rows, up to TOGETHER */
	double *row;
};

static uint32_t later(const struct sparse *sparse, const struct sparse_place *place)
{
	const uint32_t a = sparse->position[place->row], b = sparse->position[place->column];

	return a > b ? a : b;
}

static uint32_t earlier(const struct sparse *sparse, const struct sparse_place *place)
{
	const uint32_t a = sparse->position[place->row], b = sparse->position[place->column];

	return a < b ? a : b;
}

/* From counts to places where each begins, the end behind the last */
static size_t places_of(size_t *counts, size_t n)
{
	size_t sum = 0;

	for (size_t at = 0; at < n; at++) {
		const size_t count = counts[at];

		counts[at] = sum;
		sum += count;
	}
	counts[n] = sum;
	return sum;
}

/* Each list sorted out of doublets. 'mark' has no list's number yet. @return how many are left */
static size_t once_each(uint32_t n, size_t *starts, uint32_t *lists, uint32_t *mark)
{
	size_t kept = 0;

	for (uint32_t v = 0; v < n; v++) {
		const size_t from = starts[v];

		starts[v] = kept;
		for (size_t at = from; at < starts[v + 1]; at++) {
			if (mark[lists[at]] != v) {
				mark[lists[at]] = v;
				lists[kept++] = lists[at];
			}
		}
	}
	starts[n] = kept;
	return kept;
}

static void list_neighbours(const struct sparse_place *places, size_t count, size_t *starts,
			    uint32_t *lists)
{
	for (size_t at = 0; at < count; at++) {
		if (places[at].row != places[at].column) {
			lists[starts[places[at].row]++] = places[at].column;
			lists[starts[places[at].column]++] = places[at].row;
		}
	}
}

static int order_of(struct sparse *sparse, const struct sparse_place *places, size_t count)
{
	const uint32_t n = sparse->n;
	size_t *starts = calloc((size_t)n + 2, sizeof(*starts));
	uint32_t *lists = malloc((2 * count + 1) * sizeof(*lists));
	int status = -1;

	if (starts && lists) {
		for (size_t at = 0; at < count; at++) {
			if (places[at].row != places[at].column) {
				starts[places[at].row + 1]++;
				starts[places[at].column + 1]++;
			}
		}
		/* One place further: filling in moves each to its end, which is where the next begins */
		places_of(starts + 1, n);
		list_neighbours(places, count, starts + 1, lists);
		memset(sparse->mark, 0xff, n * sizeof(*sparse->mark));
		once_each(n, starts, lists, sparse->mark);
		status = minimum_degree_order(n, starts, lists, sparse->order);
	}
	free(starts);
	free(lists);
	for (uint32_t at = 0; !status && at < n; at++)
		sparse->position[sparse->order[at]] = at;
	return status;
}

/* Rows of a column that several values share have one place: the last value's there, found by 'mark'. */
static int place_values(struct sparse *sparse, const struct sparse_place *places, size_t count)
{
	const uint32_t n = sparse->n;
	size_t *by_column = malloc((count + 1) * sizeof(*by_column));
	size_t *heads = calloc((size_t)n + 1, sizeof(*heads)), kept = 0;

	sparse->rows = malloc((count + 1) * sizeof(*sparse->rows));
	sparse->where = malloc((count + 1) * sizeof(*sparse->where));
	if (!by_column || !heads || !sparse->rows || !sparse->where) {
		free(by_column);
		free(heads);
		return -1;
	}
	for (size_t at = 0; at < count; at++)
		heads[later(sparse, &places[at])]++;
	places_of(heads, n);
	for (size_t at = 0; at < count; at++)
		by_column[heads[later(sparse, &places[at])]++] = at;
	for (uint32_t column = 0; column < n; column++) {
		sparse->starts[column] = kept;
		for (size_t at = column ? heads[column - 1] : 0; at < heads[column]; at++) {
			const uint32_t row = earlier(sparse, &places[by_column[at]]);
			size_t place = sparse->starts[column];

			if (row == column) {
				sparse->where[by_column[at]] = SIZE_MAX - column;
				continue;
			}
			/* 'row' is not used yet: where a row stands, and of which column that is */
			place = (size_t)sparse->row[row];
			if (place < sparse->starts[column] || place >= kept || sparse->rows[place] != row) {
				place = kept++;
				sparse->rows[place] = row;
				sparse->row[row] = (double)place;
			}
			sparse->where[by_column[at]] = place;
		}
	}
	sparse->starts[n] = kept;
	free(by_column);
	free(heads);
	sparse->values = malloc((kept + 1) * sizeof(*sparse->values));
	return sparse->values ? 0 : -1;
}

/* The elimination tree, and how long each column and each row of L is. @return how many entries it has */
static size_t grow_tree(struct sparse *sparse)
{
	const uint32_t n = sparse->n;

	memset(sparse->parent, 0xff, n * sizeof(*sparse->parent));
	memset(sparse->mark, 0xff, n * sizeof(*sparse->mark));
	for (uint32_t column = 0; column < n; column++) {
		sparse->mark[column] = column;
		for (size_t at = sparse->starts[column]; at < sparse->starts[column + 1]; at++) {
			uint32_t v = sparse->rows[at];

			for (; sparse->mark[v] != column; v = sparse->parent[v]) {
				if (sparse->parent[v] == NONE)
					sparse->parent[v] = column;
				sparse->factor_starts[v]++;
				sparse->path_starts[column]++;
				sparse->mark[v] = column;
			}
		}
	}
	places_of(sparse->path_starts, n);
	return places_of(sparse->factor_starts, n);
}

/* Up the tree from each value of a row, from the end of its path on. 'length' is a list of its own here. */
static void list_path(struct sparse *sparse, uint32_t column)
{
	size_t top = sparse->path_starts[column + 1];

	sparse->mark[column] = column;
	for (size_t at = sparse->starts[column]; at < sparse->starts[column + 1]; at++) {
		uint32_t length = 0;

		for (uint32_t v = sparse->rows[at]; sparse->mark[v] != column; v = sparse->parent[v]) {
			sparse->length[length++] = v;
			sparse->mark[v] = column;
		}
		while (length)
			sparse->paths[--top] = sparse->length[--length];
	}
}

static size_t entries_of(const struct sparse *sparse, uint32_t column)
{
	return sparse->factor_starts[column + 1] - sparse->factor_starts[column];
}

/* A column's rows are its parent's, too, but for the parent itself: as many are the same ones. */
static void find_alike(struct sparse *sparse)
{
	for (uint32_t column = sparse->n; column-- > 0;) {
		const int is_like_next =
			sparse->parent[column] == column + 1 &&
			entries_of(sparse, column) == entries_of(sparse, column + 1) + 1;
		const uint32_t next = is_like_next ? sparse->alike[column + 1] : 0;

		sparse->alike[column] = (uint8_t)(next < TOGETHER ? next + 1 : TOGETHER);
	}
}

/* Where L has entries, which is the same for all values */
static int shape_of(struct sparse *sparse)
{
	const uint32_t n = sparse->n;
	const size_t entries = grow_tree(sparse);

	sparse->factor_rows = malloc((entries + 1) * sizeof(*sparse->factor_rows));
	sparse->factor = malloc((entries + 1) * sizeof(*sparse->factor));
	sparse->paths = malloc((entries + AHEAD + TOGETHER) * sizeof(*sparse->paths));
	if (!sparse->factor_rows || !sparse->factor || !sparse->paths)
		return -1;
	memset(sparse->paths + entries, 0, (AHEAD + TOGETHER) * sizeof(*sparse->paths));
	memset(sparse->mark, 0xff, n * sizeof(*sparse->mark));
	for (uint32_t column = 0; column < n; column++)
		list_path(sparse, column);
	memset(sparse->length, 0, n * sizeof(*sparse->length));
	for (uint32_t column = 0; column < n; column++) {
		for (size_t at = sparse->path_starts[column]; at < sparse->path_starts[column + 1]; at++) {
			const uint32_t v = sparse->paths[at];

			sparse->factor_rows[sparse->factor_starts[v] + sparse->length[v]++] = column;
		}
	}
	find_alike(sparse);
	return 0;
}

static void *array_of(size_t n, size_t size)
{
	return calloc(n + 1, size);
}

static int has_memory(struct sparse *sparse)
{
	const uint32_t n = sparse->n;

	sparse->order = array_of(n, sizeof(*sparse->order));
	sparse->position = array_of(n, sizeof(*sparse->position));
	sparse->starts = array_of(n, sizeof(*sparse->starts));
	sparse->diagonal = array_of(n, sizeof(*sparse->diagonal));
	sparse->factor_starts = array_of(n, sizeof(*sparse->factor_starts));
	sparse->pivots = array_of(n, sizeof(*sparse->pivots));
	sparse->parent = array_of(n, sizeof(*sparse->parent));
	sparse->length = array_of(n, sizeof(*sparse->length));
	sparse->mark = array_of(n, sizeof(*sparse->mark));
	sparse->path_starts = array_of(n, sizeof(*sparse->path_starts));
	sparse->alike = array_of(n, sizeof(*sparse->alike));
	sparse->row = array_of(n, sizeof(*sparse->row));
	return sparse->order && sparse->position && sparse->starts && sparse->diagonal &&
	       sparse->factor_starts && sparse->pivots && sparse->parent && sparse->length &&
	       sparse->mark && sparse->path_starts && sparse->alike && sparse->row;
}

struct sparse *sparse_new(uint32_t unknowns, const struct sparse_place *places, size_t count)
{
	struct sparse *sparse = calloc(1, sizeof(*sparse));

	if (!sparse)
		return NULL;
	sparse->n = unknowns;
	sparse->count = count;
	if (!has_memory(sparse) || order_of(sparse, places, count) < 0 ||
	    place_values(sparse, places, count) < 0 || shape_of(sparse) < 0) {
		sparse_free(sparse);
		return NULL;
	}
	return sparse;
}

static double pivot_of(double pivot, double diagonal)
{
	const double least = PIVOT_LEAST * fabs(diagonal);

	if ((diagonal < 0 ? -pivot : pivot) > least)
		return pivot;
	return diagonal < 0 ? -(least + DBL_MIN) : least + DBL_MIN;
}

/*
 * What columns from v on, which have the same rows, take out of a row of L: the same to the last bit as one
 * column after the other, as each row has them in turn. @return the pivot without them
 */
static inline __attribute__((always_inline)) double eliminate(struct sparse *sparse, uint32_t v,
							      uint32_t columns, double pivot)
{
	const uint32_t last = v + columns - 1, count = sparse->length[last];
	const uint32_t *rows = sparse->factor_rows + sparse->factor_starts[last];
	double *factor[TOGETHER], value[TOGETHER];

	for (uint32_t k = 0; k < columns; k++) {
		factor[k] = sparse->factor + sparse->factor_starts[v + k];
		value[k] = sparse->row[v + k];
		sparse->row[v + k] = 0;
		for (uint32_t next = v + k + 1; next <= last; next++)
			sparse->row[next] -= *factor[k]++ * value[k];
	}
	for (uint32_t below = 0; below < count; below++) {
		double rest = sparse->row[rows[below]];

		for (uint32_t k = 0; k < columns; k++)
			rest -= factor[k][below] * value[k];
		sparse->row[rows[below]] = rest;
	}
	for (uint32_t k = 0; k < columns; k++) {
		const double entry = value[k] / sparse->pivots[v + k];

		pivot -= entry * value[k];
		factor[k][count] = entry;
		sparse->length[v + k]++;
	}
	return pivot;
}

/* How many of these a path goes on with: 1, 2 or TOGETHER */
static inline uint32_t together(const struct sparse *sparse, const uint32_t *path,
				const uint32_t *end)
{
	const uint32_t most = sparse->alike[*path];
	uint32_t count = 1;

	while (count < most && path + count < end && path[count] == *path + count)
		count++;
	return count < TOGETHER && count > 2 ? 2 : count;
}

static void factor_row(struct sparse *sparse, uint32_t column)
{
	const uint32_t *path = sparse->paths + sparse->path_starts[column];
	const uint32_t *end = sparse->paths + sparse->path_starts[column + 1];
	double pivot = sparse->diagonal[column];

	for (size_t at = sparse->starts[column]; at < sparse->starts[column + 1]; at++)
		sparse->row[sparse->rows[at]] += sparse->values[at];
	while (path < end) {
		const uint32_t columns = together(sparse, path, end);

		/* Columns are all over the factors, which are larger than caches are */
		for (uint32_t k = AHEAD; k < AHEAD + columns; k++) {
			__builtin_prefetch(&sparse->factor_rows[sparse->factor_starts[path[k]]]);
			__builtin_prefetch(&sparse->factor[sparse->factor_starts[path[k]]]);
		}
		if (columns == TOGETHER)
			pivot = eliminate(sparse, *path, TOGETHER, pivot);
		else if (columns == 2)
			pivot = eliminate(sparse, *path, 2, pivot);
		else
			pivot = eliminate(sparse, *path, 1, pivot);
		path += columns;
	}
	sparse->row[column] = 0;
	sparse->pivots[column] = pivot_of(pivot, sparse->diagonal[column]);
}

void sparse_factor(struct sparse *sparse, const double *values)
{
	const uint32_t n = sparse->n;

	memset(sparse->values, 0, sparse->starts[n] * sizeof(*sparse->values));
	memset(sparse->diagonal, 0, n * sizeof(*sparse->diagonal));
	for (size_t at = 0; at < sparse->count; at++) {
		if (sparse->where[at] > SIZE_MAX - n)
			sparse->diagonal[SIZE_MAX - sparse->where[at]] += values[at];
		else
			sparse->values[sparse->where[at]] += values[at];
	}
	memset(sparse->length, 0, n * sizeof(*sparse->length));
	memset(sparse->row, 0, n * sizeof(*sparse->row));
	for (uint32_t column = 0; column < n; column++)
		factor_row(sparse, column);
}

/*
 * What is solved for has 'sides' right sides, each unknown's beside each other: the factors, which are larger
 * than caches are, are gone through once for all of them. Compilers make one function of each number.
 */
#define EACH_SIDE(k) for (uint32_t k = 0; k < sides; k++)

/* L x = x, in the order of elimination. Zeroes that x begins with, as with few unknowns, are left out. */
static inline __attribute__((always_inline)) void substitute_forward(const struct sparse *sparse,
								     double *x, uint32_t sides)
{
	for (uint32_t v = 0; v < sparse->n; v++) {
		double of_v[SPARSE_SIDES];
		int any = 0;

		EACH_SIDE(k)
		{
			of_v[k] = x[(size_t)v * sides + k];
			any |= of_v[k] != 0;
		}
		if (!any)
			continue;
		for (size_t at = sparse->factor_starts[v]; at < sparse->factor_starts[v + 1];
		     at++) {
			const double factor = sparse->factor[at];
			double *below = x + (size_t)sparse->factor_rows[at] * sides;

			EACH_SIDE(k) below[k] -= factor * of_v[k];
		}
	}
}

/* L D L' x = x */
static inline __attribute__((always_inline)) void substitute(const struct sparse *sparse, double *x,
							     uint32_t sides)
{
	substitute_forward(sparse, x, sides);
	for (uint32_t v = sparse->n; v-- > 0;) {
		double of_v[SPARSE_SIDES];

		EACH_SIDE(k) of_v[k] = x[(size_t)v * sides + k] / sparse->pivots[v];
		for (size_t at = sparse->factor_starts[v]; at < sparse->factor_starts[v + 1];
		     at++) {
			const double factor = sparse->factor[at];
			const double *below = x + (size_t)sparse->factor_rows[at] * sides;

			EACH_SIDE(k) of_v[k] -= factor * below[k];
		}
		EACH_SIDE(k) x[(size_t)v * sides + k] = of_v[k];
	}
}

/* wanted -= K x */
static void residual(const struct sparse *sparse, const double *x, double *wanted)
{
	for (uint32_t column = 0; column < sparse->n; column++) {
		double sum = sparse->diagonal[column] * x[column];

		for (size_t at = sparse->starts[column]; at < sparse->starts[column + 1]; at++) {
			sum += sparse->values[at] * x[sparse->rows[at]];
			wanted[sparse->rows[at]] -= sparse->values[at] * x[column];
		}
		wanted[column] -= sum;
	}
}

void sparse_solve(const struct sparse *sparse, double *right, double *work)
{
	double *solution = work, *wanted = work + sparse->n;

	for (uint32_t v = 0; v < sparse->n; v++)
		solution[v] = wanted[v] = right[sparse->order[v]];
	substitute(sparse, solution, 1);
	residual(sparse, solution, wanted);
	substitute(sparse, wanted, 1);
	for (uint32_t v = 0; v < sparse->n; v++)
		right[sparse->order[v]] = solution[v] + wanted[v];
}

void sparse_solve_sides(const struct sparse *sparse, double *right, double *work)
{
	for (uint32_t v = 0; v < sparse->n; v++)
		memcpy(work + (size_t)v * SPARSE_SIDES,
		       right + (size_t)sparse->order[v] * SPARSE_SIDES, SPARSE_SIDES * sizeof(*work));
	substitute(sparse, work, SPARSE_SIDES);
	for (uint32_t v = 0; v < sparse->n; v++)
		memcpy(right + (size_t)sparse->order[v] * SPARSE_SIDES,
		       work + (size_t)v * SPARSE_SIDES, SPARSE_SIDES * sizeof(*work));
}

/* As substitute_forward(), where each unknown is done with when its turn has come */
double sparse_quadratic(const struct sparse *sparse, const double *right, double *work)
{
	double sum = 0;

	for (uint32_t v = 0; v < sparse->n; v++)
		work[v] = right[sparse->order[v]];
	for (uint32_t v = 0; v < sparse->n; v++) {
		const double of_v = work[v];

		if (of_v == 0)
			continue;
		sum += of_v * of_v / sparse->pivots[v];
		for (size_t at = sparse->factor_starts[v]; at < sparse->factor_starts[v + 1]; at++)
			work[sparse->factor_rows[at]] -= sparse->factor[at] * of_v;
	}
	return sum;
}

size_t sparse_entries(const struct sparse *sparse)
{
	return sparse->factor_starts[sparse->n];
}

void sparse_free(struct sparse *sparse)
{
	if (!sparse)
		return;
	free(sparse->order);
	free(sparse->position);
	free(sparse->starts);
	free(sparse->rows);
	free(sparse->values);
	free(sparse->diagonal);
	free(sparse->where);
	free(sparse->factor_starts);
	free(sparse->factor_rows);
	free(sparse->factor);
	free(sparse->pivots);
	free(sparse->parent);
	free(sparse->length);
	free(sparse->mark);
	free(sparse->path_starts);
	free(sparse->paths);
	free(sparse->alike);
	free(sparse->row);
	free(sparse);
}
