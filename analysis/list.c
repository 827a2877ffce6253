/* SPDX-License-Identifier: BSD-3-Clause */
/* See list.h. */
#include "list.h"

#include "analyses.h"

const struct analysis *const analyses[] = {
	&analysis_samples,
	&analysis_ops,
	&analysis_memory,
	&analysis_dtlb,
	&analysis_accesses,
	&analysis_miss_buffers,
	&analysis_pipeline,
	&analysis_branches,
	&analysis_fetch,
	&analysis_pebs,
	&analysis_offcpu,
	&analysis_top,
	&analysis_by,
	&analysis_sharing,
	&analysis_in_step,
	NULL,
};
