/* SPDX-License-Identifier: BSD-3-Clause */
/* See advice.h. */
#include "advice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/absences.h"
#include "cells.h"
#include "statistics/interval.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Of the accesses that were seen behind another's store those to other words, certainly */
#define APART_LEAST 0.50

/* Words of enum sharing_source */
static const char *const sources[] = { "declared", "allocated", "accessed" };

static const struct column columns[] = {
	{ "line", NULL, 0 },      { "percent", "% of all", 0 }, { NULL, "advice", COLUMN_LEFT },
	{ "bytes", NULL, 0 },     { "move", NULL, 0 },          { "move_offset", NULL, 0 },
	{ "move_of", NULL, 0 },   { "from", NULL, 0 },          { "from_offset", NULL, 0 },
	{ "from_of", NULL, 0 },   { "source", NULL, 0 },        { "source_line", NULL, 0 },
	{ "source_is", NULL, 0 },
};

int sharing_is_mostly_false(uint64_t apart, uint64_t seen)
{
	return seen && interval_of_share(apart, seen).low > APART_LEAST;
}

void sharing_advice_begin(struct sharing_advice *advice)
{
	table_begin(advice->document, "sharing_advice", "What to move apart", "", columns,
		    COUNT_OF(columns));
}

/* Where to look for it, for a person: a block's name has it already. */
static void say_source(const struct sharing_datum *datum, char *text, size_t room)
{
	text[0] = '\0';
	if (!datum->line || !datum->file || datum->source == SHARING_ALLOCATED)
		return;
	snprintf(text, room,
		 datum->source == SHARING_DECLARED ? ": %s:%" PRIu32
						   : " (accessed at %s:%" PRIu32 ")",
		 model_file_of(datum->file), datum->line);
}

/* Elements of an array that nobody knows the beginning of have one name. */
static void cell_advice(struct document *document, const char *move, const char *move_of,
			const char *from, const char *from_of, const struct sharing_own_use *lower,
			const struct sharing_own_use *upper, const char *source)
{
	if (strcmp(move, from) != 0)
		cell_text(document, "move %s, of %s, %u bytes from %s, of %s%s", move, move_of,
			  SHARING_LINE_BYTES, from, from_of, source);
	else
		cell_text(document,
			  "move %s at offset %u, of %s, %u bytes from that at offset %u, of %s%s",
			  move, upper->span.offset, move_of, SHARING_LINE_BYTES, lower->span.offset,
			  from_of, source);
}

static void cells_use(struct document *document, const char *name, const char *who,
		      const struct sharing_own_use *use)
{
	cell_text(document, "%s", name);
	cell_count(document, use->span.offset);
	cell_text(document, "%s", who);
}

static void cells_source(struct document *document, const struct sharing_datum *datum)
{
	if (!datum->line || !datum->file) {
		for (int n = 0; n < 3; n++)
			cell_absent(document);
		return;
	}
	cell_text(document, "%s", datum->file);
	cell_count(document, datum->line);
	cell_text(document, "%s", sources[datum->source]);
}

void sharing_advise(struct sharing_advice *advice, uint32_t number, double apart, double all,
		    const struct sharing_own_use *lower, const struct sharing_own_use *upper)
{
	char move_of[SHARING_PARTY_TEXT], from_of[SHARING_PARTY_TEXT], source[256];
	const struct sharing_answer *answer = advice->answer;
	struct document *document = advice->document;
	struct sharing_datum datum;
	char *from;

	sharing_answer_text(answer, sharing_answer_place(answer, upper->party), move_of);
	sharing_answer_text(answer, sharing_answer_place(answer, lower->party), from_of);
	advice->name(advice->named, lower, &datum);
	from = strdup(datum.name);
	if (!from) {
		document->failed = 1;
		return;
	}
	advice->name(advice->named, upper, &datum);
	say_source(&datum, source, sizeof(source));
	row_begin(document, "%" PRIu32, ++advice->rows);
	cell_count(document, number);
	sharing_cell_percent(document, apart, all);
	cell_advice(document, datum.name, move_of, from, from_of, lower, upper, source);
	cell_count(document, SHARING_LINE_BYTES);
	cells_use(document, datum.name, move_of, upper);
	cells_use(document, from, from_of, lower);
	cells_source(document, &datum);
	free(from);
}

void sharing_advice_end(struct sharing_advice *advice)
{
	table_drop_empty(advice->document);
	if (advice->rows)
		table_note(
			advice->document,
			"on these lines %s access bytes of their own beside others' that store; %% of all: "
			"false sharing of the line",
			sharing_party_word(advice->answer->sharing->request, 1));
}
