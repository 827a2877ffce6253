/* SPDX-License-Identifier: BSD-3-Clause */
/* What to move apart, so that lines are not falsely shared any more: a row for each two neighbours. */
#ifndef ANALYSIS_SHARING_ADVICE_H
#define ANALYSIS_SHARING_ADVICE_H

#include "answer.h"
#include "neighbours.h"
#include "statistics/table.h"

struct sharing_advice {
	struct document *document;
	const struct sharing_answer *answer;
	/* What a use is of; texts live until the next call. 'named' has what the caller gave */
	void (*name)(void *named, const struct sharing_own_use *use, struct sharing_datum *datum);
	void *named;
	uint32_t rows; /* so far */
};

void sharing_advice_begin(struct sharing_advice *advice);

/* Is what 'seen' accesses say of a line false sharing for certain, of most of them? */
int sharing_is_mostly_false(uint64_t apart, uint64_t seen);

/*
 * Two neighbours on the line of that number in the page, from 1, of which 'apart' are false sharing, of 'all'
 * of all lines
 */
void sharing_advise(struct sharing_advice *advice, uint32_t number, double apart, double all,
		    const struct sharing_own_use *lower, const struct sharing_own_use *upper);
void sharing_advice_end(struct sharing_advice *advice);

#endif
