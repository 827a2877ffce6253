/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that several sections of PEBS have. */
#ifndef REPORT_PEBS_FIGURES_H
#define REPORT_PEBS_FIGURES_H

#include "document/table.h"
#include "collect.h"

/* The kinds of accesses in the order of rows, as they begin a row's name: "load/". */
extern const char *const pebs_access_prefixes[PEBS_ACCESSES];

/* Is anything known of accesses of that kind? */
int pebs_access_is_told(const struct pebs_event *event, enum access access);

/* Their populations; 0 if nothing is known of any. */
uint32_t pebs_populations(const struct pebs_event *event);

/*
 * The share of those where it is so. Absent if no sample says that it is not so though some say
 * nothing: then those that know are those where it is so, and are no share of anything.
 */
void cell_condition(struct document *document, enum pebs_condition condition,
		    const struct flag *flag, uint64_t samples);

/* The share of samples that do that. If the event samples nothing else, it has no interval. */
void cell_share_of_kind(struct document *document, const struct precis_event *view, uint32_t kind,
			uint64_t k, uint64_t n);

/* What sums up one kind of access: "all loads". */
extern const char *const pebs_all_accesses[PEBS_ACCESSES];
void row_all(struct document *document, enum access access);

/* The key figures, event by event: shares, and those of one latency, which may be none. */
void rows_pebs(struct document *document, const struct collection *collection);
void rows_pebs_latency(struct document *document, const struct pebs_counts *pebs,
		       enum pebs_latency which);
void rows_pebs_retirement(struct document *document, const struct pebs_counts *pebs);

#endif
