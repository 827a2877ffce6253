/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report counts while it reads samples, and has when all are read. */
#ifndef REPORT_COLLECT_H
#define REPORT_COLLECT_H

#include <precis/precis.h>

#include "buffer.h"
#include "class.h"
#include "kinds.h"
#include "offcpu_records.h"
#include "command/recording/closing.h"
#include "pebs_collect.h"
#include "reasons.h"
#include "top.h"

#define PERIOD_UNITS (PRECIS_PERIOD_UNIT_FETCHES + 2) /* the last: not reported */

enum page { PAGE_ABSENT, PAGE_4K, PAGE_16K, PAGE_2M, PAGE_1G, PAGE_COUNT };

enum pipeline { TAG_TO_RETIRE, TAG_TO_COMPLETION, COMPLETION_TO_RETIRE, PIPELINE_COUNT };

/* Retired branches, in groups that overlap */
enum branch_group {
	BRANCH_ALL,
	BRANCH_TAKEN,
	BRANCH_NOT_TAKEN,
	BRANCH_RETURN,
	BRANCH_FUSED,
	BRANCH_GROUPS
};

enum fetch_outcome { FETCH_COMPLETED, FETCH_GIVEN_UP, FETCH_KILLED, FETCH_UNKNOWN, FETCH_OUTCOMES };

/* Histograms are allocated with the first class that fills them: NULL is an empty one. */
struct tlb_counts {
	uint64_t samples[TLB_LEVELS][PAGE_COUNT];
	struct histogram *refill[TLB_LEVELS][PAGE_COUNT];
};

struct op_counts {
	uint64_t samples; /* decoded */
	uint32_t cores; /* that they can be of; 0: none was decoded */
	uint64_t from_words; /* of these: no registers, but what the kernel made of them */
	uint64_t kind[OP_KINDS];
	uint64_t level[ACCESS_COUNT][LEVELS][REMOTES];
	struct histogram *miss_latency[LEVELS][REMOTES]; /* loads have one */
	struct flag dcache_miss[ACCESS_COUNT];
	struct tlb_counts tlb;
	struct flag own_buffer; /* of misses */
	struct histogram *buffers;
	struct histogram *pipeline[OP_KINDS][PIPELINE_COUNT];
	uint64_t branches[BRANCH_GROUPS];
	struct flag mispredicted[BRANCH_GROUPS];
	struct flag l3_miss_only;
	uint64_t period_unit[PERIOD_UNITS];
};

struct fetch_counts {
	uint64_t samples; /* decoded */
	uint32_t cores;
	uint64_t outcome[FETCH_OUTCOMES];
	struct histogram *latency[FETCH_OUTCOMES];
	struct flag icache_miss, opcache_miss, l2_miss, l3_miss;
	struct tlb_counts tlb;
	struct flag l3_miss_only;
};

struct collection {
	struct precis_file *file;     /* NULL: there is a buffer instead */
	struct report_buffer *buffer; /* NULL: there is a file */
	uint64_t full[PRECIS_FIELD_WORDS]; /* what a class's representative is decoded for */
	struct class_table classes;
	struct precis_sample scratch;
	struct op_counts op;
	struct fetch_counts fetch;
	struct pebs_counts pebs;
	struct faults faults;
	struct event_places others;
	uint64_t other;                 /* samples of events that carry nothing precise */
	uint64_t undecodable[TOP_KINDS]; /* of IBS events, by event kind */
	struct reasons reasons;
	struct top top;
	struct offcpu_records switches;
	int has_switches; /* 1: an event may tell of context switches */
	uint64_t samples; /* selected, of any event */
	uint64_t first_time, last_time; /* ns; first > last: no sample has a time */
	uint64_t least_period, most_period; /* least > most: not known */
	int failed; /* memory was short: what has been counted is not complete */
};

/*
 * 'file' or 'buffer', the other one is NULL. 'wanted' is set to what samples must be decoded for.
 * 0, or -1 if memory is short.
 */
int collection_init(struct collection *collection, struct precis_file *file,
		    struct report_buffer *buffer, uint64_t wanted[PRECIS_FIELD_WORDS]);
void collection_free(struct collection *collection);

/* Count one sample, decoded for what collection_init() wanted. 'record': NULL of a buffer */
void collect_sample(struct collection *collection, const struct precis_record *record,
		    const struct precis_sample *sample);

/* The same of one out of the AUX area, decoded for what collection_want_traced() wants. */
void collect_traced(struct collection *collection, const struct precis_sample *sample);
void collection_want_traced(const struct collection *collection,
			    uint64_t wanted[PRECIS_FIELD_WORDS]);

/* All samples are counted: make the figures. */
void collection_finish(struct collection *collection);

/* The CPU that took the samples, as far as it is known. */
const struct precis_cpu *collection_cpu(const struct collection *collection);

/* How that event was configured. */
const struct precis_event *collection_event(const struct collection *collection, uint32_t number);

enum page page_of(uint64_t bytes);

#endif
