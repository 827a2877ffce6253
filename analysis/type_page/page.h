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

/* A type, where in one of it an access is, and the file that has it */
struct page_place {
	const char *file;
	const struct precis_data_type *type;
	uint64_t offset;
};

/* The tally of a shape of an event; NULL if memory is short */
struct type_tally *type_page_have_tally(const struct by *by, struct by_event *event,
					const struct type_shape *shape);

/* Likewise of a type that need not be asked for: 'sample' has what its place does not tell */
int type_page_tally(struct by *by, struct by_event *event, const struct sample_batch *batch,
		    uint32_t row, const struct page_place *place, struct tally_sample *sample);

/* A sample of a report, of which by->told has the type. 0, or -1 likewise */
int type_advice_add(struct by *by, struct by_event *event, const struct sample_batch *batch,
		    uint32_t row);

/* What an event's samples say of its types' layouts. @return 0: none has enough samples */
int type_advice_table(struct document *document, const struct by *by, uint32_t kind,
		      uint32_t place);

void type_tallies_saved(struct saving *saving, struct by *by, struct by_event *event);

/* What another run counted. 0, or -1 likewise */
int type_page_merge(struct by *by, struct by_event *event, struct by *others,
		    const struct by_event *other, uint32_t recording);

void type_page_free_event(const struct by_event *event);

void type_page_tables(struct document *document, const struct by *by);

/* Has the type that was asked for a sample? */
int type_page_is_there(const struct by *by);

#endif
