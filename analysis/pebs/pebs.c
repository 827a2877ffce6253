/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting PEBS samples, event by event. */
#include "analysis/analyses.h"
#include "analysis/figures.h"
#include "analysis/merge.h"
#include "analysis/saving/fields.h"
#include "analysis/topics.h"
#include "counts.h"
#include "findings.h"
#include "key_figures.h"
#include "tables.h"

static const uint8_t decided[] = {
	PRECIS_FIELD_IP,	 PRECIS_FIELD_IP_EXACT,	    PRECIS_FIELD_OP,
	PRECIS_FIELD_MEM_LEVEL,	 PRECIS_FIELD_MEM_REMOTE,   PRECIS_FIELD_MEM_SNOOP,
	PRECIS_FIELD_TLB_LEVEL,	 PRECIS_FIELD_DCACHE_MISS,  PRECIS_FIELD_L2_MISS,
	PRECIS_FIELD_LOCKED,	 PRECIS_FIELD_DATA_BLOCKED, PRECIS_FIELD_ADDRESS_BLOCKED,
	PRECIS_FIELD_LINE_FORWARDED, PRECIS_FIELD_FILL_BUFFER_FULL, FIELDS_END,
};
/* Those of accesses come first, in their order */
static const uint8_t numbers[] = {
	PRECIS_FIELD_LOAD_LATENCY,   PRECIS_FIELD_CACHE_LATENCY, PRECIS_FIELD_INSTRUCTION_LATENCY,
	PRECIS_FIELD_RETIRE_LATENCY, FIELDS_END,
};
/* Beside conditions and latencies */
static const uint8_t explained[] = {
	PRECIS_FIELD_IP,        PRECIS_FIELD_OP,        PRECIS_FIELD_MEM_LEVEL,
	PRECIS_FIELD_MEM_REMOTE, PRECIS_FIELD_MEM_SNOOP, PRECIS_FIELD_TLB_LEVEL,
	PRECIS_FIELD_RETIRE_LATENCY,
};

static int begin(void *state, const struct analysis_about *about)
{
	((struct pebs *)state)->about = about;
	return 0;
}

static void free_state(void *state)
{
	pebs_free(state);
}

static struct latencies **number(void *state, const struct sample_group *group, uint32_t n)
{
	struct pebs_event *event = pebs_event_at(state, group->place);
	uint32_t kind = kind_of(group->sample);

	if (!event)
		return NULL;
	return n == PEBS_LATENCIES ?
		       &event->retire[kind] :
		       &event->latency[n][access_of(kind)][level_of(group->sample)]
				      [remote_of(group->sample)];
}

static void explain(struct pebs_event *event, const struct sample_group *group, uint32_t kind)
{
	const struct precis_sample *sample = group->sample;

	for (uint32_t i = 0; i < PEBS_CONDITIONS; i++)
		reasons_add(&event->reasons, sample, pebs_condition_fields[i], kind,
			    group->weighted->samples);
	for (uint32_t i = 0; i < PEBS_LATENCIES; i++)
		reasons_add(&event->reasons, sample, pebs_latency_fields[i], kind,
			    group->weighted->samples);
	for (size_t i = 0; i < sizeof(explained); i++)
		reasons_add(&event->reasons, sample, explained[i], kind,
			    group->weighted->samples);
}

static uint32_t snoop_of(const struct precis_sample *sample)
{
	return index_of(sample, PRECIS_FIELD_MEM_SNOOP, SNOOPS, SNOOP_ABSENT);
}

static int settle(void *state, const struct sample_group *group)
{
	struct pebs_event *event = pebs_event_at(state, group->place);
	const struct precis_sample *sample = group->sample;
	const struct weighted *all = group->weighted;
	uint32_t kind = kind_of(sample);
	enum access access = access_of(kind);

	if (((struct pebs *)state)->failed)
		return -1;
	if (!event)
		return 0;
	weighted_add(&event->samples, all);
	weighted_add(&event->kind[kind], all);
	weighted_add(&event->level[access][level_of(sample)][remote_of(sample)], all);
	weighted_add(&event->snoop[access][snoop_of(sample)], all);
	weighted_add(&event->tlb[access][index_of(sample, PRECIS_FIELD_TLB_LEVEL, TLB_LEVELS, 0)],
		     all);
	for (uint32_t i = 0; i < PEBS_CONDITIONS; i++)
		count_flag(&event->condition[access][i], sample, pebs_condition_fields[i],
			   all);
	explain(event, group, kind);
	return event->reasons.failed ? -1 : 0;
}

static int merge_event(struct pebs_event *event, struct pebs_event *other)
{
	weighted_add(&event->samples, &other->samples);
	WEIGHTED_MERGE(event->kind, other->kind);
	WEIGHTED_MERGE(event->level, other->level);
	WEIGHTED_MERGE(event->snoop, other->snoop);
	WEIGHTED_MERGE(event->tlb, other->tlb);
	WEIGHTED_MERGE(event->condition, other->condition);
	reasons_merge(&event->reasons, &other->reasons);
	if (LATENCIES_MERGE(event->latency, other->latency) < 0 ||
	    LATENCIES_MERGE(event->retire, other->retire) < 0 || event->reasons.failed)
		return -1;
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	const struct pebs *others = other;

	for (uint32_t n = 0; n < others->count; n++) {
		struct pebs_event *event =
			pebs_event_at(state, how->place[PRECIS_EVENT_PEBS][n + 1]);

		if (!event || merge_event(event, others->events[n]) < 0)
			return -1;
	}
	return 0;
}

static const struct saved_field event_fields[] = {
	SAVED_NOT(struct pebs_event, place), /* that of the list */
	SAVED_NOT(struct pebs_event, number), /* that of the place */
	SAVED_WEIGHTED(struct pebs_event, samples),
	SAVED_WEIGHTED(struct pebs_event, kind),
	SAVED_WEIGHTED(struct pebs_event, level),
	SAVED_WEIGHTED(struct pebs_event, snoop),
	SAVED_WEIGHTED(struct pebs_event, tlb),
	SAVED_WEIGHTED(struct pebs_event, condition),
	SAVED_LATENCIES(struct pebs_event, latency),
	SAVED_LATENCIES(struct pebs_event, retire),
	SAVED_REASONS(struct pebs_event, reasons),
	SAVED_END,
};

static void saves(struct saving *saving, void *state)
{
	struct pebs *pebs = state;
	const uint32_t count = saved_count(saving, pebs->count, pebs->about->events[PRECIS_EVENT_PEBS]->count,
					   64, "events");

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct pebs_event *event = pebs_event_at(pebs, n + 1);

		if (event)
			saved_fields(saving, event, event_fields);
		else
			saving_no_memory(saving);
	}
}

static uint32_t key_shares(struct document *document, const void *state)
{
	const struct pebs *pebs = state;

	pebs_rows_shares(document, pebs);
	return pebs->count ? TOPIC_PEBS | TOPIC_ACCESSES : 0;
}

static void key_latencies(struct document *document, const void *state)
{
	const struct pebs *pebs = state;

	if (!pebs->count)
		return;
	for (uint32_t which = 0; which < PEBS_LATENCIES; which++) {
		key_latencies_begin(document, pebs_latency_fields[which]);
		pebs_rows_latency(document, pebs, which);
		table_drop_empty(document);
	}
	key_latencies_begin(document, PRECIS_FIELD_RETIRE_LATENCY);
	pebs_rows_retirement(document, pebs);
	table_drop_empty(document);
}

static void findings(struct findings *findings, const void *state)
{
	pebs_findings(findings, state);
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	(void)reasons; /* each event has its own */
	pebs_tables(document, state);
}

const struct analysis analysis_pebs = {
	.name = "pebs",
	.of = ANALYSIS_OF_PEBS,
	.state_bytes = sizeof(struct pebs),
	.decided = decided,
	.numbers = numbers,
	.begin = begin,
	.number = number,
	.settle = settle,
	.merge = merge,
	.saves = saves,
	.free = free_state,
	.key_shares = key_shares,
	.key_latencies = key_latencies,
	.findings = findings,
	.tables = tables,
};
