/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a report counts of PEBS samples.
 *
 * Each event is counted apart: a load latency event samples loads above its
 * threshold, another one all stores, and what a latency is depends on the core.
 * Events that are configured alike are one.
 */
#ifndef ANALYSIS_PEBS_COUNTS_H
#define ANALYSIS_PEBS_COUNTS_H

#include <precis/precis.h>

#include "analysis/event_places.h"
#include "analysis/analysis.h"
#include "analysis/kinds.h"

/* Kinds of accesses, and samples that tell none */
#define ACCESS_UNTOLD ACCESS_COUNT
#define PEBS_ACCESSES (ACCESS_UNTOLD + 1)

/* Latencies of accesses: each its own definition, and never together */
enum pebs_latency { LATENCY_LOAD, LATENCY_CACHE, LATENCY_INSTRUCTION, PEBS_LATENCIES };
extern const uint8_t pebs_latency_fields[PEBS_LATENCIES];

/* Fields that are true or false */
enum pebs_condition {
	CONDITION_DCACHE_MISS,
	CONDITION_L2_MISS,
	CONDITION_LOCKED,
	CONDITION_DATA_BLOCKED,
	CONDITION_ADDRESS_BLOCKED,
	CONDITION_FORWARDED,
	CONDITION_FILL_BUFFER_FULL,
	PEBS_CONDITIONS
};
extern const uint8_t pebs_condition_fields[PEBS_CONDITIONS];

/* Latencies are allocated with the first class that fills them: NULL is an empty one. */
struct pebs_event {
	uint32_t place;  /* from 1 */
	uint32_t number; /* of the first event in the file that is configured so */
	struct weighted samples;
	struct weighted kind[OP_KINDS];
	struct weighted level[PEBS_ACCESSES][LEVELS][REMOTES];
	struct weighted snoop[PEBS_ACCESSES][SNOOPS];
	struct weighted tlb[PEBS_ACCESSES][TLB_LEVELS];
	struct flag condition[PEBS_ACCESSES][PEBS_CONDITIONS];
	struct latencies *latency[PEBS_LATENCIES][PEBS_ACCESSES][LEVELS][REMOTES];
	struct latencies *retire[OP_KINDS];
	struct reasons reasons;
};

struct pebs {
	const struct analysis_about *about;
	struct pebs_event **events; /* by place - 1: in the order of their first samples */
	uint32_t count, room;
	int failed; /* memory was short */
};

/*
 * The event that is told apart as that one, from 1, made if need be. NULL: it is not known, or memory
 * is short ('failed').
 */
struct pebs_event *pebs_event_at(struct pebs *pebs, uint32_t place);

/* In the order of the file: the event behind that one, the first behind NULL; NULL behind the last. */
const struct pebs_event *pebs_event_next(const struct pebs *pebs, const struct pebs_event *event);

void pebs_free(struct pebs *pebs);

/* How that event was configured. */
const struct precis_event *pebs_view(const struct pebs *pebs, const struct pebs_event *event);

/* The event of that number; NULL if it has no sample. */
const struct pebs_event *pebs_event_numbered(const struct pebs *pebs, uint32_t number);

/* All samples of that kind of access. */
struct weighted pebs_access_total(const struct pebs_event *event, enum access access);

/* All latencies of that definition of one kind of access, to be freed. -1 if memory is short. */
int pebs_sum_latencies(const struct pebs_event *event, enum pebs_latency which,
		       enum access access, struct latencies *sum);

#endif
