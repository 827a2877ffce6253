/* SPDX-License-Identifier: BSD-3-Clause */
/* Values inside a cell: members with names, entries of lists, and these in each other. */
#include <math.h>

#include "build.h"
#include "table.h"

/* What the next value goes into */
static struct cell *holder(struct document *document)
{
	struct row *row = build_row(document);

	if (document->depth)
		return document->nest[document->depth - 1];
	return row && row->set ? &row->cells[row->set - 1] : NULL;
}

/* NULL where there is no room for it */
static struct cell *new_member(struct document *document, const char *name, enum cell_kind kind)
{
	struct cell *cell = document->failed ? NULL : holder(document);
	struct member *member;

	if (!cell)
		return NULL;
	if (document->member_count == DOCUMENT_MEMBERS_MOST) {
		document->is_cut = 1;
		return NULL;
	}
	member = build_append(document, &cell->members, &cell->member_count, sizeof(*member));
	if (!member)
		return NULL;
	document->member_count++;
	member->name = name;
	member->value.kind = kind;
	return &member->value;
}

void member_count(struct document *document, const char *name, uint64_t count)
{
	struct cell *value = new_member(document, name, CELL_COUNT);

	if (value)
		value->count = count;
}

void member_decimal(struct document *document, const char *name, double decimal)
{
	struct cell *value = new_member(document, name, isnan(decimal) ? CELL_ABSENT : CELL_DECIMAL);

	if (value)
		value->decimal = decimal;
}

void member_share(struct document *document, const char *name, const struct weighted *part,
		  const struct weighted *whole, int is_of_sum)
{
	struct cell *value = new_member(document, name, whole->samples ? CELL_SHARE : CELL_ABSENT);

	if (!value)
		return;
	build_share(document, value, part, whole,
		    is_of_sum && (!part->samples || part->samples == whole->samples));
	value->is_of_sum = is_of_sum;
}

void member_address(struct document *document, const char *name, uint64_t address)
{
	struct cell *value = new_member(document, name, CELL_ADDRESS);

	if (value)
		value->count = address;
}

void member_text(struct document *document, const char *name, const char *text)
{
	struct cell *value = new_member(document, name, text ? CELL_TEXT : CELL_ABSENT);

	if (!value || !text)
		return;
	value->text = build_text(document, "%s", text);
	if (!value->text)
		value->kind = CELL_ABSENT;
}

void member_absent(struct document *document, const char *name, const char *reason)
{
	struct cell *value = new_member(document, name, CELL_ABSENT);

	if (value)
		value->reason = reason;
}

/* Also what there is no room for is closed again. */
static void open_nest(struct document *document, struct cell *cell)
{
	if (document->depth < DOCUMENT_DEPTH)
		document->nest[document->depth] = cell;
	else
		document->failed = 1;
	document->depth++;
}

void cell_members(struct document *document)
{
	open_nest(document, build_cell(document, CELL_MEMBERS));
}

void cell_entries(struct document *document)
{
	open_nest(document, build_cell(document, CELL_ENTRIES));
}

void member_members(struct document *document, const char *name)
{
	open_nest(document, new_member(document, name, CELL_MEMBERS));
}

void member_entries(struct document *document, const char *name)
{
	open_nest(document, new_member(document, name, CELL_ENTRIES));
}

void close_nest(struct document *document)
{
	document->depth--;
}

void cell_trend(struct document *document, const uint64_t *counts, size_t count)
{
	struct cell *cell;

	if (count > DOCUMENT_MEMBERS_MOST - document->member_count) { /* all of it or nothing */
		cell_absent(document);
		cell_why_absent(document, "there are more rows than lists are told of");
		return;
	}
	cell = build_cell(document, CELL_ENTRIES);
	cell->is_trend = 1;
	open_nest(document, cell);
	for (size_t n = 0; n < count; n++)
		member_count(document, NULL, counts[n]);
	close_nest(document);
}
