/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events plans are made for. */
#ifndef PLAN_EVENTS_H
#define PLAN_EVENTS_H

#include <precis/precis.h>

/* Members are the columns of events.def. */
struct plan_event {
	const char *name, *perf, *record, *papi;
	uint32_t unit;
	uint64_t period_least, period_most; /* 0: there is no most */
	double random_start;
	uint64_t parts;
	uint32_t raw_bytes, pebs_bytes;
	int is_throttled;
	const char *published;
};

/* perf record's own ring for each CPU, unless -m says otherwise */
#define PERF_RING_BYTES (UINT64_C(512) << 10)

/* NULL past the last */
const struct plan_event *plan_event_at(uint32_t n);

/* NULL if there is none of that name */
const struct plan_event *plan_event_find(const char *name);

/* What perf record puts into every sample of a program, and with -a */
#define PLAN_USUAL_PARTS                                                                           \
	(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_IDENTIFIER |    \
	 PRECIS_SAMPLE_CPU)

#endif
