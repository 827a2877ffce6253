/* SPDX-License-Identifier: BSD-3-Clause */
/* See regression.h. */
#include "regression.h"

#include <math.h>
#include <string.h>

#include "quantiles.h"

#define COLUMNS REGRESSION_COLUMNS
#define SURE_ERRORS 3 /* with the normal distribution; of few blocks it takes more, as for intervals */
/*
 * That a coefficient is beyond one of the ends. With 0.025, of 2000 simulated fits of 20 blocks (tests) up
 * to 6.5 in 100 missed: the spread of so few blocks is uncertain itself, in as many directions as there are
 * columns.
 */
#define BEYOND 0.015
#define MERGED_LEAST 0.01 /* so little of a merged column is no part that is worth a name */

/* Sums over rows: what least squares need of them */
struct sums {
	double xx[COLUMNS][COLUMNS], xy[COLUMNS];
};

static void add_row(struct sums *sums, const struct regression_row *row, uint32_t columns,
		    double sign)
{
	for (uint32_t i = 0; i < columns; i++) {
		for (uint32_t j = 0; j < columns; j++)
			sums->xx[i][j] += sign * row->weight * row->x[i] * row->x[j];
		sums->xy[i] += sign * row->weight * row->x[i] * row->y;
	}
}

/* Which columns are meant, by their numbers */
struct chosen {
	uint32_t count, column[COLUMNS];
};

/*
 * The lower triangle of Cholesky's factor of the chosen columns' products, each column divided by its
 * length, so that sizes of units do not matter. 0, or -1 if they are not independent
 */
static int factor(const struct sums *sums, const struct chosen *chosen, double l[COLUMNS][COLUMNS])
{
	for (uint32_t i = 0; i < chosen->count; i++) {
		const uint32_t a = chosen->column[i];

		for (uint32_t j = 0; j <= i; j++) {
			const uint32_t b = chosen->column[j];
			double sum = sums->xx[a][b] / sqrt(sums->xx[a][a] * sums->xx[b][b]);

			for (uint32_t k = 0; k < j; k++)
				sum -= l[i][k] * l[j][k];
			if (i == j && !(sum > 1e-12))
				return -1;
			l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
		}
	}
	return 0;
}

/* x with L L' x = b, in place */
static void substitute(const struct chosen *chosen, double l[COLUMNS][COLUMNS], double *b)
{
	for (uint32_t i = 0; i < chosen->count; i++) {
		for (uint32_t k = 0; k < i; k++)
			b[i] -= l[i][k] * b[k];
		b[i] /= l[i][i];
	}
	for (uint32_t i = chosen->count; i-- > 0;) {
		for (uint32_t k = i + 1; k < chosen->count; k++)
			b[i] -= l[k][i] * b[k];
		b[i] /= l[i][i];
	}
}

/* Coefficients of the chosen columns for a right side, by column number. 0 or -1 */
static int solve(const struct sums *sums, const struct chosen *chosen, const double *right,
		 double found[COLUMNS])
{
	double l[COLUMNS][COLUMNS], b[COLUMNS];

	memset(found, 0, COLUMNS * sizeof(*found));
	if (factor(sums, chosen, l))
		return -1;
	for (uint32_t i = 0; i < chosen->count; i++)
		b[i] = right[chosen->column[i]] /
		       sqrt(sums->xx[chosen->column[i]][chosen->column[i]]);
	substitute(chosen, l, b);
	for (uint32_t i = 0; i < chosen->count; i++)
		found[chosen->column[i]] =
			b[i] / sqrt(sums->xx[chosen->column[i]][chosen->column[i]]);
	return 0;
}

/* How many times the others inflate the variance of chosen column n */
static double inflation(const struct sums *sums, const struct chosen *chosen, uint32_t n)
{
	double l[COLUMNS][COLUMNS], b[COLUMNS] = { 0 };

	if (factor(sums, chosen, l))
		return INFINITY;
	b[n] = 1;
	substitute(chosen, l, b);
	return b[n];
}

static void drop(struct chosen *chosen, uint32_t n)
{
	chosen->count--;
	memmove(&chosen->column[n], &chosen->column[n + 1],
		(chosen->count - n) * sizeof(chosen->column[0]));
}

/*
 * What a column is made of. A part that is hardly any of it goes, first the least, and the others
 * stand for it.
 */
static void merge(const struct sums *sums, struct chosen chosen, uint32_t column, double as[COLUMNS])
{
	while (chosen.count && !solve(sums, &chosen, sums->xx[column], as)) {
		double least = INFINITY;
		uint32_t which = 0;

		for (uint32_t n = 0; n < chosen.count; n++) {
			const uint32_t other = chosen.column[n];
			const double part = fabs(as[other]) *
					    sqrt(sums->xx[other][other] / sums->xx[column][column]);

			if (part < least) {
				least = part;
				which = n;
			}
		}
		if (least >= MERGED_LEAST || chosen.count == 1)
			return;
		drop(&chosen, which);
	}
}

/* Which columns have coefficients of their own; of the others 'as' and the verdict are set. */
static struct chosen choose(const struct sums *sums, struct regression *fit)
{
	struct chosen chosen = { 0 };
	uint32_t n;

	for (uint32_t column = 0; column < fit->columns; column++) {
		if (!(sums->xx[column][column] > 0)) {
			fit->verdict[column] = REGRESSION_ABSENT;
			continue;
		}
		chosen.column[chosen.count++] = column;
		/* with it another may be inflated that it is not */
		for (n = chosen.count; n-- > 0;) {
			if (inflation(sums, &chosen, n) > REGRESSION_INFLATION_MOST)
				break;
		}
		if (n < chosen.count) {
			chosen.count--;
			fit->verdict[column] = REGRESSION_MERGED;
		}
	}
	for (uint32_t column = 0; column < fit->columns; column++) {
		if (fit->verdict[column] == REGRESSION_MERGED)
			merge(sums, chosen, column, fit->as[column]);
	}
	for (n = 0; n < chosen.count; n++)
		fit->inflation[chosen.column[n]] = inflation(sums, &chosen, n);
	return chosen;
}

/* Each block left out once. 0, or -1 if a column is in one block alone */
static int jackknife(const struct regression_row *rows, size_t count, const struct sums *all,
		     const struct chosen *chosen, struct regression *fit)
{
	const double blocks = fit->blocks;

	for (uint32_t block = 0; block < fit->blocks; block++) {
		struct sums without = *all;
		double found[COLUMNS];

		for (size_t n = 0; n < count; n++) {
			if (rows[n].block == block)
				add_row(&without, &rows[n], fit->columns, -1);
		}
		if (solve(&without, chosen, without.xy, found))
			return -1;
		for (uint32_t i = 0; i < fit->columns; i++) {
			for (uint32_t j = 0; j < fit->columns; j++)
				fit->covariance[i][j] += (blocks - 1) / blocks *
							 (found[i] - fit->coefficient[i]) *
							 (found[j] - fit->coefficient[j]);
		}
	}
	return 0;
}

/* What a row costs by the fit */
static double cost_of(const struct regression *fit, const struct regression_row *row)
{
	double cost = 0;

	for (uint32_t column = 0; column < fit->columns; column++)
		cost += fit->coefficient[column] * row->x[column];
	return cost;
}

/* Does the row that costs most cost more than chance may make of nothing? */
static int is_above_noise(const struct regression_row *rows, size_t count,
			  const struct regression *fit)
{
	double most = 0, variance = 0;

	for (size_t n = 0; n < count; n++) {
		const double cost = cost_of(fit, &rows[n]);

		if (cost > most) {
			most = cost;
			variance = regression_variance(fit, rows[n].x);
		}
	}
	return most > SURE_ERRORS / INTERVAL_Z * fit->reach * sqrt(variance);
}

static double spread_about(const struct regression_row *rows, size_t count,
			   const struct regression *fit, uint32_t chosen)
{
	double sum = 0;

	for (size_t n = 0; n < count; n++)
		sum += rows[n].weight * pow(rows[n].y - cost_of(fit, &rows[n]), 2);
	return count > chosen ? sqrt(sum / (double)(count - chosen)) : NAN;
}

static int is_number(const struct regression_row *row, uint32_t columns)
{
	int good = isfinite(row->y) && row->weight > 0 && isfinite(row->weight);

	for (uint32_t column = 0; column < columns; column++)
		good &= isfinite(row->x[column]) && row->x[column] >= 0;
	return good;
}

enum regression_refusal regression_fit(const struct regression_row *rows, size_t count,
				       uint32_t columns, struct regression *fit)
{
	struct sums sums = { 0 };
	struct chosen chosen;

	memset(fit, 0, sizeof(*fit));
	fit->columns = columns < COLUMNS ? columns : COLUMNS;
	for (size_t n = 0; n < count; n++) {
		if (!is_number(&rows[n], fit->columns))
			return REGRESSION_EMPTY;
		fit->blocks = rows[n].block >= fit->blocks ? rows[n].block + 1 : fit->blocks;
		add_row(&sums, &rows[n], fit->columns, 1);
	}
	chosen = choose(&sums, fit);
	if (!chosen.count)
		return REGRESSION_EMPTY;
	if (fit->blocks < REGRESSION_FEWEST_BLOCKS || fit->blocks < chosen.count + 2)
		return REGRESSION_FEW_BLOCKS;
	if (solve(&sums, &chosen, sums.xy, fit->coefficient) ||
	    jackknife(rows, count, &sums, &chosen, fit))
		return REGRESSION_FEW_BLOCKS;
	fit->spread = spread_about(rows, count, fit, chosen.count);
	fit->reach = student_upper(BEYOND, fit->blocks - chosen.count);
	return is_above_noise(rows, count, fit) ? REGRESSION_FITTED : REGRESSION_NOISE;
}

void regression_reweigh(struct regression_row *rows, size_t count, const struct regression *fit,
			double noise)
{
	double beyond = 0, costs = 0;

	for (size_t n = 0; n < count; n++) {
		const double cost = cost_of(fit, &rows[n]);

		beyond += fmax(0, rows[n].weight * pow(rows[n].y - cost, 2) - noise);
		costs += rows[n].weight * cost * cost;
	}
	if (!(costs > 0) || !(noise > 0))
		return;
	for (size_t n = 0; n < count; n++) {
		const double cost = cost_of(fit, &rows[n]);

		rows[n].weight /= 1 + beyond / costs * rows[n].weight * cost * cost / noise;
	}
}

struct interval regression_interval(const struct regression *fit, uint32_t column)
{
	const double half = fit->reach * sqrt(fit->covariance[column][column]);

	return (struct interval){ fit->coefficient[column] - half, fit->coefficient[column] + half };
}

double regression_between(const struct regression_row *rows, size_t count, uint32_t groups,
			  const struct regression *fit)
{
	double squares[REGRESSION_GROUPS] = { 0 }, products[REGRESSION_GROUPS] = { 0 };
	double mean = 0, apart = 0;

	if (groups < 2 || groups > REGRESSION_GROUPS)
		return NAN;
	for (size_t n = 0; n < count; n++) {
		const double cost = cost_of(fit, &rows[n]);

		if (rows[n].group >= groups)
			continue;
		squares[rows[n].group] += rows[n].weight * cost * cost;
		products[rows[n].group] += rows[n].weight * cost * rows[n].y;
	}
	for (uint32_t group = 0; group < groups; group++)
		mean += products[group] / squares[group] / groups;
	for (uint32_t group = 0; group < groups; group++)
		apart += pow(products[group] / squares[group] - mean, 2) / (groups - 1);
	return sqrt(apart * (1 + 1.0 / groups)) * student_upper(0.025, groups - 1) / fit->reach;
}

double regression_variance(const struct regression *fit, const double x[REGRESSION_COLUMNS])
{
	double variance = 0;

	for (uint32_t i = 0; i < fit->columns; i++) {
		for (uint32_t j = 0; j < fit->columns; j++)
			variance += x[i] * fit->covariance[i][j] * x[j];
	}
	return variance;
}
