/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a row. */
#ifndef ANALYSIS_BY_FIGURES_H
#define ANALYSIS_BY_FIGURES_H

#include "analysis/latencies.h"
#include "rows.h"
#include "statistics/difference.h"

struct by;

/* A row, its number among those of its depth, and what it is sorted by: NAN if that is not known */
struct by_figures_of {
	const struct by_row *row;
	uint32_t number;
	double order;
};

/* Values of latencies by rows */
struct by_values_of_rows {
	const struct by_latency **values; /* sorted by row */
	uint32_t *first; /* by row, and one more: where its values begin */
	uint32_t count;  /* of rows */
	int lacks_some;
};

/* In place of a row's number: all values there are */
#define BY_ALL_ROWS UINT32_MAX

/* 0, or -1 if memory is short */
int by_values_sort(struct by_values_of_rows *values, const struct by_rows *rows);
void by_values_free(struct by_values_of_rows *values);

double by_order_of(const struct by_row *total, const struct by_values_of_rows *values,
		   const struct by_figures_of *of, const struct by_column *column);

/* Of a percentile, or of the mean: names of the columns of its interval; NULL: the figure has none */
const char *const *by_end_names(const struct by_column *column);

/* Such a figure, and its interval; NAN for what is not known */
struct estimate by_estimate(const struct by_row *total, const struct by_values_of_rows *values,
			    const struct by_figures_of *of, const struct by_column *column,
			    struct confidence confidence);

/*
 * The cells of a column of a row that so many keys tell apart, 0: none. 'total' has what shares are of;
 * 'values' NULL: figures of values are not known.
 */
void by_cells(struct document *document, const struct by *by, uint32_t keys, const struct by_row *total,
	      const struct by_column *column, const struct by_figures_of *of,
	      const struct by_values_of_rows *values);

/* The most that came before a row was there, as samples of the total's weight */
void by_cell_missed(struct document *document, const struct by_row *total, uint64_t missed);

#endif
