/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of several recordings: the same place of the same file is one. */
#ifndef ANALYSIS_TOP_MERGE_H
#define ANALYSIS_TOP_MERGE_H

#include "analysis/merge.h"

/* analysis.merge, of two struct top */
int top_merge(void *state, void *other, const struct analysis_merge *how);

#endif
