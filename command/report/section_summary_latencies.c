/* SPDX-License-Identifier: BSD-3-Clause */
/* Key figures of latencies: of each definition a small table, which its name and meaning head. */
#include "definitions.h"
#include "figures.h"
#include "pebs_figures.h"
#include "summary.h"

const char *const summary_of_misses = "loads that miss the L1";
const char *const summary_of_levels[LEVELS] = {
	[PRECIS_MEM_LEVEL_L2] = "loads from the L2",
	[PRECIS_MEM_LEVEL_LFB] = "loads from an outstanding miss",
	[PRECIS_MEM_LEVEL_L3] = "loads from the L3",
	[PRECIS_MEM_LEVEL_LOCAL_CACHE] = "loads from a cache of the node",
	[PRECIS_MEM_LEVEL_NEAR_CACHE] = "loads from another core complex",
	[PRECIS_MEM_LEVEL_FAR_CACHE] = "loads from a far node's cache",
	[PRECIS_MEM_LEVEL_DRAM] = "loads from DRAM",
	[PRECIS_MEM_LEVEL_PMEM] = "loads from persistent memory",
	[PRECIS_MEM_LEVEL_CXL] = "loads from extension memory",
	[PRECIS_MEM_LEVEL_IO] = "loads from MMIO",
};
const struct summary_of_tlb summary_of_dtlb = {
	"accesses that miss the L1 DTLB",
	"accesses that walk page tables",
	PRECIS_FIELD_TLB_LEVEL,
};
const struct summary_of_tlb summary_of_itlb = {
	"fetches that miss the L1 ITLB",
	"fetches that walk page tables",
	PRECIS_FIELD_ITLB_LEVEL,
};

static void begin(struct document *document, enum precis_field field)
{
	static const struct column columns[] = {
		{ "median", "median", 0 },
		{ "p95", "p95", 0 },
		{ "p99", "p99", 0 },
		{ "n", "n", COLUMN_N },
	};
	const struct latency_definition *definition = latency_definition(field);

	table_continue(document, definition->summary, definition->heading, columns, 4);
	table_about(document, definition->topics, TABLE_OF_ALL);
}

/* The sum of some histograms, NULL being an empty one; nothing if no sample has that latency. */
static void row(struct document *document, const char *name, struct histogram *const *histograms,
		size_t count)
{
	static const uint32_t percentiles[] = { 50, 95, 99 };
	struct histogram_summary summary = { 0 };
	struct histogram sum;

	sum_of_histograms(document, &sum, histograms, count);
	histogram_summarize(&sum, &summary);
	if (summary.count) {
		row_begin(document, "%s", name);
		for (size_t i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++)
			cell_count(document, histogram_percentile(&sum, percentiles[i], 100));
		cell_count(document, summary.count);
	}
	histogram_free(&sum);
}

static void table_of_one(struct document *document, enum precis_field field, const char *name,
			 struct histogram *const *histograms, size_t count)
{
	begin(document, field);
	row(document, name, histograms, count);
	table_drop_empty(document);
}

static void table_misses(struct document *document, const struct op_counts *op)
{
	begin(document, PRECIS_FIELD_DCACHE_MISS_LATENCY);
	row(document, summary_of_misses, &op->miss_latency[0][0], LEVELS * REMOTES);
	for (uint32_t level = 1; level < LEVELS; level++) {
		if (summary_of_levels[level])
			row(document, summary_of_levels[level], op->miss_latency[level], REMOTES);
	}
	table_drop_empty(document);
}

static void table_refills(struct document *document, const struct tlb_counts *tlb,
			  enum precis_field field, const struct summary_of_tlb *rows)
{
	begin(document, field);
	row(document, rows->missed, &tlb->refill[0][0], TLB_LEVELS * PAGE_COUNT);
	row(document, rows->walked, tlb->refill[PRECIS_TLB_LEVEL_WALK], PAGE_COUNT);
	table_drop_empty(document);
}

static void table_retirement(struct document *document, const struct op_counts *op)
{
	struct histogram *of_kinds[OP_KINDS];

	for (uint32_t kind = 0; kind < OP_KINDS; kind++)
		of_kinds[kind] = op->pipeline[kind][TAG_TO_RETIRE];
	table_of_one(document, PRECIS_FIELD_TAG_TO_RETIRE, "all ops", of_kinds, OP_KINDS);
}

static void tables_of_ops(struct document *document, const struct op_counts *op)
{
	table_misses(document, op);
	table_refills(document, &op->tlb, PRECIS_FIELD_TLB_REFILL_LATENCY, &summary_of_dtlb);
	table_retirement(document, op);
}

static void tables_of_fetches(struct document *document, const struct fetch_counts *fetch)
{
	table_of_one(document, PRECIS_FIELD_FETCH_LATENCY, "all fetches", fetch->latency,
		     FETCH_OUTCOMES);
	table_refills(document, &fetch->tlb, PRECIS_FIELD_ITLB_REFILL_LATENCY, &summary_of_itlb);
}

static void tables_of_pebs(struct document *document, const struct pebs_counts *pebs)
{
	for (uint32_t which = 0; which < PEBS_LATENCIES; which++) {
		begin(document, pebs_latency_fields[which]);
		rows_pebs_latency(document, pebs, which);
		table_drop_empty(document);
	}
	begin(document, PRECIS_FIELD_RETIRE_LATENCY);
	rows_pebs_retirement(document, pebs);
	table_drop_empty(document);
}

void tables_of_latencies(struct document *document, const struct collection *collection)
{
	if (collection->op.samples)
		tables_of_ops(document, &collection->op);
	if (collection->fetch.samples)
		tables_of_fetches(document, &collection->fetch);
	if (collection->pebs.count)
		tables_of_pebs(document, &collection->pebs);
}
