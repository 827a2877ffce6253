/* SPDX-License-Identifier: BSD-3-Clause */
/* Adding up what two runs of an analysis counted (run.h: analysis_run_merge()). */
#ifndef ANALYSIS_MERGE_H
#define ANALYSIS_MERGE_H

#include "analysis.h"

/* How what the other run tells apart is called in this one */
struct analysis_merge {
	/* By the place of an event there, 0 included: its place here */
	const uint32_t *place[EVENT_KINDS];
	/* Whose tasks and processes these are: a number for each recording of this run, 0 for its own */
	uint32_t recording;
};

static inline void counts_merge(uint64_t *counts, const uint64_t *others, size_t count)
{
	for (size_t i = 0; i < count; i++)
		counts[i] += others[i];
}

/* Arrays of counts of any dimensions, and of what consists of counts */
#define COUNTS_MERGE(to, from)                                                                     \
	counts_merge((uint64_t *)&(to), (const uint64_t *)&(from), sizeof(to) / (sizeof(uint64_t)))

/* Arrays of latencies, likewise: what only the other has goes over. 0, or -1 if memory is short */
#define LATENCIES_MERGE(to, from)                                                                  \
	latencies_merge_all((struct latencies **)&(to), (struct latencies **)&(from),              \
			    sizeof(to) / (sizeof(struct latencies *)))

#endif
