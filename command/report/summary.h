/* SPDX-License-Identifier: BSD-3-Clause */
/* What the key figures' tables share: the names of rows, which are the same in each. */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include "collect.h"
#include "document/table.h"

struct summary_of_tlb {
	const char *missed, *walked;
	enum precis_field field;
};

extern const char *const summary_of_misses;
extern const char *const summary_of_levels[LEVELS]; /* NULL: no key figure */
extern const struct summary_of_tlb summary_of_dtlb, summary_of_itlb;

/* A small table for each latency that any sample has, below that of the shares. */
void tables_of_latencies(struct document *document, const struct collection *collection);

#endif
