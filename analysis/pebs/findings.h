/* SPDX-License-Identifier: BSD-3-Clause */
/* What of PEBS events is to be looked at first. */
#ifndef ANALYSIS_PEBS_FINDINGS_H
#define ANALYSIS_PEBS_FINDINGS_H

#include "counts.h"

void pebs_findings(struct findings *findings, const struct pebs *pebs);

#endif
