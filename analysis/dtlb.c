/* SPDX-License-Identifier: BSD-3-Clause */
/* Which data TLB had the translation, and how long refills took. */
#include "analyses.h"
#include "merge.h"
#include "saving/fields.h"
#include "tlb.h"
#include "topics.h"

static const struct tlb_of of = {
	.level = PRECIS_FIELD_TLB_LEVEL,
	.page = PRECIS_FIELD_PAGE_SIZE,
	.refill = PRECIS_FIELD_TLB_REFILL_LATENCY,
	.name = "dtlb",
	.title = "Data TLB of loads, stores and prefetches; cycles of an L1 TLB refill",
	.all = "all accesses",
	.missed = "accesses that miss the L1 DTLB",
	.walked = "accesses that walk page tables",
	.of = "accesses",
	.topics = TOPIC_OPS,
};

static const uint8_t decided[] = { PRECIS_FIELD_OP, PRECIS_FIELD_TLB_LEVEL, PRECIS_FIELD_PAGE_SIZE,
				   FIELDS_END };
static const uint8_t numbers[] = { PRECIS_FIELD_TLB_REFILL_LATENCY, FIELDS_END };
static const uint8_t explained[] = { PRECIS_FIELD_TLB_LEVEL, PRECIS_FIELD_PAGE_SIZE,
				     PRECIS_FIELD_TLB_REFILL_LATENCY, FIELDS_END };

static struct latencies **number(void *state, const struct sample_group *group, uint32_t n)
{
	(void)n; /* there is one */
	return tlb_refill(state, &of, group->sample);
}

static int settle(void *state, const struct sample_group *group)
{
	if (access_of(kind_of(group->sample)) != ACCESS_COUNT)
		tlb_add(state, &of, group->sample, group->weighted);
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct tlb *tlb = state, *others = other;

	(void)how; /* no event is told apart */
	return tlb_merge(tlb, others);
}

static void free_state(void *state)
{
	tlb_free(state);
}

static uint32_t key_shares(struct document *document, const void *state)
{
	tlb_key_shares(document, state, &of);
	return 0;
}

static void key_latencies(struct document *document, const void *state)
{
	tlb_key_latencies(document, state, &of);
}

static void findings(struct findings *findings, const void *state)
{
	tlb_findings(findings, FINDING_ID_page_walks, state, &of);
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	if (tlb_total(state).samples)
		tlb_table(document, state, &of, reasons, POPULATION_MEMORY);
}

static const struct saved_field saved[] = {
	SAVED_WEIGHTED(struct tlb, samples),
	SAVED_LATENCIES(struct tlb, refill),
	SAVED_END,
};

const struct analysis analysis_dtlb = {
	.name = "dtlb",
	.of = ANALYSIS_OF_OPS,
	.state_bytes = sizeof(struct tlb),
	.decided = decided,
	.numbers = numbers,
	.explained = explained,
	.number = number,
	.settle = settle,
	.merge = merge,
	.saved = saved,
	.free = free_state,
	.key_shares = key_shares,
	.key_latencies = key_latencies,
	.findings = findings,
	.tables = tables,
};
