/* SPDX-License-Identifier: BSD-3-Clause */
/* What each latency is, and in which tables it stands. */
#include "definitions.h"

#include <stddef.h>

#include "topics.h"

#define PEBS_LATENCY (TOPIC_PEBS | TOPIC_LATENCY)
#define PEBS_RETIRE (TOPIC_PEBS | TOPIC_RETIRE)

static const struct latency_definition definitions[] = {
	{ PRECIS_FIELD_DCACHE_MISS_LATENCY, TOPIC_OPS, "summary_dcache_miss_latency", NULL,
	  "dcache_miss_latency: cycles from miss to data" },
	{ PRECIS_FIELD_TLB_REFILL_LATENCY, TOPIC_OPS, "summary_tlb_refill_latency", NULL,
	  "tlb_refill_latency: cycles of data TLB refills" },
	{ PRECIS_FIELD_TAG_TO_RETIRE, TOPIC_OPS, "summary_tag_to_retire", "pipeline_tag_to_retire",
	  "tag_to_retire: cycles from tag to retirement" },
	{ PRECIS_FIELD_TAG_TO_COMPLETION, TOPIC_OPS, NULL, "pipeline_tag_to_completion",
	  "tag_to_completion: cycles from tag to completion" },
	{ PRECIS_FIELD_COMPLETION_TO_RETIRE, TOPIC_OPS, NULL, "pipeline_completion_to_retire",
	  "completion_to_retire: cycles from completion to retirement" },
	{ PRECIS_FIELD_FETCH_LATENCY, TOPIC_FETCHES, "summary_fetch_latency", NULL,
	  "fetch_latency: cycles from start to data or to being given up" },
	{ PRECIS_FIELD_ITLB_REFILL_LATENCY, TOPIC_FETCHES, "summary_itlb_refill_latency", NULL,
	  "itlb_refill_latency: cycles of instruction TLB refills" },
	{ PRECIS_FIELD_LOAD_LATENCY, PEBS_LATENCY, "summary_load_latency", "pebs_load_latency",
	  "load_latency: cycles from dispatch to usable data" },
	{ PRECIS_FIELD_CACHE_LATENCY, PEBS_LATENCY, "summary_cache_latency", "pebs_cache_latency",
	  "cache_latency: cycles in caches and memory" },
	{ PRECIS_FIELD_INSTRUCTION_LATENCY, PEBS_LATENCY, "summary_instruction_latency",
	  "pebs_instruction_latency", "instruction_latency: cycles from dispatch to completion" },
	{ PRECIS_FIELD_RETIRE_LATENCY, PEBS_RETIRE, "summary_retire_latency", "pebs_retire_latency",
	  "retire_latency: cycles from the retirement before to this one's" },
};

const struct latency_definition *latency_definition(enum precis_field field)
{
	for (size_t i = 0; i < sizeof(definitions) / sizeof(definitions[0]); i++) {
		if (definitions[i].field == (uint32_t)field)
			return &definitions[i];
	}
	return NULL;
}
