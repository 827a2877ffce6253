/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared lines: what each is, what perf c2c counts of it, and which bytes of it whose instructions access. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/absences.h"
#include "cells.h"
#include "data.h"
#include "line_advice.h"
#include "line_tables.h"
#include "memory_cells.h"
#include "named.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Rows of accesses of all lines together */
#define ACCESS_ROWS_MOST 8192u

/* --- lines --- */

static const struct column columns[] = {
	SHARING_SUM_COLUMNS("transfers", "transfers [95% CI]"),
	{ "transfer_samples", "samples", 0 },
	{ "contended", "contended", 0 },
	{ "true_percent", "true %", 0 },
	{ "false_percent", "false %", 0 },
	SHARING_SUM_COLUMNS("writer_unknown", NULL),
	{ "load_samples", "loads", 0 },
	{ "store_samples", "stores", 0 },
	{ "parties", "who", 0 },
	{ "writers", "write", 0 },
	{ "missed", NULL, 0 },
#define SHARING_C2C(id, name, sum) { "c2c_" #name, NULL, 0 },
#include "c2c.def"
#undef SHARING_C2C
	{ "address", "address", COLUMN_LEFT },
	{ NULL, "what it is", COLUMN_LEFT },
	SHARING_MEMORY_COLUMNS,
};

_Static_assert(COUNT_OF(columns) <= TABLE_COLUMNS_MOST, "a table has room for all");

/* Of transfers whose writer is known, or else of what is contended */
static void cells_meeting(struct document *document, const struct sharing_line_flow *flow,
			  int has_source)
{
	static const enum sharing_meeting told[] = { SHARING_MEET, SHARING_APART };
	const double whole = has_source ? flow->flow.all.sum : flow->contention;

	for (size_t n = 0; n < COUNT_OF(told); n++) {
		const double part = has_source ? flow->flow.by_meeting[told[n]].sum
					       : flow->contention_by[told[n]];

		cell_known(document, whole > 0 ? 100 * part / whole : NAN);
	}
}

static void cells_transfers(struct document *document, const struct sharing *sharing,
			    const struct sharing_line_flow *flow, int has_source)
{
	struct poisson_sum all = flow->flow.all;

	poisson_sum_merge(&all, &flow->unknown);
	if (has_source) {
		sharing_cell_sum(document, sharing, &all, NULL);
		cell_count(document, flow->transfers);
	} else {
		for (int n = 0; n < 4; n++)
			cell_absent(document);
	}
	cell_known(document, flow->contention);
	cells_meeting(document, flow, has_source);
	if (has_source) {
		sharing_cell_sum(document, sharing, &flow->unknown, NULL);
		return;
	}
	for (int n = 0; n < 3; n++)
		cell_absent(document);
}

static void add_line(struct document *document, struct sharing_answer *answer, uint32_t number)
{
	const struct sharing *sharing = answer->sharing;
	const struct sharing_line *line = &sharing->lines.lines[answer->lines[number].line];
	struct sharing_line_flow flow;
	struct precis_memory memory;

	if (sharing_estimate_line(NULL, &sharing->lines, line, &answer->scratch, &flow) < 0)
		document->failed = 1;
	sharing_memory_of(sharing, line, &memory);
	row_begin(document, "%" PRIu32, number + 1);
	cells_transfers(document, sharing, &flow, answer->has_source);
	cell_count(document, flow.load_samples);
	cell_count(document, flow.store_samples);
	cell_count(document, flow.parties);
	cell_count(document, flow.writers);
	cell_count(document, line->missed);
	for (uint32_t n = 0; n < SHARING_C2C_COUNTS; n++) {
		if (line->sourced)
			cell_count(document, line->c2c[n]);
		else
			cell_absent(document);
	}
	cell_address(document, line->address);
	sharing_cell_what(document, sharing, &memory);
	sharing_cells_memory(document, sharing, &memory);
}

/* --- accesses --- */

static const struct column access_columns[] = {
	{ "line", NULL, 0 },
	{ "address", NULL, 0 },
	{ "offset", "offset", 0 },
	{ "bytes", "bytes", 0 },
	{ "access", "access", COLUMN_LEFT },
	{ "samples", "samples", 0 },
	{ "accesses", NULL, 0 },
	{ "transfers", "transfers", 0 },
	{ "member", "member", COLUMN_LEFT },
	{ "party", NULL, 0 },
	{ "who", "who", COLUMN_LEFT },
	{ "ip", NULL, 0 },
	{ "function", "function", COLUMN_LEFT },
	{ "function_offset", NULL, 0 },
	{ "source", "source", COLUMN_LEFT },
	{ "object", "file", COLUMN_LEFT },
};

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

static const char *access_word(uint32_t flags)
{
	static const char *const words[] = { "load",           "locked load",
					     "store",          "locked store",
					     "load and store", "locked load and store" };
	const uint32_t locked = flags & SHARING_LOCKED ? 1 : 0;

	if (flags & SHARING_LOAD && flags & SHARING_STORE)
		return words[4 + locked];
	return words[(flags & SHARING_STORE ? 2 : 0) + locked];
}

static void cells_place(struct document *document, const struct sharing *sharing,
			const struct sharing_line *line, const struct sharing_way *way)
{
	struct sharing_place place;

	sharing_place_of(sharing, line, way, &place);
	if (way->ip)
		cell_address(document, way->ip);
	else
		cell_absent(document);
	sharing_cell_name(document, sharing, place.symbol);
	if (place.symbol)
		cell_count(document, place.symbol_offset);
	else
		cell_absent(document);
	if (place.file)
		cell_text(document, "%s:%" PRIu32, model_file_of(place.file), place.line);
	else
		cell_absent(document);
	if (place.object)
		cell_text(document, "%s", model_file_of(place.object));
	else
		cell_absent(document);
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
	sharing_datum_of(data, line, way, &datum);
	sharing_cell_member(document, &datum);
	cell_count(document, place + 1);
	cell_text(document, "%s", text);
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

static void add_all_accesses(struct document *document, const struct sharing_answer *answer,
			     uint32_t lines)
{
	const uint32_t top = answer->sharing->about->top;
	struct sharing_data data = { .sharing = answer->sharing };
	uint64_t all = 0, shown = 0;

	table_begin(document, "sharing_accesses", "Accesses to these lines", "line", access_columns,
		    COUNT_OF(access_columns));
	for (uint32_t n = 0; n < lines; n++) {
		const uint64_t room = ACCESS_ROWS_MOST - shown;
		const uint32_t most = room < top ? (uint32_t)room : top;
		const uint32_t count = add_accesses(document, answer, &data, n, most);

		all += count;
		shown += count < most ? count : most;
	}
	table_note(
		document,
		"offset and bytes in the line; transfers: samples whose line came from another cache");
	if (shown < all)
		table_note(document, "and %" PRIu64 " that fewer samples have (--top)",
			   all - shown);
	document->failed |= data.failed;
	sharing_data_free(&data);
}

void sharing_add_lines(struct document *document, struct sharing_answer *answer)
{
	const uint32_t top = answer->sharing->about->top;
	const uint32_t count = answer->line_count < top ? answer->line_count : top;

	table_begin(document, "sharing_lines",
		    answer->has_source ? "Lines with most transfers"
				       : "Lines that several access, and some store to",
		    "", columns, COUNT_OF(columns));
	for (uint32_t n = 0; n < count; n++)
		add_line(document, answer, n);
	if (!count) {
		table_note(document, "no line was sampled that several %s access and one stores to",
			   sharing_party_word(answer->sharing->request, 1));
		return;
	}
	table_note(
		document,
		"contended: stores, each times the share that others have of all accesses to the line; "
		"true, false: whether %s meet in their bytes",
		answer->has_source ? "load and store of a transfer"
				   : "these stores and others' accesses");
	if (count < answer->line_count)
		table_note(document, "and %" PRIu32 " lines with less (--top)",
			   answer->line_count - count);
	add_all_accesses(document, answer, count);
	sharing_add_advice(document, answer, count);
}
