/* SPDX-License-Identifier: BSD-3-Clause */
/* See access_table.h. */
#include "access_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "access_cells.h"
#include "analysis/model/absences.h"
#include "data.h"
#include "memory_cells.h"
#include "named.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Rows of all lines together */
#define ACCESS_ROWS_MOST 8192u

/*
 * Three latencies, of different CPUs: text has a column of those that there are. Each is of loads in all, of
 * those whose data came from this node, and from others.
 */
#define CYCLES_COLUMNS(name, title)                                                                \
	{ name, title, 0 }, { name "_near", NULL, 0 },                                             \
	{                                                                                          \
		name "_far", NULL, 0                                                               \
	}
#define ACCESS_COLUMNS(load_latency, cache_latency, miss_latency)                                  \
	{                                                                                          \
		{ "line", NULL, 0 }, { "address", NULL, 0 }, { "offset", "offset", 0 },            \
			{ "bytes", "bytes", 0 }, { "access", "access", COLUMN_LEFT },              \
			{ "samples", "samples", 0 }, { "accesses", NULL, 0 },                      \
			{ "transfers", "transfers", 0 },                                           \
			CYCLES_COLUMNS("load_latency", load_latency),                              \
			CYCLES_COLUMNS("cache_latency", cache_latency),                            \
			CYCLES_COLUMNS("dcache_miss_latency", miss_latency),                       \
			{ "member", "member", COLUMN_LEFT }, { "party", NULL, 0 },                 \
			{ "who", "who", COLUMN_LEFT }, { "cpu", "CPU", 0 }, { "node", "node", 0 }, \
			{ "cpus", NULL, 0 }, { "ip", NULL, 0 },                                    \
			{ "function", "function", COLUMN_LEFT }, { "function_offset", NULL, 0 },   \
			{ "source", "source", COLUMN_LEFT },                                       \
		{                                                                                  \
			"object", "file", COLUMN_LEFT                                              \
		}                                                                                  \
	}

static const struct {
	const char *title, *field, *of;
} latencies[SHARING_LATENCIES] = {
#define LOAD_TITLE "load cycles"
#define CACHE_TITLE "cache cycles"
#define MISS_TITLE "miss cycles"
	[SHARING_LOAD_LATENCY] = { LOAD_TITLE, "load_latency", "loads" },
	[SHARING_CACHE_LATENCY] = { CACHE_TITLE, "cache_latency", "loads" },
	[SHARING_MISS_LATENCY] = { MISS_TITLE, "dcache_miss_latency", "loads that missed the L1" },
};

static uint32_t bit_of(uint32_t latency)
{
	return latency ? 1u << (latency - 1) : 0;
}

/* By those that there are, a bit each */
static const struct column access_columns[][28] = {
	ACCESS_COLUMNS(NULL, NULL, NULL),
	ACCESS_COLUMNS(LOAD_TITLE, NULL, NULL),
	ACCESS_COLUMNS(NULL, CACHE_TITLE, NULL),
	ACCESS_COLUMNS(LOAD_TITLE, CACHE_TITLE, NULL),
	ACCESS_COLUMNS(NULL, NULL, MISS_TITLE),
	ACCESS_COLUMNS(LOAD_TITLE, NULL, MISS_TITLE),
	ACCESS_COLUMNS(NULL, CACHE_TITLE, MISS_TITLE),
	ACCESS_COLUMNS(LOAD_TITLE, CACHE_TITLE, MISS_TITLE),
};

/* Those that any access of these lines has */
static uint32_t latencies_of(const struct sharing_answer *answer, uint32_t lines)
{
	const struct sharing_lines *all = &answer->sharing->lines;
	uint32_t bits = 0;

	for (uint32_t n = 0; n < lines; n++) {
		const struct sharing_line *line = &all->lines[answer->lines[n].line];

		for (const struct sharing_way *way = NULL;
		     (way = sharing_way_next(all, line, way));)
			bits |= bit_of(way->latency_is);
	}
	return bits;
}

static void cells_cycles(struct document *document, const struct sharing_way *way, uint32_t latency)
{
	const struct sharing_cycles *near = &way->cycles[SHARING_NEAR],
				    *far = &way->cycles[SHARING_FAR];
	const double weight = near->weight + far->weight;

	if (way->latency_is != latency) {
		for (int n = 0; n <= SHARING_DISTANCES; n++)
			cell_absent(document);
		return;
	}
	cell_known(document, weight > 0 ? (near->sum + far->sum) / weight : NAN);
	cell_known(document, near->weight > 0 ? near->sum / near->weight : NAN);
	cell_known(document, far->weight > 0 ? far->sum / far->weight : NAN);
}

/* The CPU that most are from */
static void cells_cpus(struct document *document, const struct sharing *sharing,
		       const struct sharing_way *way)
{
	uint32_t count;
	const uint32_t cpu = sharing_spots_most(&sharing->lines.spots, way->spots, &count);

	sharing_cells_cpu(document, &sharing->nodes, cpu, count);
}

static int by_offset(const void *a, const void *b)
{
	const struct sharing_way *left = *(const struct sharing_way *const *)a;
	const struct sharing_way *right = *(const struct sharing_way *const *)b;

	if (left->samples != right->samples)
		return left->samples > right->samples ? -1 : 1;
	if (left->span.offset != right->span.offset)
		return left->span.offset < right->span.offset ? -1 : 1;
	if (left->party != right->party)
		return left->party < right->party ? -1 : 1;
	if (left->flags != right->flags)
		return left->flags < right->flags ? -1 : 1;
	return left->ip < right->ip ? -1 : left->ip > right->ip;
}

/* What is no store is a load. */
static const char *access_word(uint32_t flags)
{
	return sharing_access_word(flags & SHARING_LOAD || !(flags & SHARING_STORE),
				   flags & SHARING_STORE, flags & SHARING_LOCKED);
}

static void cells_place(struct document *document, const struct sharing *sharing,
			const struct sharing_line *line, const struct sharing_way *way)
{
	struct sharing_place place;

	sharing_place_of(sharing, line, way, &place);
	sharing_cell_ip(document, way->ip);
	sharing_cells_place(document, sharing, &place, 1);
}

static void add_access(struct document *document, const struct sharing_answer *answer,
		       struct sharing_data *data, uint32_t number, const struct sharing_line *line,
		       const struct sharing_way *way)
{
	const struct sharing *sharing = answer->sharing;
	const uint32_t place = sharing_answer_place(answer, way->party);
	struct sharing_datum datum;
	char text[SHARING_PARTY_TEXT];

	sharing_answer_text(answer, place, text);
	row_begin(document, "%" PRIu32, number + 1);
	row_in(document, "rows");
	cell_count(document, number + 1);
	cell_address(document, line->address);
	cell_count(document, way->span.offset);
	if (way->span.bytes)
		cell_count(document, way->span.bytes);
	else
		cell_absent(document);
	cell_text(document, "%s", access_word(way->flags));
	cell_count(document, way->samples);
	cell_known(document, sharing_why_unweighed(sharing) ? NAN : way->weight);
	cell_count(document, way->flags & SHARING_TRANSFER ? way->samples : 0);
	for (uint32_t latency = SHARING_NO_LATENCY + 1; latency < SHARING_LATENCIES; latency++)
		cells_cycles(document, way, latency);
	sharing_datum_of(data, line, way, &datum);
	sharing_cell_member(document, &datum);
	cell_count(document, place + 1);
	cell_text(document, "%s", text);
	cells_cpus(document, sharing, way);
	cells_place(document, sharing, line, way);
}

/* Of a line those ways that most samples have. How many there are */
static uint32_t add_accesses(struct document *document, const struct sharing_answer *answer,
			     struct sharing_data *data, uint32_t number, uint32_t most)
{
	const struct sharing_lines *lines = &answer->sharing->lines;
	const struct sharing_line *line = &lines->lines[answer->lines[number].line];
	const struct sharing_way **ways = NULL;
	uint32_t count = 0, at = 0;

	for (const struct sharing_way *way = NULL; (way = sharing_way_next(lines, line, way));)
		count++;
	ways = malloc((count + 1) * sizeof(*ways));
	if (!ways) {
		document->failed = 1;
		return 0;
	}
	for (const struct sharing_way *way = NULL; (way = sharing_way_next(lines, line, way));)
		ways[at++] = way;
	qsort(ways, count, sizeof(*ways), by_offset);
	for (uint32_t n = 0; n < count && n < most; n++)
		add_access(document, answer, data, number, line, ways[n]);
	free(ways);
	return count;
}

static void note_more(struct document *document, const struct sharing_lines *lines,
		      uint32_t latencies_there)
{
	for (uint32_t latency = SHARING_NO_LATENCY + 1; latency < SHARING_LATENCIES; latency++) {
		if (latencies_there & bit_of(latency))
			table_note(document, "%s: mean %s of %s, each by its period",
				   latencies[latency].title, latencies[latency].field,
				   latencies[latency].of);
	}
	if (lines->spots.beyond)
		table_note(document, "of %" PRIu64 " samples the CPU had no room",
			   lines->spots.beyond);
}

void sharing_add_accesses(struct document *document, const struct sharing_answer *answer,
			  uint32_t lines)
{
	const uint32_t top = answer->sharing->about->top, there = latencies_of(answer, lines);
	struct sharing_data data = { .sharing = answer->sharing };
	uint64_t all = 0, shown = 0;

	table_begin(document, "sharing_accesses", "Accesses to these lines", "line",
		    access_columns[there], COUNT_OF(access_columns[0]));
	for (uint32_t n = 0; n < lines; n++) {
		const uint64_t room = ACCESS_ROWS_MOST - shown;
		const uint32_t most = room < top ? (uint32_t)room : top;
		const uint32_t count = add_accesses(document, answer, &data, n, most);

		all += count;
		shown += count < most ? count : most;
	}
	table_note(
		document,
		"offset and bytes in the line; transfers: samples whose line came from another cache; CPU: "
		"where most are from");
	note_more(document, &answer->sharing->lines, there);
	if (shown < all)
		table_note(document, "and %" PRIu64 " that fewer samples have (--top)",
			   all - shown);
	document->failed |= data.failed;
	sharing_data_free(&data);
}
