/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each of several things costs, from what they cost together: weighted least squares without an
 * intercept, of rows in blocks, with the covariance of the coefficients. Columns that the rows do not tell
 * apart are not guessed at: they are merged, and it is told with what.
 */
#ifndef STATISTICS_REGRESSION_H
#define STATISTICS_REGRESSION_H

#include <stddef.h>
#include <stdint.h>

#include "interval.h"

#define REGRESSION_COLUMNS 8u
#define REGRESSION_GROUPS 16u

/*
 * A column is merged whose variance the others inflate so many times (VIF > 10: Belsley, Kuh and Welsch,
 * "Regression Diagnostics", 1980; here without an intercept): a tenth of it alone is its own.
 */
#define REGRESSION_INFLATION_MOST 10

/* Of fewer blocks no spread is known that deserves the name. */
#define REGRESSION_FEWEST_BLOCKS 8u

struct regression_row {
	double y;
	double x[REGRESSION_COLUMNS]; /* each 0 or more */
	double weight;                /* 1 / the variance of y, but for a factor that all rows have */
	uint32_t block;               /* rows of a block share what disturbs them; numbers from 0 on */
	uint32_t group;               /* what is measured: costs may differ between groups; from 0 on */
};

enum regression_verdict {
	REGRESSION_SEPARATE = 0, /* it has a coefficient */
	REGRESSION_MERGED = 1,   /* what it costs is in the coefficients of others: 'as' */
	REGRESSION_ABSENT = 2    /* it is 0 in all rows: nothing is known of it */
};

enum regression_refusal {
	REGRESSION_FITTED = 0,
	REGRESSION_FEW_BLOCKS = 1, /* fewer than REGRESSION_FEWEST_BLOCKS, or than columns and 2 more */
	REGRESSION_EMPTY = 2,      /* all columns are 0, or a number is none */
	/* What all things together cost where they are most is less than 3 of its standard errors:
	 * the coefficients are there, and say nothing */
	REGRESSION_NOISE = 3
};

struct regression {
	uint32_t columns, blocks;
	enum regression_verdict verdict[REGRESSION_COLUMNS];
	double coefficient[REGRESSION_COLUMNS]; /* of separate columns; else 0 */
	double covariance[REGRESSION_COLUMNS][REGRESSION_COLUMNS];
	/* A merged column is so many times each separate one: so many times its own cost is in theirs */
	double as[REGRESSION_COLUMNS][REGRESSION_COLUMNS];
	double inflation[REGRESSION_COLUMNS]; /* of separate columns: 1 if no other resembles it */
	double spread; /* of y about the fit: its deviation is this / sqrt(weight) */
	double reach;  /* standard errors on each side of an interval that 95 of 100 hold in */
};

/*
 * Columns keep their coefficients in the order in which they stand: the later one of two that cannot be
 * told apart is merged into the earlier.
 *
 * The covariance is the jackknife's over blocks (B. Efron and C. Stein, "The jackknife estimate of
 * variance", Annals of Statistics 9, 1981): each block is left out once. It asks neither that errors be
 * equal nor that rows of a block be independent, and errs to the side of too large.
 */
enum regression_refusal regression_fit(const struct regression_row *rows, size_t count,
				       uint32_t columns, struct regression *fit);

/*
 * Rows that cost more are further from any fit, since what a thing costs is not the same each time: by
 * the share of the cost that a fit shows, rows get weights for another one. Otherwise what is dear
 * decides, by its misfit, what is cheap.
 *
 * @param noise  the variance of y, times the weight, where nothing costs anything
 */
void regression_reweigh(struct regression_row *rows, size_t count, const struct regression *fit,
			double noise);

/* Where the coefficient of a separate column may be */
struct interval regression_interval(const struct regression *fit, uint32_t column);

/*
 * How much another group may differ from the fit, relatively: 'reach' times that holds 95 of 100 groups that
 * are drawn as these were. Each group's ratio of what it costs to what the fit says is one value; of so few
 * values Student's t of one less is what counts, and that the fit is of these groups, too. What chance adds
 * to the ratios is in it. NAN of fewer than 2 groups.
 *
 * @param groups  their number, at most REGRESSION_GROUPS
 */
double regression_between(const struct regression_row *rows, size_t count, uint32_t groups,
			  const struct regression *fit);

/* The variance that the coefficients leave to what 'x' costs, of separate columns */
double regression_variance(const struct regression *fit, const double x[REGRESSION_COLUMNS]);

#endif
