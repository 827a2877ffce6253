/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures to look at first, in a few lines. */
#include "figures.h"
#include "pebs_figures.h"
#include "sections.h"

/* Sums of histograms that a row needs; freed by the caller. */
static void level_latency(struct document *document, const struct op_counts *op, uint32_t level,
			  struct histogram *sum)
{
	sum_of_histograms(document, sum, op->miss_latency[level], REMOTES);
}

static void rows_loads(struct document *document, const struct op_counts *op)
{
	static const char *const names[LEVELS] = {
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
	const struct flag *missed = &op->dcache_miss[ACCESS_LOAD];
	uint64_t loads = access_total(op, ACCESS_LOAD);
	struct histogram sum;

	row_figure(document, &(struct figure){ "loads", "ops", loads, op->samples, NULL });
	if (!loads)
		return;
	sum_of_histograms(document, &sum, &op->miss_latency[0][0], LEVELS * REMOTES);
	row_figure(document, &(struct figure){ "loads that miss the L1", "loads", missed->yes,
					    missed->known, &sum });
	histogram_free(&sum);
	for (uint32_t level = 1; level < LEVELS; level++) {
		uint64_t samples = access_at(op, ACCESS_LOAD, level);

		if (!samples || !names[level])
			continue;
		level_latency(document, op, level, &sum);
		row_figure(document,
			&(struct figure){ names[level], "loads", samples, loads, &sum });
		histogram_free(&sum);
	}
}

/* Of samples that were in one of L1 and L2 nobody knows whether the L1 missed */
static void row_tlb_misses(struct document *document, const struct tlb_counts *tlb,
			   const char *of, const char *name, uint64_t misses, uint64_t known)
{
	struct histogram sum;

	if (tlb_at(tlb, PRECIS_TLB_LEVEL_L1_OR_L2))
		known = 0;
	sum_of_histograms(document, &sum, &tlb->refill[0][0], TLB_LEVELS * PAGE_COUNT);
	row_figure(document, &(struct figure){ name, of, misses, known, &sum });
	histogram_free(&sum);
}

static void rows_tlb(struct document *document, const struct tlb_counts *tlb, const char *of,
		     const char *missed, const char *walked)
{
	uint64_t known = tlb_total(tlb) - tlb_at(tlb, 0);
	uint64_t walks = tlb_at(tlb, PRECIS_TLB_LEVEL_WALK);
	struct histogram sum;

	if (!known)
		return;
	row_tlb_misses(document, tlb, of, missed, walks + tlb_at(tlb, PRECIS_TLB_LEVEL_L2), known);
	sum_of_histograms(document, &sum, tlb->refill[PRECIS_TLB_LEVEL_WALK], PAGE_COUNT);
	row_figure(document, &(struct figure){ walked, of, walks, known, &sum });
	histogram_free(&sum);
}

static void row_pipeline(struct document *document, const struct op_counts *op, const char *name,
			 enum pipeline which)
{
	struct histogram *of_kinds[OP_KINDS], sum;

	for (uint32_t kind = 0; kind < OP_KINDS; kind++)
		of_kinds[kind] = op->pipeline[kind][which];
	sum_of_histograms(document, &sum, of_kinds, OP_KINDS);
	row_figure(document, &(struct figure){ name, NULL, 0, 0, &sum });
	histogram_free(&sum);
}

static void rows_ops(struct document *document, const struct collection *collection)
{
	static const struct histogram none;
	const struct op_counts *op = &collection->op;
	const struct flag *missed = &op->mispredicted[BRANCH_ALL];

	rows_loads(document, op);
	row_figure(document,
		&(struct figure){ "stores", "ops", op->kind[PRECIS_OP_STORE], op->samples, NULL });
	rows_tlb(document, &op->tlb, "accesses", "accesses that miss the L1 DTLB",
		 "accesses that walk page tables");
	if (op->own_buffer.known)
		row_figure(document,
			&(struct figure){ "misses with their own buffer", "misses",
					  op->own_buffer.yes, op->own_buffer.known, NULL });
	if (op->own_buffer.known)
		row_figure(document, &(struct figure){ "miss buffers open (buffers)", NULL, 0, 0,
						    op->buffers ? op->buffers : &none });
	row_pipeline(document, op, "tag to retirement", TAG_TO_RETIRE);
	row_pipeline(document, op, "tag to completion", TAG_TO_COMPLETION);
	row_pipeline(document, op, "completion to retirement", COMPLETION_TO_RETIRE);
	/* perf's words do not tell branches */
	row_figure(document, &(struct figure){ "retired branches", "ops", op->branches[BRANCH_ALL],
					       op->samples - op->from_words, NULL });
	row_figure(document, &(struct figure){ "branches mispredicted", "branches", missed->yes,
					    missed->known, NULL });
}

static void rows_fetch(struct document *document, const struct fetch_counts *fetch)
{
	struct histogram sum;

	sum_of_histograms(document, &sum, fetch->latency, FETCH_OUTCOMES);
	row_figure(document,
		&(struct figure){ "fetches completed", "fetches", fetch->outcome[FETCH_COMPLETED],
				  fetch->samples, &sum });
	histogram_free(&sum);
	row_figure(document,
		&(struct figure){ "fetches that miss the op cache", "fetches",
				  fetch->opcache_miss.yes, fetch->opcache_miss.known, NULL });
	row_figure(document,
		&(struct figure){ "fetches that miss the L1I", "fetches", fetch->icache_miss.yes,
				  fetch->icache_miss.known, NULL });
	rows_tlb(document, &fetch->tlb, "fetches", "fetches that miss the L1 ITLB",
		 "fetches that walk page tables");
}

void section_summary(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = {
		{ "share", "share [95% CI]", 0 }, { "of", "of", 0 },	 { "median", "median", 0 },
		{ "p95", "p95", 0 },		  { "p99", "p99", 0 },	 { "n", "n", 0 },
	};

	table_begin(document, "summary", "Key figures (latencies in core cycles)", "", columns, 6);
	if (collection->op.samples)
		rows_ops(document, collection);
	if (collection->fetch.samples)
		rows_fetch(document, &collection->fetch);
	rows_pebs(document, &collection->pebs);
	if (!collection->op.samples && !collection->fetch.samples && !collection->pebs.count)
		table_note(document, collection->samples ?
			   "no sample carries what can be decoded of IBS or PEBS: see precis info" :
			   "there are no samples");
}
