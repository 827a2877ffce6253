/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that several sections of PEBS have. */
#ifndef ANALYSIS_PEBS_FIGURES_H
#define ANALYSIS_PEBS_FIGURES_H

#include "counts.h"

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
			const struct weighted *part, const struct weighted *whole);

/* What sums up one kind of access: "all loads". */
extern const char *const pebs_all_accesses[PEBS_ACCESSES];
void row_all(struct document *document, enum access access);

/* What the tables of one event share. */
struct pebs_table_of {
	const struct pebs_event *event;
	const struct precis_event *view; /* how it was configured */
	uint32_t populations; /* of the accesses that anything is known of */
	int is_one_of_several;
};

/* A table whose name and title tell the event where there are several. 'topics': of topics.h */
void pebs_table_begin(struct document *document, const struct pebs_table_of *of, const char *name,
		      const char *title, const char *row_title, const struct column *columns,
		      size_t column_count, uint32_t topics);

#endif
