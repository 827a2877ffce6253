/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared lines: what each is, and what perf c2c counts of it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_table.h"
#include "cells.h"
#include "line_advice.h"
#include "line_tables.h"
#include "memory_cells.h"
#include "named.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

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
	{ "memory_node", "node", 0 },
	{ "physical_lines", NULL, 0 },
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

static int is_physical(const struct sharing_line *line)
{
	return line->space >> SHARING_OWNER_SHIFT == SHARING_PHYSICAL;
}

/* How many lines of memory were at the process's address, of one that has a physical address */
static uint32_t count_physical(const struct sharing_lines *lines, const struct sharing_line *line)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < lines->line_count; n++) {
		const struct sharing_line *other = &lines->lines[n];

		count += is_physical(other) && other->address == line->address &&
			 other->pid == line->pid && other->recording == line->recording;
	}
	return count;
}

static void cells_memory(struct document *document, const struct sharing_lines *lines,
			 const struct sharing_line *line)
{
	if (line->memory_node == NODE_UNKNOWN)
		cell_absent(document);
	else
		cell_count(document, line->memory_node);
	if (is_physical(line))
		cell_count(document, count_physical(lines, line));
	else
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
	cells_memory(document, &sharing->lines, line);
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
	sharing_add_accesses(document, answer, count);
	sharing_add_advice(document, answer, count);
}
