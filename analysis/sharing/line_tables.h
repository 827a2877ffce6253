/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of lines that are shared, of the accesses to each, and of what to move apart. */
#ifndef ANALYSIS_SHARING_LINE_TABLES_H
#define ANALYSIS_SHARING_LINE_TABLES_H

#include "answer.h"
#include "statistics/table.h"

/* Lines, the worst first, and who accesses each how */
void sharing_add_lines(struct document *document, struct sharing_answer *answer);

#endif
