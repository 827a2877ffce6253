/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of numbers of executions, and of what executions add up to. */
#ifndef ANALYSIS_MIX_COLUMNS_H
#define ANALYSIS_MIX_COLUMNS_H

#include "statistics/table.h"

#include "mix.h"

/* Larger ones are written as no number of executions. */
#define MIX_NUMBER_MOST 9e18

/* The number, and beside it the ends of its interval */
#define MIX_SUM_COLUMNS(name, title)                                                               \
	{ name, title, 0 }, { name "_low", NULL, 0 },                                              \
	{                                                                                          \
		name "_high", NULL, 0                                                              \
	}

/* A ratio of what was executed: estimates have next to nothing where there is none, which is told as 0 */
static inline double mix_ratio_told(double value)
{
	return value < 1e-6 ? 0 : value; /* NAN stays */
}

/* An end of what cannot be below 0 */
static inline double mix_not_negative(double value)
{
	return value < 0 ? 0 : value; /* NAN stays */
}

/**
 * The cell of a sum over blocks, in text with its interval if that is wanted.
 * @param is_relative  how many executions there were is not known (program.h): it is absent
 * @return 0: it is absent
 */
int mix_cell_number(struct document *document, struct mix_figure figure, int is_relative,
		    int is_text_between);

/** That cell, and the ends of the interval */
void mix_cells_sum(struct document *document, struct mix_figure figure, int is_relative,
		   int is_text_between);

#endif
