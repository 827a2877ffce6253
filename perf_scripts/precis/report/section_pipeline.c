/* SPDX-License-Identifier: BSD-3-Clause */
/* From an op's being tagged to its retirement, split at its completion. */
#include "figures.h"
#include "sections.h"

static const uint32_t fields[PIPELINE_COUNT] = {
	[TAG_TO_RETIRE] = PRECIS_FIELD_TAG_TO_RETIRE,
	[TAG_TO_COMPLETION] = PRECIS_FIELD_TAG_TO_COMPLETION,
	[COMPLETION_TO_RETIRE] = PRECIS_FIELD_COMPLETION_TO_RETIRE,
};

static void rows_of_kind(struct document *document, const struct op_counts *op, uint32_t kind)
{
	for (uint32_t i = 0; i < PIPELINE_COUNT; i++) {
		row_begin(document, "%s/%s", name_of_kind(kind),
			  precis_field_name(fields[i]));
		cells_latency(document, op->pipeline[kind][i]);
	}
}

static void rows_of_all(struct document *document, const struct op_counts *op)
{
	struct histogram *of_kinds[OP_KINDS], sum;

	for (uint32_t i = 0; i < PIPELINE_COUNT; i++) {
		for (uint32_t kind = 0; kind < OP_KINDS; kind++)
			of_kinds[kind] = op->pipeline[kind][i];
		sum_of_histograms(document, &sum, of_kinds, OP_KINDS);
		row_begin(document, "all ops/%s", precis_field_name(fields[i]));
		cells_latency(document, &sum);
		histogram_free(&sum);
	}
}

void section_pipeline(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = { LATENCY_COLUMNS };
	const struct op_counts *op = &collection->op;

	if (!op->samples)
		return;
	table_begin(document, "pipeline", "Cycles from tag to retirement, split at completion",
		    "ops/cycles", columns, sizeof(columns) / sizeof(columns[0]));
	rows_of_all(document, op);
	for (uint32_t kind = PRECIS_OP_LOAD; kind <= OP_KINDS; kind++) {
		if (op->kind[kind % OP_KINDS])
			rows_of_kind(document, op, kind % OP_KINDS);
	}
	for (uint32_t i = 0; i < PIPELINE_COUNT; i++)
		reasons_tell(&collection->reasons, fields[i], POPULATION_OPS, document);
}
