/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixes of recordings side by side: what of each class was executed, how far apart, and how sure that is. */
#ifndef ANALYSIS_MIX_COMPARE_H
#define ANALYSIS_MIX_COMPARE_H

#include "analysis/compared.h"

#include "pivot.h"

/* Rows that are compared at most: those that have the most executions on either side */
#define MIX_COMPARED_MOST 500u

/* A recording */
struct mix_compared_run {
	const struct mix_pivot *pivot; /* by the same dimensions for all */
	struct mix_estimate *estimate; /* of its program, with a joint estimate */
};

#define MIX_COMPARED_COLUMNS (COMPARED_COLUMNS + 1 + MIX_DIMENSIONS_MOST)

struct mix_comparison {
	const struct mix_compared_run *side[2]; /* 'runs' recordings of each, which are of the same */
	uint32_t runs;
	double level; /* of all intervals together */
	uint32_t top; /* rows that are printed; all are compared */
	uint32_t number; /* of several comparisons, from 1 */
	const struct column *columns; /* of mix_compare_columns() */
	size_t column_count;
};

/**
 * @param columns  set; outlive the document, as 'title' does
 * @param title    above the names of rows
 * @return how many there are
 */
size_t mix_compare_columns(const struct mix_pivot_of *of, const char *title,
			   struct column columns[MIX_COMPARED_COLUMNS]);

struct mix_comparing;

/** @param of  as all in it, stays where it is. @return NULL: memory is short */
struct mix_comparing *mix_compare_open(const struct mix_comparison *of);
void mix_compare_close(struct mix_comparing *comparing);

/* What certainly differs: 'rule' is executions or share, 'of' all or the row's names */
typedef void mix_compare_teller(void *data, const char *rule, const char *of, const char *sentence,
				const struct compared *compared);

/** The number of all instructions, then the shares that differ most: a few. */
void mix_compare_tell(struct mix_comparing *comparing, mix_compare_teller *tell, void *data);

void mix_compare_table(struct mix_comparing *comparing, struct document *document);

#endif
