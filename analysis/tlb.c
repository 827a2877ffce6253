/* SPDX-License-Identifier: BSD-3-Clause */
/* See tlb.h: what the data and the instruction TLB have in common. */
#include "tlb.h"

#include "definitions.h"
#include "merge.h"

static enum page page_of(const struct precis_sample *sample, enum precis_field field)
{
	uint64_t bytes;

	if (!precis_get(sample, field, &bytes))
		return PAGE_ABSENT;
	switch (bytes) {
	case UINT64_C(1) << 12:
		return PAGE_4K;
	case UINT64_C(1) << 14:
		return PAGE_16K;
	case UINT64_C(1) << 21:
		return PAGE_2M;
	case UINT64_C(1) << 30:
		return PAGE_1G;
	default:
		return PAGE_ABSENT;
	}
}

void tlb_add(struct tlb *tlb, const struct tlb_of *of, const struct precis_sample *sample,
	     const struct weighted *samples)
{
	uint32_t level = index_of(sample, of->level, TLB_LEVELS, 0);

	weighted_add(&tlb->samples[level][page_of(sample, of->page)], samples);
}

struct latencies **tlb_refill(struct tlb *tlb, const struct tlb_of *of,
			      const struct precis_sample *sample)
{
	return &tlb->refill[index_of(sample, of->level, TLB_LEVELS, 0)][page_of(sample, of->page)];
}

int tlb_merge(struct tlb *tlb, struct tlb *others)
{
	WEIGHTED_MERGE(tlb->samples, others->samples);
	return LATENCIES_MERGE(tlb->refill, others->refill);
}

void tlb_free(struct tlb *tlb)
{
	latencies_free_all(&tlb->refill[0][0], TLB_LEVELS * PAGE_COUNT);
}

static struct weighted tlb_at(const struct tlb *tlb, uint32_t level)
{
	struct weighted samples = { 0 };

	for (uint32_t page = 0; page < PAGE_COUNT; page++)
		weighted_add(&samples, &tlb->samples[level][page]);
	return samples;
}

struct weighted tlb_total(const struct tlb *tlb)
{
	struct weighted samples = { 0 };

	for (uint32_t level = 0; level < TLB_LEVELS; level++) {
		const struct weighted at = tlb_at(tlb, level);

		weighted_add(&samples, &at);
	}
	return samples;
}

void tlb_key_shares(struct document *document, const struct tlb *tlb, const struct tlb_of *of)
{
	static const struct weighted none;
	const struct weighted all = tlb_total(tlb), untold = tlb_at(tlb, 0);
	const struct weighted known = weighted_rest(&all, &untold);
	const struct weighted walks = tlb_at(tlb, PRECIS_TLB_LEVEL_WALK);
	const struct weighted second = tlb_at(tlb, PRECIS_TLB_LEVEL_L2);
	const struct weighted misses = weighted_sum_of(&walks, &second);

	if (!known.samples)
		return;
	/* Of samples that were in one of L1 and L2 nobody knows whether the L1 missed */
	row_figure(document, of->missed, of->level, of->of, &misses,
		   tlb_at(tlb, PRECIS_TLB_LEVEL_L1_OR_L2).samples ? &none : &known);
	row_figure(document, of->walked, of->level, of->of, &walks, &known);
}

void tlb_key_latencies(struct document *document, const struct tlb *tlb, const struct tlb_of *of)
{
	key_latencies_begin(document, of->refill);
	row_key_latency(document, of->missed, &tlb->refill[0][0], TLB_LEVELS * PAGE_COUNT);
	row_key_latency(document, of->walked, tlb->refill[PRECIS_TLB_LEVEL_WALK], PAGE_COUNT);
	table_drop_empty(document);
}

void tlb_findings(struct findings *findings, enum finding_id id, const struct tlb *tlb,
		  const struct tlb_of *of)
{
	const struct weighted all = tlb_total(tlb), untold = tlb_at(tlb, 0);
	const struct weighted known = weighted_rest(&all, &untold);
	const struct weighted walks = tlb_at(tlb, PRECIS_TLB_LEVEL_WALK);

	findings_share(findings, id, of->level, &walks, &known, of->of, NULL);
}

static void row(struct document *document, const struct tlb *tlb, const struct tlb_of *of,
		const struct weighted *total, uint32_t level, uint32_t page)
{
	static const char *const pages[PAGE_COUNT] = { "", "/4K", "/16K", "/2M", "/1G" };
	const char *name = precis_type_value_name(PRECIS_TYPE_TLB_LEVEL, level);

	row_begin(document, "%s%s", level && name ? name : "not reported", pages[page]);
	if (!level && page == PAGE_ABSENT)
		row_is_untold(document);
	cell_count(document, tlb->samples[level][page].samples);
	cell_share_by(document, of->level, &tlb->samples[level][page], total);
	cells_latency(document, tlb->refill[level][page]);
}

void tlb_table(struct document *document, const struct tlb *tlb, const struct tlb_of *of,
	       const struct reasons *reasons, uint32_t populations)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },
		{ "share", "share [95% CI]", 0 },
		LATENCY_COLUMNS,
	};
	const struct weighted total = tlb_total(tlb);

	table_begin(document, of->name, of->title, "level/page", columns,
		    sizeof(columns) / sizeof(columns[0]));
	table_about(document, of->topics, TABLE_OF_ALL);
	for (uint32_t level = 1; level <= TLB_LEVELS; level++) {
		uint32_t at = level % TLB_LEVELS; /* "not reported" is the last */

		for (uint32_t page = 1; page <= PAGE_COUNT; page++) {
			if (tlb->samples[at][page % PAGE_COUNT].samples)
				row(document, tlb, of, &total, at, page % PAGE_COUNT);
		}
	}
	row_begin(document, "%s", of->all);
	row_is_sum(document);
	cell_count(document, total.samples);
	cell_absent(document);
	cells_latency_of_all(document, &tlb->refill[0][0], TLB_LEVELS * PAGE_COUNT);
	reasons_tell(reasons, of->level, populations, document);
	reasons_tell(reasons, of->page, populations, document);
	reasons_tell(reasons, of->refill, populations, document);
}
