/* SPDX-License-Identifier: BSD-3-Clause */
/* Of lines that were sampled: whose bytes are side by side there, and what to move apart. */
#ifndef ANALYSIS_SHARING_LINE_ADVICE_H
#define ANALYSIS_SHARING_LINE_ADVICE_H

#include "answer.h"
#include "neighbours.h"

/* Uses of a line that are looked at; lines with more get no advice */
#define LINE_USES_MOST 1024u

struct line_neighbours {
	struct sharing_own_use *uses; /* 'which': the way of most samples, from 1 */
	struct sharing_neighbours *pairs;
	uint32_t pair_count;
};

/* 0, or -1 if memory is short; to be freed in any case */
int line_neighbours_find(const struct sharing_lines *lines, const struct sharing_line *line,
			 struct line_neighbours *found);
void line_neighbours_free(struct line_neighbours *found);

/* A table, for the first lines of the answer; none where there is nothing to say */
void sharing_add_advice(struct document *document, struct sharing_answer *answer, uint32_t lines);

#endif
