/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the layouts of the types in a report cost: a tally of the members of each, whatever the report's rows
 * are, and the advice that it supports. See page.h and advice.def.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "analysis/batch.h"
#include "analysis/by/places.h"
#include "page.h"
#include "statistics/table.h"

/* Of fewer samples of a type nothing is advised */
#define FEWEST 100u

/* --- samples --- */

static int has_members(const struct precis_data_type *type)
{
	const uint32_t kind = precis_data_type_kind(type);

	return kind == PRECIS_DATA_KIND_STRUCTURE || kind == PRECIS_DATA_KIND_UNION;
}

int type_advice_add(struct by *by, struct by_event *event, const struct sample_batch *batch,
		    uint32_t row)
{
	const struct type_told *told = &by->told;
	struct tally_sample sample = { .weight = batch_weight(batch, row) };
	struct page_place place;

	if (!told->is_asked || !told->place.type || !has_members(told->place.type))
		return 0;
	place = (struct page_place){ told->file, told->place.type, told->place.offset };
	sample.weighted = weighted_of(1, sample.weight);
	return type_page_tally(by, event, batch, row, &place, &sample);
}

/* --- what is told --- */

static const char *const names[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = "by_other_type_advice",
	[PRECIS_EVENT_IBS_OP] = "by_ops_type_advice",
	[PRECIS_EVENT_IBS_FETCH] = "by_fetches_type_advice",
	[PRECIS_EVENT_PEBS] = "by_pebs_type_advice",
};
#define REST_NAME "by_pebs_rest_type_advice"

static const struct column columns[] = {
	{ "share", "share [95% CI]", 0 },
	{ "type", "type", COLUMN_LEFT },
	{ "advice", "advice", COLUMN_LEFT },
};

static const struct weighted *samples_of(const struct type_tally *tally)
{
	return &member_tally_whole(tally)->samples;
}

static int most_first(const void *one, const void *other)
{
	const struct type_tally *a = *(const struct type_tally *const *)one;
	const struct type_tally *b = *(const struct type_tally *const *)other;
	const uint64_t of_a = samples_of(a)->samples, of_b = samples_of(b)->samples;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return strcmp(a->shape->name, b->shape->name) ? strcmp(a->shape->name, b->shape->name)
						      : strcmp(a->shape->file, b->shape->file);
}

/* @return how many rows; all types together are wrong as seldom as one page is */
static int add_type(struct document *document, const struct by_event *event,
		    const struct type_tally *tally, uint32_t types)
{
	struct advice advice[ADVICE_IDS];
	const int count = advice_of(tally, &event->total->samples, document_confidence(document),
				    types, advice);

	document->failed |= count < 0;
	for (int n = 0; n < count; n++) {
		row_begin(document, "%s", advice[n].name);
		cell_share(document, &advice[n].part, &advice[n].whole);
		cell_text(document, "%s", tally->shape->name);
		cell_text(document, "%s", advice[n].text);
		free(advice[n].text);
	}
	return count;
}

int type_advice_table(struct document *document, const struct by *by, uint32_t kind, uint32_t place)
{
	const struct by_event *event = &by->own.list[kind][place];
	const int is_rest = !place && by->about->events[kind]->count && kind == PRECIS_EVENT_PEBS;
	struct type_tally *sorted[SHAPES_MOST];
	uint32_t count = 0;
	int rows = 0;

	for (uint32_t n = 0; n < event->type_count && count < SHAPES_MOST; n++) {
		if (samples_of(event->types[n])->samples >= FEWEST)
			sorted[count++] = event->types[n];
	}
	if (!count)
		return 0;
	qsort(sorted, count, sizeof(*sorted), most_first);
	table_begin(document, is_rest ? REST_NAME : names[kind], "What layouts of types cost", "",
		    columns, sizeof(columns) / sizeof(columns[0]));
	for (uint32_t n = 0; n < count; n++)
		rows += add_type(document, event, sorted[n], count);
	table_note(document,
		   rows ? "shares are what each stands on: precis-annotate(1), \"Advice\"; %" PRIu32
			  " types have the %u samples that it takes"
			: "none that samples support; %" PRIu32 " types have the %u that it takes",
		   count, FEWEST);
	if (event->untold_types.samples)
		table_note(document, "%" PRIu64 " samples are of more types than are looked at",
			   event->untold_types.samples);
	return 1;
}
