/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures to look at first, in a few lines. */
#include "figures.h"
#include "pebs_figures.h"
#include "sections.h"
#include "summary.h"

static void rows_loads(struct document *document, const struct op_counts *op)
{
	const struct flag *missed = &op->dcache_miss[ACCESS_LOAD];
	uint64_t loads = access_total(op, ACCESS_LOAD);

	row_figure(document, "loads", PRECIS_FIELD_OP, "ops", loads, op->samples);
	if (!loads)
		return;
	row_figure(document, summary_of_misses, PRECIS_FIELD_DCACHE_MISS, "loads", missed->yes,
		   missed->known);
	for (uint32_t level = 1; level < LEVELS; level++) {
		uint64_t samples = access_at(op, ACCESS_LOAD, level);

		if (samples && summary_of_levels[level])
			row_figure(document, summary_of_levels[level], PRECIS_FIELD_MEM_LEVEL,
				   "loads", samples, loads);
	}
}

static void rows_tlb(struct document *document, const struct tlb_counts *tlb, const char *of,
		     const struct summary_of_tlb *rows)
{
	uint64_t known = tlb_total(tlb) - tlb_at(tlb, 0);
	uint64_t walks = tlb_at(tlb, PRECIS_TLB_LEVEL_WALK);
	uint64_t misses = walks + tlb_at(tlb, PRECIS_TLB_LEVEL_L2);

	if (!known)
		return;
	/* Of samples that were in one of L1 and L2 nobody knows whether the L1 missed */
	row_figure(document, rows->missed, rows->field, of, misses,
		   tlb_at(tlb, PRECIS_TLB_LEVEL_L1_OR_L2) ? 0 : known);
	row_figure(document, rows->walked, rows->field, of, walks, known);
}

static void rows_ops(struct document *document, const struct op_counts *op)
{
	const struct flag *missed = &op->mispredicted[BRANCH_ALL];

	rows_loads(document, op);
	row_figure(document, "stores", PRECIS_FIELD_OP, "ops", op->kind[PRECIS_OP_STORE],
		   op->samples);
	rows_tlb(document, &op->tlb, "accesses", &summary_of_dtlb);
	if (op->own_buffer.known)
		row_figure(document, "misses with their own buffer",
			   PRECIS_FIELD_MISS_BUFFER_ALLOCATED, "misses", op->own_buffer.yes,
			   op->own_buffer.known);
	/* perf's words do not tell branches */
	row_figure(document, "retired branches", PRECIS_FIELD_OP, "ops", op->branches[BRANCH_ALL],
		   op->samples - op->from_words);
	row_figure(document, "branches mispredicted", PRECIS_FIELD_BRANCH_MISPREDICTED, "branches",
		   missed->yes, missed->known);
}

static void rows_fetch(struct document *document, const struct fetch_counts *fetch)
{
	row_figure(document, "fetches completed", PRECIS_FIELD_FETCH_COMPLETED, "fetches",
		   fetch->outcome[FETCH_COMPLETED], fetch->samples);
	row_figure(document, "fetches that miss the op cache", PRECIS_FIELD_OPCACHE_MISS, "fetches",
		   fetch->opcache_miss.yes, fetch->opcache_miss.known);
	row_figure(document, "fetches that miss the L1I", PRECIS_FIELD_ICACHE_MISS, "fetches",
		   fetch->icache_miss.yes, fetch->icache_miss.known);
	rows_tlb(document, &fetch->tlb, "fetches", &summary_of_itlb);
}

/* What there are samples of */
static uint32_t topics_of(const struct collection *collection)
{
	return (collection->op.samples ? VALIDITY_OPS : 0) |
	       (collection->fetch.samples ? VALIDITY_FETCHES : 0) |
	       (collection->pebs.count ? VALIDITY_PEBS | VALIDITY_ACCESSES : 0);
}

void section_summary(struct document *document, const struct collection *collection)
{
	static const struct column columns[] = {
		{ "share", "share [95% CI]", 0 },
		{ "of", "of", COLUMN_OF },
	};

	table_begin(document, "summary", "Key figures", "", columns, 2);
	table_about(document, topics_of(collection), TABLE_OF_ALL);
	if (collection->op.samples)
		rows_ops(document, &collection->op);
	if (collection->fetch.samples)
		rows_fetch(document, &collection->fetch);
	rows_pebs(document, collection);
	if (!collection->op.samples && !collection->fetch.samples && !collection->pebs.count)
		table_note(document, collection->samples ?
			   "no sample carries what can be decoded of IBS or PEBS: see precis info" :
			   "there are no samples");
	tables_of_latencies(document, collection);
}
