/* SPDX-License-Identifier: BSD-3-Clause */
/* Which bytes of shared lines whose instructions access, on which CPUs, and how long loads take. */
#ifndef ANALYSIS_SHARING_ACCESS_TABLE_H
#define ANALYSIS_SHARING_ACCESS_TABLE_H

#include "answer.h"
#include "statistics/table.h"

/* Of the first lines of the answer */
void sharing_add_accesses(struct document *document, const struct sharing_answer *answer,
			  uint32_t lines);

#endif
