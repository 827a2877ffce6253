/* SPDX-License-Identifier: BSD-3-Clause */
/* Of lines that were sampled: whose bytes are side by side there, and what to move apart. */
#ifndef ANALYSIS_SHARING_LINE_ADVICE_H
#define ANALYSIS_SHARING_LINE_ADVICE_H

#include "answer.h"

/* A table, for the first lines of the answer; none where there is nothing to say */
void sharing_add_advice(struct document *document, struct sharing_answer *answer, uint32_t lines);

#endif
