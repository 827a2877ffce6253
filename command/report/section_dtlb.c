/* SPDX-License-Identifier: BSD-3-Clause */
/* Which data TLB had the translation, and how long refills took. */
#include "figures.h"
#include "sections.h"

void section_dtlb(struct document *document, const struct collection *collection)
{
	static const uint32_t fields[] = { PRECIS_FIELD_TLB_LEVEL, PRECIS_FIELD_PAGE_SIZE,
					   PRECIS_FIELD_TLB_REFILL_LATENCY };

	if (!tlb_total(&collection->op.tlb))
		return;
	table_tlb(document, "dtlb",
		  "Data TLB of loads, stores and prefetches; cycles of an L1 TLB refill",
		  "all accesses", &collection->op.tlb, VALIDITY_OPS);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		reasons_tell(&collection->reasons, fields[i], POPULATION_MEMORY, document);
}
