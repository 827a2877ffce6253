/* SPDX-License-Identifier: BSD-3-Clause */
/* From an op's being tagged to its retirement, split at its completion: a table for each part. */
#include "definitions.h"
#include "figures.h"
#include "analyses.h"
#include "merge.h"
#include "saving/fields.h"
#include "topics.h"

enum { TAG_TO_RETIRE, TAG_TO_COMPLETION, COMPLETION_TO_RETIRE, PIPELINE_COUNT };

struct pipeline {
	uint64_t ops;
	uint64_t kind[OP_KINDS];
	struct latencies *latency[PIPELINE_COUNT][OP_KINDS];
};

static const uint8_t decided[] = { PRECIS_FIELD_OP, FIELDS_END };
static const uint8_t numbers[PIPELINE_COUNT + 1] = {
	[TAG_TO_RETIRE] = PRECIS_FIELD_TAG_TO_RETIRE,
	[TAG_TO_COMPLETION] = PRECIS_FIELD_TAG_TO_COMPLETION,
	[COMPLETION_TO_RETIRE] = PRECIS_FIELD_COMPLETION_TO_RETIRE,
	[PIPELINE_COUNT] = FIELDS_END,
};

static struct latencies **number(void *state, const struct sample_group *group, uint32_t n)
{
	return &((struct pipeline *)state)->latency[n][kind_of(group->sample)];
}

static int settle(void *state, const struct sample_group *group)
{
	struct pipeline *pipeline = state;

	pipeline->ops += group->weighted->samples;
	pipeline->kind[kind_of(group->sample)] += group->weighted->samples;
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct pipeline *pipeline = state, *others = other;

	(void)how; /* no event is told apart */
	pipeline->ops += others->ops;
	COUNTS_MERGE(pipeline->kind, others->kind);
	return LATENCIES_MERGE(pipeline->latency, others->latency);
}

static void free_state(void *state)
{
	latencies_free_all(&((struct pipeline *)state)->latency[0][0], PIPELINE_COUNT * OP_KINDS);
}

static void key_latencies(struct document *document, const void *state)
{
	const struct pipeline *pipeline = state;

	key_latencies_begin(document, PRECIS_FIELD_TAG_TO_RETIRE);
	row_key_latency(document, "all ops", pipeline->latency[TAG_TO_RETIRE], OP_KINDS);
	table_drop_empty(document);
}

static void rows(struct document *document, const struct pipeline *pipeline, uint32_t which)
{
	row_begin(document, "all ops");
	row_is_sum(document);
	cells_latency_of_all(document, pipeline->latency[which], OP_KINDS);
	for (uint32_t i = PRECIS_OP_LOAD; i <= OP_KINDS; i++) {
		uint32_t kind = i % OP_KINDS;

		if (!pipeline->kind[kind])
			continue;
		row_begin(document, "%s", name_of_kind(kind));
		cells_latency(document, pipeline->latency[which][kind]);
	}
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	static const struct column columns[] = { LATENCY_COLUMNS };
	const size_t count = sizeof(columns) / sizeof(columns[0]);
	const struct pipeline *pipeline = state;

	for (uint32_t which = 0; pipeline->ops && which < PIPELINE_COUNT; which++) {
		const struct latency_definition *is = latency_definition(numbers[which]);

		if (which)
			table_continue(document, is->table, is->heading, columns, count);
		else
			table_begin(document, is->table,
				    "From tag to retirement, split at completion", is->heading,
				    columns, count);
		table_about(document, TOPIC_OPS, TABLE_OF_ALL);
		rows(document, pipeline, which);
		reasons_tell(reasons, numbers[which], POPULATION_OPS, document);
	}
}

static const struct saved_field saved[] = {
	SAVED_U64(struct pipeline, ops),
	SAVED_U64(struct pipeline, kind),
	SAVED_LATENCIES(struct pipeline, latency),
	SAVED_END,
};

const struct analysis analysis_pipeline = {
	.name = "pipeline",
	.of = ANALYSIS_OF_OPS,
	.state_bytes = sizeof(struct pipeline),
	.decided = decided,
	.numbers = numbers,
	.explained = numbers,
	.number = number,
	.settle = settle,
	.merge = merge,
	.saved = saved,
	.free = free_state,
	.key_latencies = key_latencies,
	.tables = tables,
};
