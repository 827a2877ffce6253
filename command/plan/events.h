/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events plans are made for. */
#ifndef PLAN_EVENTS_H
#define PLAN_EVENTS_H

#include <precis/precis.h>

/* Is there one event of that name, or which one is it? */
enum plan_event_kind {
	PLAN_PLAIN,
	PLAN_TRACEPOINT, /* "SYSTEM:NAME" */
	PLAN_BREAKPOINT  /* "mem:ADDRESS[/LENGTH][:ACCESS]" */
};

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
	enum plan_event_kind kind;
	int kernel_counts;
};

/* perf record's own ring for each CPU, unless -m says otherwise */
#define PERF_RING_BYTES (UINT64_C(512) << 10)

/* NULL past the last */
const struct plan_event *plan_event_at(uint32_t n);

/* NULL if there is none of that name: as in events.def, or of a tracepoint or breakpoint */
const struct plan_event *plan_event_find(const char *name);

/* What perf record puts into every sample of a program, if it samples one event; with -a there are
 * PRECIS_SAMPLE_CPU and _IDENTIFIER, too */
#define PLAN_USUAL_PARTS (PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME)

#endif
