/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of PEBS to look at first. */
#ifndef ANALYSIS_PEBS_KEY_FIGURES_H
#define ANALYSIS_PEBS_KEY_FIGURES_H

#include "counts.h"

/* The key figures, event by event: shares, and those of one latency, which may be none. */
void pebs_rows_shares(struct document *document, const struct pebs *pebs);
void pebs_rows_latency(struct document *document, const struct pebs *pebs,
		       enum pebs_latency which);
void pebs_rows_retirement(struct document *document, const struct pebs *pebs);

#endif
