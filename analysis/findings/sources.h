/* SPDX-License-Identifier: BSD-3-Clause */
/* Where loads got their data as findings. */
#ifndef ANALYSIS_FINDINGS_SOURCES_H
#define ANALYSIS_FINDINGS_SOURCES_H

#include "analysis/kinds.h"
#include "findings.h"

/* All loads that are 'of' something, by level and node */
void findings_sources(struct findings *findings, const struct weighted levels[LEVELS][REMOTES],
		      const char *of);

#endif
