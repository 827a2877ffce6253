/* SPDX-License-Identifier: BSD-3-Clause */
/* A page for a type: its members as they lie, with what samples say of each. */
#ifndef ANALYSIS_TYPE_PAGE_PAGE_H
#define ANALYSIS_TYPE_PAGE_PAGE_H

#include "analysis/by/state.h"

/* Groups of columns that are told together */
enum page_part { PAGE_KIND, PAGE_LEVELS, PAGE_TRANSLATION, PAGE_PARTS };

/* The columns that it wants, all BY_IS; the part of one of them */
void type_page_choose_columns(struct by *by);
enum page_part type_page_part(const struct by_column *column);

/* The n-th of the latencies that samples are asked for; -1: there are no more */
int type_page_latency(uint32_t n);

/* A sample, of which by_type_value() has told the type. 0, or -1 if memory is short */
int type_page_add(struct by *by, struct by_event *event, const struct sample_batch *batch, uint32_t row,
		  const struct by_value *key);

/* What another run counted. 0, or -1 likewise */
int type_page_merge(struct by *by, struct by_event *event, struct by *others,
		    const struct by_event *other, uint32_t recording);

void type_page_free_event(const struct by_event *event);

void type_page_tables(struct document *document, const struct by *by);

/* Has the type that was asked for a sample? */
int type_page_is_there(const struct by *by);

#endif
