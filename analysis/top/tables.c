/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the instructions with the most samples or latency. */
#define _GNU_SOURCE /* asprintf() */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/in_step.h"
#include "analysis/model/absences.h"
#include "analysis/topics.h"
#include "tables.h"

/* Of events, and of samples that are of no known one where others are of one */
static const struct {
	const char *name, *rest;
} names[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = { "top_other", NULL },
	[PRECIS_EVENT_IBS_OP] = { "top_instructions", NULL },
	[PRECIS_EVENT_IBS_FETCH] = { "top_fetches", NULL },
	[PRECIS_EVENT_PEBS] = { "top_pebs", "top_pebs_rest" },
};

static const uint32_t topics[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = TOPIC_OTHERS,
	[PRECIS_EVENT_IBS_OP] = TOPIC_OPS,
	[PRECIS_EVENT_IBS_FETCH] = TOPIC_FETCHES,
	[PRECIS_EVENT_PEBS] = TOPIC_PEBS | TOPIC_LATENCY | TOPIC_PLACES,
};

/* Which latency of PEBS the cycles are, is in a note */
static const char *title_of(enum top_order order, uint32_t kind, int has_latency)
{
	static const char *const titles[][EVENT_KINDS] = {
		[TOP_SAMPLES] = { "Top instructions by samples, other events",
				  "Top instructions by samples; cycles of cache misses",
				  "Top fetch addresses by samples; cycles of fetches",
				  "Top instructions by samples; cycles of loads" },
		[TOP_LATENCY] = { "Top instructions by samples, other events",
				  "Top instructions by cycles of cache misses",
				  "Top fetch addresses by cycles of fetches",
				  "Top instructions by cycles of loads" },
		[TOP_TLB] = { "Top instructions by samples, other events",
			      "Top instructions by cycles of data TLB refills",
			      "Top fetch addresses by cycles of instruction TLB refills",
			      "Top instructions by samples" },
		[TOP_RETIRE] = { "Top instructions by samples, other events",
				 "Top instructions by cycles from tag to retirement",
				 "Top fetch addresses by samples",
				 "Top instructions by cycles since the retirement before" },
	};

	return kind == PRECIS_EVENT_PEBS && !has_latency ? "Top instructions by samples" :
							   titles[order][kind];
}

/* Where a place is, and its symbol if it has one: as people write it, in 'readable', to be freed */
static const char *find_symbol(const struct top *top, const struct heavy_entry *place,
			       struct precis_location *location, char **readable)
{
	const struct known_source source = top_known_source(top, place);

	*location = (struct precis_location){
		.size = sizeof(*location),
		.object = (const char *)(uintptr_t)place->figures[PLACE_OBJECT],
		.offset = place->address,
		.cpumode = (uint32_t)place->figures[PLACE_CPUMODE],
	};
	known_places_name(&top->known, &source, location);
	*readable = location->symbol && top->about->demangle ? top->about->demangle(location->symbol) :
							       NULL;
	return *readable ? *readable : location->symbol;
}

int top_place_has_symbol(const struct top *top, const struct heavy_entry *place)
{
	struct precis_location location;
	char *readable;
	const int has_symbol = find_symbol(top, place, &location, &readable) != NULL;

	free(readable);
	return has_symbol;
}

char *top_place_function(const struct top *top, const struct heavy_entry *place)
{
	struct precis_location location;
	char *readable;
	const char *symbol = find_symbol(top, place, &location, &readable);

	if (!symbol || location.cpumode != PRECIS_CPUMODE_USER) {
		free(readable);
		return NULL;
	}
	return readable ? readable : strdup(symbol);
}

/* For a line on a screen: the symbol or the address, and the file */
static char *text_of(const struct heavy_entry *place, const struct precis_location *location,
		     const char *symbol)
{
	const char *file = location->object ? model_file_of(location->object) : "no file";
	char *text;
	int length = symbol ? asprintf(&text, "%s+0x%" PRIx64 " (%s)", symbol, location->symbol_offset,
				       file) :
			      asprintf(&text, "0x%016" PRIx64 " (%s)", place->figures[PLACE_ADDRESS],
				       file);

	return length < 0 ? NULL : text;
}

char *top_place_text(const struct top *top, const struct heavy_entry *place)
{
	struct precis_location location;
	char *readable, *text;
	const char *symbol = find_symbol(top, place, &location, &readable);

	text = text_of(place, &location, symbol);
	free(readable);
	return text;
}

static void cell_place(struct document *document, const struct heavy_entry *place,
		       const struct precis_location *location, const char *symbol)
{
	char *text = text_of(place, location, symbol);

	if (text)
		cell_text(document, "%s", text);
	else
		document->failed = 1;
	free(text);
}

static void cell_sum(struct document *document, uint64_t sum, uint64_t unit)
{
	if (unit)
		cell_count(document, sum / unit);
	else
		cell_absent(document);
}

static void cells_latency(struct document *document, const struct heavy_entry *place, uint64_t unit)
{
	uint64_t sum = place->figures[PLACE_LATENCY_SUM];
	uint64_t count = place->figures[PLACE_LATENCY_COUNT];

	cell_sum(document, sum, count ? unit : 0);
	cell_decimal(document,
		     count ? (double)sum / (double)place->figures[PLACE_LATENCY_WEIGHT] : 0,
		     unit ? count : 0);
	cell_count(document, count);
}

struct weighted top_place_samples(const struct heavy_entry *place, const struct weighted *all)
{
	struct weighted samples = weighted_of(place->figures[PLACE_SAMPLES], all->least);

	samples.most = all->most;
	samples.weight = place->figures[PLACE_WEIGHT];
	samples.squares = weight_sum_of(&place->figures[PLACE_SQUARES]);
	return samples;
}

#define COLUMNS_BEHIND                                                                             \
	{ "share", "share [95% CI]", 0 }, { "latency_sum", "cycles", 0 },                          \
		{ "latency_mean", "mean", 0 }, { "latency_n", "n", COLUMN_N },                     \
		{ NULL, "place", COLUMN_LEFT }, { "address", NULL, 0 },                            \
		{ "symbol", NULL, COLUMN_LEFT }, { "object", NULL, COLUMN_LEFT },                  \
	{                                                                                          \
		"offset", NULL, 0                                                                  \
	}

/* A table that had to drop places has a column more: what a row may lack */
static const struct column columns_exact[] = { { "samples", "samples", 0 }, COLUMNS_BEHIND };
static const struct column columns_bounded[] = { { "samples", "samples", 0 },
						 { "missed_most", "missed<=", 0 },
						 COLUMNS_BEHIND };
#define COUNT_OF(columns) (sizeof(columns) / sizeof(columns[0]))

static void add_row(struct document *document, const struct top *top,
		    const struct top_event *event, const struct heavy_entry *place, size_t rank,
		    struct absences *told)
{
	const struct weighted samples = top_place_samples(place, &event->all);
	const uint64_t unit = weighted_unit(&event->all);
	struct precis_location location;
	char *readable;
	const char *symbol = find_symbol(top, place, &location, &readable);

	row_begin(document, "%zu", rank);
	cell_count(document, samples.samples);
	if (event->merged->heavy.dropped)
		cell_sum(document, place->missed, unit);
	cell_share(document, &samples, &event->all);
	cells_latency(document, place, unit);
	cell_place(document, place, &location, symbol);
	cell_address(document, place->figures[PLACE_ADDRESS]);
	if (symbol)
		cell_text(document, "%s+0x%" PRIx64, symbol, location.symbol_offset);
	else
		cell_absent(document);
	free(readable);
	if (!location.object)
		return;
	absences_tell(told, document, location.object, location.symbol_absent);
	cell_text(document, "%s", location.object);
	cell_address(document, place->address);
}

static void note_bound(struct document *document, const struct top_event *event, int is_by_latency)
{
	const struct heavy *heavy = &event->merged->heavy;
	const uint64_t unit = weighted_unit(&event->all);
	const char *what = is_by_latency ? "cycles" :
			   weighted_are_counted(&event->all) ? "samples" : "events";

	if (!heavy->dropped || !unit)
		return;
	table_note(document,
		   "there are more places than are counted at once: a row has what its place had "
		   "since it was last taken in, and missed at most so many %s before that (missed)",
		   what);
	table_note(document,
		   "no place that is not counted has more than %" PRIu64 " of the %" PRIu64 " %s",
		   heavy->floor / unit, heavy->total / unit, what);
}

static void note_limits(struct document *document, const struct top *top)
{
	model_note_gaps(document, &top->model);
	if (top->objects.rebuilt)
		table_note(document,
			   "%" PRIu32 " files are not of the same build in all recordings: places in "
			   "them are apart", top->objects.rebuilt);
	if (model_has_symbols(&top->model) && !precis_symbols_available())
		table_note(document, "no symbols: this build of precis does not read ELF files");
}

/* Whose samples the table has: of several events one, or those that are of none of them */
static void tell_event(struct document *document, const struct top *top, uint32_t kind,
		       uint32_t place)
{
	const struct event_places *places = top->about->events[kind];

	if (place && places->count > 1)
		table_of_event(document, places->number[place - 1]);
	table_about(document, topics[kind], place ? places->number[place - 1] : TABLE_OF_ALL);
	if (!place && places->count)
		table_note(document, "samples of no known event");
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Places of the same weight by names, which are the same in every run. */
int top_compare_places(const void *a, const void *b)
{
	const struct heavy_entry *left = *(const struct heavy_entry *const *)a;
	const struct heavy_entry *right = *(const struct heavy_entry *const *)b;
	const char *objects[] = { (const char *)(uintptr_t)left->figures[PLACE_OBJECT],
				  (const char *)(uintptr_t)right->figures[PLACE_OBJECT] };
	int order = compare(right->weight, left->weight);

	if (!order)
		order = compare(right->figures[PLACE_SAMPLES], left->figures[PLACE_SAMPLES]);
	if (!order)
		order = strcmp(objects[0] ? objects[0] : "", objects[1] ? objects[1] : "");
	if (!order)
		order = compare(left->address, right->address);
	return order ? order : compare(left->figures[PLACE_ADDRESS], right->figures[PLACE_ADDRESS]);
}

/* Of those that have the same name, and of no file, the one of the lower process comes first. */
static int by_rank(const void *a, const void *b)
{
	const int order = top_compare_places(a, b);

	return order ? order : compare((*(const struct heavy_entry *const *)a)->space,
				       (*(const struct heavy_entry *const *)b)->space);
}

size_t top_sort_places(const struct heavy *heavy, const struct heavy_entry **rows, uint32_t top)
{
	return heavy_top(heavy, rows, top, by_rank);
}

static void add_table(struct document *document, const struct top *top, uint32_t kind,
		      uint32_t place)
{
	const struct top_places *merged = top_places_of(top, kind, place);
	const struct top_event *event = &top->events[kind][place];
	const uint32_t most = merged->heavy.count < top->about->top ? merged->heavy.count :
								     top->about->top;
	const struct heavy_entry **rows = calloc(most + 1u, sizeof(*rows));
	size_t count;
	int is_rest = !place && top->about->events[kind]->count;
	int is_bounded = merged->heavy.dropped != 0;
	struct absences told = { NULL };

	if (!rows) {
		document->failed = 1;
		return;
	}
	count = top_sort_places(&merged->heavy, rows, most);
	table_begin(document, is_rest ? names[kind].rest : names[kind].name,
		    title_of(top->order, kind, top_latency_field(top, kind, place) >= 0), "",
		    is_bounded ? columns_bounded : columns_exact,
		    is_bounded ? COUNT_OF(columns_bounded) : COUNT_OF(columns_exact));
	tell_event(document, top, kind, place);
	in_step_tell(document, top->about, kind, place);
	table_note(document, "%zu of %s%" PRIu32 " places; %" PRIu64 " samples with an address",
		   count, is_bounded ? "more than " : "", merged->heavy.count, merged->samples);
	note_bound(document, event, top_is_by_latency(top, kind));
	for (size_t n = 0; n < count; n++)
		add_row(document, top, event, rows[n], n + 1, &told);
	document_depend(document, 1);
	absences_free(&told);
	note_limits(document, top);
	free(rows);
}

/* What the cycles are, how far to believe the addresses, and why some samples have none */
static void note_pebs(struct document *document, const struct top *top, uint32_t place)
{
	int field = top_latency_field(top, PRECIS_EVENT_PEBS, place);
	uint64_t inexact = top->events[PRECIS_EVENT_PEBS][place].inexact;

	if (!precis_input_file(top->about->input))
		table_note(document,
			   "no symbols: a dump does not tell which process an address is of, and "
			   "what was mapped there");
	if (field >= 0)
		table_note(document, "cycles: %s", precis_field_name((uint32_t)field));
	if (place && inexact)
		table_note(document,
			   "%" PRIu64 " samples may have the address of the instruction "
			   "behind their own (see ip_exact)", inexact);
}

static void tables_of_kind(struct document *document, const struct top *top, uint32_t kind)
{
	static const uint32_t populations[EVENT_KINDS] = {
		[PRECIS_EVENT_IBS_OP] = POPULATION_OPS,
		[PRECIS_EVENT_IBS_FETCH] = POPULATION(POPULATION_FETCH),
	};
	const struct event_places *places = top->about->events[kind];

	/* those of no known event come last */
	for (uint32_t place = event_next_place(places, 0), i = 0; i <= places->count;
	     place = event_next_place(places, place), i++) {
		if (!top_places_of(top, kind, place))
			continue;
		add_table(document, top, kind, place);
		if (kind == PRECIS_EVENT_PEBS)
			note_pebs(document, top, place);
		reasons_tell(&top->reasons, PRECIS_FIELD_IP, populations[kind], document);
	}
}

void top_tables(struct document *document, const struct top *top)
{
	static const uint32_t kinds[] = { PRECIS_EVENT_IBS_OP, PRECIS_EVENT_IBS_FETCH,
					  PRECIS_EVENT_PEBS, PRECIS_EVENT_OTHER };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		tables_of_kind(document, top, kinds[i]);
}
