/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that several sections have. */
#include "figures.h"

void cells_latency(struct document *document, const struct histogram *histogram)
{
	static const uint32_t percentiles[] = { 50, 95, 99 };
	struct histogram_summary summary = { 0 };

	if (histogram)
		histogram_summarize(histogram, &summary);
	cell_count(document, summary.count);
	if (!summary.count)
		return;
	cell_decimal(document, summary.mean, summary.count);
	for (size_t i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++)
		cell_count(document, histogram_percentile(histogram, percentiles[i], 100));
	cell_count(document, summary.max);
}

const char *name_of_kind(uint32_t kind)
{
	return kind == OP_UNTOLD ? "not reported" : precis_type_value_name(PRECIS_TYPE_OP, kind);
}

void row_figure(struct document *document, const char *name, enum precis_field field,
		const char *of, uint64_t k, uint64_t n)
{
	row_begin(document, "%s", name);
	cell_share_by(document, field, k, n);
	cell_of(document, n, of);
}

void row_level(struct document *document, const char *before, uint32_t level, uint32_t remote)
{
	const char *name = precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, level);

	if (!level || !name)
		name = "not reported";
	if (remote == REMOTE_ABSENT)
		row_begin(document, "%s%s", before, name);
	else
		row_begin(document, "%s%s/%s", before, name,
			  precis_type_value_name(PRECIS_TYPE_MEM_REMOTE, remote));
	if (!level && remote == REMOTE_ABSENT)
		row_is_untold(document);
}

void sum_of_histograms(struct document *document, struct histogram *sum,
		       struct histogram *const *histograms, size_t count)
{
	*sum = (struct histogram){ 0 };
	for (size_t i = 0; i < count; i++) {
		if (histograms[i] && histogram_merge(sum, histograms[i]) < 0)
			document->failed = 1;
	}
}

uint64_t tlb_at(const struct tlb_counts *tlb, uint32_t level)
{
	uint64_t samples = 0;

	for (uint32_t page = 0; page < PAGE_COUNT; page++)
		samples += tlb->samples[level][page];
	return samples;
}

uint64_t tlb_total(const struct tlb_counts *tlb)
{
	uint64_t samples = 0;

	for (uint32_t level = 0; level < TLB_LEVELS; level++)
		samples += tlb_at(tlb, level);
	return samples;
}

uint64_t access_at(const struct op_counts *op, enum access access, uint32_t level)
{
	uint64_t samples = 0;

	for (uint32_t remote = 0; remote < REMOTES; remote++)
		samples += op->level[access][level][remote];
	return samples;
}

uint64_t access_total(const struct op_counts *op, enum access access)
{
	uint64_t samples = 0;

	for (uint32_t level = 0; level < LEVELS; level++)
		samples += access_at(op, access, level);
	return samples;
}

static void tlb_row(struct document *document, const struct tlb_counts *tlb, uint32_t level,
		    uint32_t page, uint64_t total, uint32_t topic)
{
	static const char *const pages[PAGE_COUNT] = { "", "/4K", "/16K", "/2M", "/1G" };
	const char *name = precis_type_value_name(PRECIS_TYPE_TLB_LEVEL, level);

	row_begin(document, "%s%s", level && name ? name : "not reported", pages[page]);
	if (!level && page == PAGE_ABSENT)
		row_is_untold(document);
	cell_count(document, tlb->samples[level][page]);
	cell_share_by(document,
		      topic == VALIDITY_OPS ? PRECIS_FIELD_TLB_LEVEL : PRECIS_FIELD_ITLB_LEVEL,
		      tlb->samples[level][page], total);
	cells_latency(document, tlb->refill[level][page]);
}

void table_tlb(struct document *document, const char *name, const char *title, const char *all,
	       const struct tlb_counts *tlb, uint32_t topic)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
		LATENCY_COLUMNS,
	};
	uint64_t total = tlb_total(tlb);
	struct histogram sum;

	table_begin(document, name, title, "level/page", columns,
		    sizeof(columns) / sizeof(columns[0]));
	table_about(document, topic, TABLE_OF_ALL);
	for (uint32_t level = 1; level <= TLB_LEVELS; level++) {
		uint32_t at = level % TLB_LEVELS; /* "not reported" is the last */

		for (uint32_t page = 1; page <= PAGE_COUNT; page++) {
			if (tlb->samples[at][page % PAGE_COUNT])
				tlb_row(document, tlb, at, page % PAGE_COUNT, total, topic);
		}
	}
	row_begin(document, "%s", all);
	row_is_sum(document);
	cell_count(document, total);
	cell_absent(document);
	sum_of_histograms(document, &sum, &tlb->refill[0][0], TLB_LEVELS * PAGE_COUNT);
	cells_latency(document, &sum);
	histogram_free(&sum);
}
