/* SPDX-License-Identifier: BSD-3-Clause */
/* All analyses, in the order of their tables in a report. */
#ifndef ANALYSIS_LIST_H
#define ANALYSIS_LIST_H

#include "analysis.h"

extern const struct analysis *const analyses[]; /* NULL behind the last */

#endif
