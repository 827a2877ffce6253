/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a report counts of PEBS samples.
 *
 * Each event is counted apart: a load latency event samples loads above its
 * threshold, another one all stores, and what a latency is depends on the core.
 * Events that are configured alike are one.
 */
#ifndef REPORT_PEBS_COLLECT_H
#define REPORT_PEBS_COLLECT_H

#include <precis/precis.h>

#include "class.h"
#include "event_places.h"
#include "kinds.h"
#include "reasons.h"

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
	uint32_t number; /* of the first event in the file that is configured so */
	uint64_t samples;
	uint64_t inexact; /* address not known to be the instruction's own */
	uint64_t kind[OP_KINDS];
	uint64_t level[PEBS_ACCESSES][LEVELS][REMOTES];
	uint64_t snoop[PEBS_ACCESSES][SNOOPS];
	uint64_t tlb[PEBS_ACCESSES][TLB_LEVELS];
	struct flag condition[PEBS_ACCESSES][PEBS_CONDITIONS];
	struct latencies *latency[PEBS_LATENCIES][PEBS_ACCESSES][LEVELS][REMOTES];
	struct latencies *retire[OP_KINDS];
	struct reasons reasons;
};

struct pebs_counts {
	struct pebs_event **events; /* in the order of their first samples */
	struct event_places places;
	uint32_t count, room;
	uint64_t samples; /* of all events */
	uint64_t unmatched; /* of these: out of the AUX area, of no known event */
	int failed; /* memory was short */
};

/* Which numbers samples must be decoded for, and what a class's representative is. */
void pebs_fields_measured(uint64_t wanted[PRECIS_FIELD_WORDS]);
void pebs_fields_decided(uint64_t wanted[PRECIS_FIELD_WORDS]);

void pebs_counts_free(struct pebs_counts *pebs);

/* The place + 1 of the sample's event; 0 if memory is short. */
uint32_t pebs_event_place(struct pebs_counts *pebs, struct precis_file *file,
			  const struct precis_event *view);

/* The same where there is but one event, of number 0. */
uint32_t pebs_only_event_place(struct pebs_counts *pebs);

/* Where the numbers of a new class's samples go; 'full' is its representative. */
void pebs_add_measures(struct pebs_counts *pebs, struct pebs_event *event,
		       struct sample_class *class, const struct precis_sample *full);

/* All samples of a class. */
void pebs_settle(struct pebs_counts *pebs, struct pebs_event *event,
		 const struct precis_sample *sample, uint64_t samples);

/* All samples are settled: the events come in the order of the file from now on. */
void pebs_finish(struct pebs_counts *pebs);

/* After that: the event of that number, NULL if it has no sample. */
const struct pebs_event *pebs_event_numbered(const struct pebs_counts *pebs, uint32_t number);

/* All samples of that kind of access. */
uint64_t pebs_access_total(const struct pebs_event *event, enum access access);

/* All latencies of that definition of one kind of access, to be freed. -1 if memory is short. */
int pebs_sum_latencies(const struct pebs_event *event, enum pebs_latency which,
		       enum access access, struct latencies *sum);

#endif
