/* SPDX-License-Identifier: BSD-3-Clause */
/* From an op's being tagged to its retirement, split at its completion: a table for each part. */
#include "definitions.h"
#include "figures.h"
#include "sections.h"

static const uint32_t fields[PIPELINE_COUNT] = {
	[TAG_TO_RETIRE] = PRECIS_FIELD_TAG_TO_RETIRE,
	[TAG_TO_COMPLETION] = PRECIS_FIELD_TAG_TO_COMPLETION,
	[COMPLETION_TO_RETIRE] = PRECIS_FIELD_COMPLETION_TO_RETIRE,
};

static void row_of_all(struct document *document, const struct op_counts *op, enum pipeline which)
{
	struct histogram *of_kinds[OP_KINDS], sum;

	for (uint32_t kind = 0; kind < OP_KINDS; kind++)
		of_kinds[kind] = op->pipeline[kind][which];
	sum_of_histograms(document, &sum, of_kinds, OP_KINDS);
	row_begin(document, "all ops");
	row_is_sum(document);
	cells_latency(document, &sum);
	histogram_free(&sum);
}

static void rows(struct document *document, const struct collection *collection,
		 enum pipeline which)
{
	const struct op_counts *op = &collection->op;

	row_of_all(document, op, which);
	for (uint32_t i = PRECIS_OP_LOAD; i <= OP_KINDS; i++) {
		uint32_t kind = i % OP_KINDS;

		if (!op->kind[kind])
			continue;
		row_begin(document, "%s", name_of_kind(kind));
		cells_latency(document, op->pipeline[kind][which]);
	}
	reasons_tell(&collection->reasons, fields[which], POPULATION_OPS, document);
}

void section_pipeline(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = { LATENCY_COLUMNS };
	const size_t count = sizeof(columns) / sizeof(columns[0]);

	if (!collection->op.samples)
		return;
	for (uint32_t which = 0; which < PIPELINE_COUNT; which++) {
		const struct latency_definition *is = latency_definition(fields[which]);

		if (which)
			table_continue(document, is->table, is->heading, columns, count);
		else
			table_begin(document, is->table,
				    "From tag to retirement, split at completion", is->heading,
				    columns, count);
		table_about(document, VALIDITY_OPS, TABLE_OF_ALL);
		rows(document, collection, which);
	}
}
