/* SPDX-License-Identifier: BSD-3-Clause */
/* A TLB: which level had the translation of pages of which size, and how long refills took. */
#ifndef ANALYSIS_TLB_H
#define ANALYSIS_TLB_H

#include "statistics/weighted.h"
#include "figures.h"
#include "findings/findings.h"
#include "reasons.h"

enum page { PAGE_ABSENT, PAGE_4K, PAGE_16K, PAGE_2M, PAGE_1G, PAGE_COUNT };

struct tlb {
	struct weighted samples[TLB_LEVELS][PAGE_COUNT];
	struct latencies *refill[TLB_LEVELS][PAGE_COUNT];
};

/* What is a TLB's own: its fields, and how it is called */
struct tlb_of {
	enum precis_field level, page, refill;
	const char *name, *title, *all; /* of its table, and the row that sums it up */
	const char *missed, *walked, *of; /* key figures, and what they are shares of */
	uint32_t topics;
};

void tlb_add(struct tlb *tlb, const struct tlb_of *of, const struct precis_sample *sample,
	     const struct weighted *samples);
struct latencies **tlb_refill(struct tlb *tlb, const struct tlb_of *of,
			      const struct precis_sample *sample);
/* Another one's, too: refills may go over. 0, or -1 if memory is short */
int tlb_merge(struct tlb *tlb, struct tlb *others);
void tlb_free(struct tlb *tlb);

struct weighted tlb_total(const struct tlb *tlb);

void tlb_key_shares(struct document *document, const struct tlb *tlb, const struct tlb_of *of);
void tlb_key_latencies(struct document *document, const struct tlb *tlb, const struct tlb_of *of);
void tlb_table(struct document *document, const struct tlb *tlb, const struct tlb_of *of,
	       const struct reasons *reasons, uint32_t populations);

/* How many walk, by that rule */
void tlb_findings(struct findings *findings, enum finding_id id, const struct tlb *tlb,
		  const struct tlb_of *of);

#endif
