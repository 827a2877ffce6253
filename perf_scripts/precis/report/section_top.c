/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the instructions with the most samples or latency. */
#define _GNU_SOURCE /* tdestroy() */
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "perf_scripts/precis/symbols/demangle.h"
#include "perf_scripts/precis/validity/validity.h"
#include "sections.h"

/* Of events, and of samples that are of none that is told apart where others are */
static const struct {
	const char *name, *rest;
} names[TOP_KINDS] = {
	[PRECIS_EVENT_OTHER] = { "top_other", "top_other_rest" },
	[PRECIS_EVENT_IBS_OP] = { "top_instructions", NULL },
	[PRECIS_EVENT_IBS_FETCH] = { "top_fetches", NULL },
	[PRECIS_EVENT_PEBS] = { "top_pebs", "top_pebs_rest" },
};

static const uint32_t topics[TOP_KINDS] = {
	[PRECIS_EVENT_OTHER] = VALIDITY_OTHERS,
	[PRECIS_EVENT_IBS_OP] = VALIDITY_OPS,
	[PRECIS_EVENT_IBS_FETCH] = VALIDITY_FETCHES,
	[PRECIS_EVENT_PEBS] = VALIDITY_PEBS | VALIDITY_LATENCY | VALIDITY_PLACES,
};

/* Which latency of PEBS the cycles are, is in a note */
static const char *title_of(enum top_order order, uint32_t kind, int has_latency)
{
	static const char *const titles[][TOP_KINDS] = {
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

/* A path without its directory */
static const char *file_of(const char *object)
{
	const char *slash = strrchr(object, '/');

	return slash && slash[1] ? slash + 1 : object;
}

/* For a line on a screen: the symbol or the address, and the file */
static void cell_place(struct document *document, const struct top_place *place,
		       const struct precis_location *location, const char *symbol)
{
	const char *file = place->object ? file_of(place->object) : "no file";

	if (symbol)
		cell_text(document, "%s+0x%" PRIx64 " (%s)", symbol, location->symbol_offset, file);
	else
		cell_text(document, "0x%016" PRIx64 " (%s)", place->address, file);
}

static int by_pointer(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static void keep(void *name)
{
	(void)name; /* the symbols' */
}

/* Is that a reason of the object, which somebody can do something about? */
static int is_to_be_told(uint32_t absent)
{
	switch (absent) {
	case PRECIS_SYMBOL_NO_FILE:
	case PRECIS_SYMBOL_OTHER_BUILD_ID:
	case PRECIS_SYMBOL_NO_KALLSYMS:
	case PRECIS_SYMBOL_KALLSYMS_HIDDEN:
	case PRECIS_SYMBOL_NO_VDSO:
	case PRECIS_SYMBOL_NO_PERF_MAP:
		return 1;
	default:
		return 0;
	}
}

/* Once for each object, which has one pointer: 'told' has those that were */
static void tell_absent(struct document *document, const char *object, uint32_t absent, void **told)
{
	if (!is_to_be_told(absent) || tfind(object, told, by_pointer))
		return;
	if (!tsearch(object, told, by_pointer)) {
		document->failed = 1;
		return;
	}
	if (absent == PRECIS_SYMBOL_OTHER_BUILD_ID)
		table_note(document,
			   "%s: symbols not used: its build id is not the recorded one "
			   "(--any-build-id uses them)",
			   file_of(object));
	else
		table_note(document, "%s: no symbols: %s", file_of(object),
			   precis_symbol_absent_text(absent));
}

static void add_row(struct document *document, const struct top *top,
		    const struct report_options *options, const struct tally_entry *entry,
		    size_t rank, uint64_t total, void **told)
{
	const struct top_place *place = &top->places[entry->weight];
	struct precis_location location = {
		.size = sizeof(location),
		.object = place->object,
		.offset = entry->address,
		.cpumode = place->cpumode,
	};
	char *readable = NULL;
	const char *symbol;

	if (top->symbols)
		precis_symbols_name(top->symbols, &location);
	if (location.symbol && !options->no_demangle)
		readable = demangle(location.symbol);
	symbol = readable ? readable : location.symbol;

	row_begin(document, "%zu", rank);
	cell_count(document, entry->samples);
	cell_share(document, entry->samples, total);
	if (entry->latency_count)
		cell_count(document, entry->latency_sum);
	else
		cell_absent(document);
	cell_decimal(document,
		     entry->latency_count
			     ? (double)entry->latency_sum / (double)entry->latency_count
			     : 0,
		     entry->latency_count);
	cell_count(document, entry->latency_count);
	cell_place(document, place, &location, symbol);
	cell_address(document, place->address);
	if (symbol)
		cell_text(document, "%s+0x%" PRIx64, symbol, location.symbol_offset);
	else
		cell_absent(document);
	free(readable);
	if (!place->object)
		return;
	tell_absent(document, place->object, location.symbol_absent, told);
	cell_text(document, "%s", place->object);
	cell_address(document, entry->address);
}

static uint64_t samples_of(const struct tally *tally)
{
	uint64_t samples = tally->untracked;

	for (size_t i = 0; i < (size_t)1 << tally->bits; i++)
		samples += tally->slot[i].samples;
	return samples;
}

/* The events of that kind that are told apart */
static const struct event_places *places_of(const struct collection *collection, uint32_t kind)
{
	static const struct event_places none;

	if (kind == PRECIS_EVENT_PEBS)
		return &collection->pebs.places;
	return kind == PRECIS_EVENT_OTHER ? &collection->others : &none;
}

/* Whose samples the table has: of several events one, or those that are of none of them */
static void tell_event(struct document *document, const struct collection *collection, uint32_t kind,
		       uint32_t place)
{
	const struct event_places *places = places_of(collection, kind);

	if (place && places->count > 1)
		table_of_event(document, places->number[place - 1]);
	table_about(document, topics[kind], place ? places->number[place - 1] : TABLE_OF_ALL);
	if (!place && places->count)
		table_note(document, "samples of no known event, or of more than %u events that are "
				     "told apart", EVENTS_MOST);
}

static void add_table(struct document *document, const struct collection *collection, uint32_t kind,
		      uint32_t place, const struct report_options *options)
{
	static const struct column columns[] = {
		{ "samples", "samples", 0 },    { "share", "share [95% CI]", 0 },
		{ "latency_sum", "cycles", 0 }, { "latency_mean", "mean", 0 },
		{ "latency_n", "n", COLUMN_N },        { NULL, "place", COLUMN_LEFT },
		{ "address", NULL, 0 },         { "symbol", NULL, COLUMN_LEFT },
		{ "object", NULL, COLUMN_LEFT },          { "offset", NULL, 0 },
	};
	const struct top *top = &collection->top;
	const struct tally *merged = top->merged[kind][place];
	int by_latency = top->order != TOP_SAMPLES && top_latency_field(top, kind, place) >= 0;
	int is_rest = !place && places_of(collection, kind)->count;
	uint64_t total = samples_of(merged);
	const struct tally_entry **entries;
	void *told = NULL;
	size_t count;

	entries = calloc(options->top ? options->top : 1, sizeof(*entries));
	if (!entries) {
		document->failed = 1;
		return;
	}
	table_begin(document, is_rest ? names[kind].rest : names[kind].name,
		    title_of(top->order, kind, top_latency_field(top, kind, place) >= 0), "",
		    columns, sizeof(columns) / sizeof(columns[0]));
	tell_event(document, collection, kind, place);
	count = tally_top(merged, by_latency ? TALLY_LATENCY_SUM : TALLY_SAMPLES, entries,
			  options->top);
	table_note(document, "%zu of %" PRIu32 " places; %" PRIu64 " samples with an address",
		   count, merged->count, total);
	if (merged->untracked)
		table_note(document, "%" PRIu64 " samples at further places are not in this table",
			   merged->untracked);
	for (size_t i = 0; i < count; i++)
		add_row(document, top, options, entries[i], i + 1, total, &told);
	tdestroy(told, keep);
	if (top->is_unsorted)
		table_note(document,
			   "more mappings and programs than are kept: places of a process that "
			   "ran several programs may be those of another one");
	if (top->unlearnt)
		table_note(document,
			   "%" PRIu64 " mappings found no memory: their samples have no file",
			   top->unlearnt);
	if (top->symbols && !precis_symbols_available())
		table_note(document, "no symbols: this build of precis does not read ELF files");
	free(entries);
}

/* What the cycles are, how far to believe the addresses, and why some samples have none */
static void note_pebs(struct document *document, const struct collection *collection, uint32_t place)
{
	int field = top_latency_field(&collection->top, PRECIS_EVENT_PEBS, place);
	const struct pebs_counts *pebs = &collection->pebs;

	if (collection->buffer)
		table_note(document,
			   "no symbols: a dump does not tell which process an address is of, and "
			   "what was mapped there");
	if (field >= 0)
		table_note(document, "cycles: %s", precis_field_name((uint32_t)field));
	for (uint32_t n = 0; place && n < pebs->count; n++) {
		const struct pebs_event *event = pebs->events[n];

		if (event->number == pebs->places.number[place - 1] && event->inexact)
			table_note(document,
				   "%" PRIu64 " samples may have the address of the instruction "
				   "behind their own (see ip_exact)", event->inexact);
	}
}

static void tables_of_kind(struct document *document, const struct collection *collection,
			   uint32_t kind, const struct report_options *options)
{
	static const uint32_t populations[TOP_KINDS] = {
		[PRECIS_EVENT_IBS_OP] = POPULATION_OPS,
		[PRECIS_EVENT_IBS_FETCH] = POPULATION(POPULATION_FETCH),
	};

	const struct event_places *places = places_of(collection, kind);

	/* those of no event that is told apart come last */
	for (uint32_t place = event_next_place(places, 0), i = 0; i <= places->count;
	     place = event_next_place(places, place), i++) {
		if (!collection->top.merged[kind][place])
			continue;
		add_table(document, collection, kind, place, options);
		if (kind == PRECIS_EVENT_PEBS)
			note_pebs(document, collection, place);
		reasons_tell(&collection->reasons, PRECIS_FIELD_IP, populations[kind], document);
	}
}

void section_top(struct document *document, const struct collection *collection,
		 const struct report_options *options)
{
	static const uint32_t kinds[] = { PRECIS_EVENT_IBS_OP, PRECIS_EVENT_IBS_FETCH,
					  PRECIS_EVENT_PEBS, PRECIS_EVENT_OTHER };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		tables_of_kind(document, collection, kinds[i], options);
}
