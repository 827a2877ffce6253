/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of who shares with whom: the matrix, the pairs, and what each has of all. */
#ifndef ANALYSIS_SHARING_PAIR_TABLES_H
#define ANALYSIS_SHARING_PAIR_TABLES_H

#include "answer.h"
#include "statistics/table.h"

/* All transfers, whoever wrote */
double sharing_transfers_of(const struct sharing_answer *answer);

void sharing_add_matrix(struct document *document, const struct sharing_answer *answer);
void sharing_add_pairs(struct document *document, const struct sharing_answer *answer);
void sharing_add_parties(struct document *document, const struct sharing_answer *answer);

#endif
