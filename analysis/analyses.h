/* SPDX-License-Identifier: BSD-3-Clause */
/* The analyses that there are, by name. A new one has a line here and a row in list.c. */
#ifndef ANALYSIS_ANALYSES_H
#define ANALYSIS_ANALYSES_H

#include "analysis.h"

extern const struct analysis analysis_samples, analysis_ops, analysis_memory, analysis_dtlb,
	analysis_accesses, analysis_miss_buffers, analysis_pipeline, analysis_branches,
	analysis_fetch, analysis_pebs, analysis_offcpu, analysis_top, analysis_by,
	analysis_in_step, analysis_sharing;

#endif
