/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that several sections have. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "collect.h"
#include "document/table.h"
#include "command/validity/validity.h"

/* A latency in cycles: how many samples have one, and of these the mean and so on */
#define LATENCY_COLUMNS                                                                            \
	{ "latency_n", "n", COLUMN_N }, { "latency_mean", "mean", 0 },                                    \
		{ "latency_median", "median", 0 }, { "latency_p95", "p95", 0 },                    \
		{ "latency_p99", "p99", 0 }, { "latency_max", "max", 0 }

/* Their cells. NULL is an empty histogram: all absent but for the count. */
void cells_latency(struct document *document, const struct histogram *histogram);

/* What an op does; "not reported" */
const char *name_of_kind(uint32_t kind);

/* The row of a key figure: of how many how many are so, as the field says. */
void row_figure(struct document *document, const char *name, enum precis_field field,
		const char *of, uint64_t k, uint64_t n);

/* A row for a level and node, "not reported" where the level is 0; 'before' stands before it. */
void row_level(struct document *document, const char *before, uint32_t level, uint32_t remote);

/* All of them together, to be freed with histogram_free(); NULLs are empty. */
void sum_of_histograms(struct document *document, struct histogram *sum,
		       struct histogram *const *histograms, size_t count);

/* The table of a TLB: level and page size, with the latency of refills. 'topic': of validity.h */
void table_tlb(struct document *document, const char *name, const char *title, const char *all,
	       const struct tlb_counts *tlb, uint32_t topic);

/* All samples of a TLB's table, and of them those at one level. */
uint64_t tlb_total(const struct tlb_counts *tlb);
uint64_t tlb_at(const struct tlb_counts *tlb, uint32_t level);

/* All samples of one kind of access, and of them those from one level (of any node). */
uint64_t access_total(const struct op_counts *op, enum access access);
uint64_t access_at(const struct op_counts *op, enum access access, uint32_t level);

#endif
