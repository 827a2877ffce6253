/* SPDX-License-Identifier: BSD-3-Clause */
/* What figures are about: bits, by which warnings find the tables that they concern. */
#ifndef ANALYSIS_TOPICS_H
#define ANALYSIS_TOPICS_H

enum topic {
	TOPIC_OPS = 1 << 0,      /* whatever comes from ibs_op */
	TOPIC_FETCHES = 1 << 1,  /* from ibs_fetch */
	TOPIC_OTHERS = 1 << 2,   /* from events that are not precise */
	TOPIC_PEBS = 1 << 3,     /* from PEBS */
	TOPIC_ACCESSES = 1 << 4, /* of these: address, data source, TLB */
	TOPIC_LATENCY = 1 << 5,  /* the latencies of accesses */
	TOPIC_RETIRE = 1 << 6,   /* retire_latency */
	TOPIC_PLACES = 1 << 7,   /* addresses of instructions */
	TOPIC_CORE = 1 << 8,     /* what is known of the core itself */
};

#endif
