/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_advice.h. */
#include "live_advice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/model/absences.h"
#include "analysis/objects/program_types.h"
#include "analysis/sharing/cells.h"
#include "analysis/sharing/neighbours.h"
#include "command/symbols/demangle.h"
#include "statistics/interval.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define USES_MOST (WATCH_THREADS_MOST * EXPERIMENT_WORDS)
/* Of the accesses that were seen behind another thread's store those to other words, certainly */
#define APART_LEAST 0.50

static const struct column columns[] = {
	{ "line", NULL, 0 },
	{ "percent", "% of all", 0 },
	{ NULL, "advice", COLUMN_LEFT },
	{ "bytes", NULL, 0 },
	{ "move", NULL, 0 },
	{ "move_offset", NULL, 0 },
	{ "move_of", NULL, 0 },
	{ "from", NULL, 0 },
	{ "from_offset", NULL, 0 },
	{ "from_of", NULL, 0 },
	{ "source", NULL, 0 },
	{ "source_line", NULL, 0 },
};

struct advising {
	struct document *document;
	const struct live_advice *of;
	uint32_t rows;
	struct program_types types;
	struct sharing_use uses[USES_MOST];
	struct sharing_neighbours neighbours[USES_MOST];
};

/* Bytes of a line, for a person */
struct named_use {
	char name[TYPED_NAME_BYTES + 64];
	char who[SHARING_PARTY_TEXT];
	const char *source; /* file that declares it; NULL: not known */
	uint32_t line;
};

/* --- who accesses what of a line --- */

/* Parties are threads, in their order. */
static uint32_t number_of(const struct live_result *result, uint32_t tid)
{
	uint32_t n = 0;

	while (n < result->thread_count && result->threads[n].tid != tid)
		n++;
	return n;
}

static uint32_t add_uses(struct advising *advising, uint32_t count, const struct live_habit *habit)
{
	const uint32_t party = number_of(advising->of->result, habit->tid);

	for (uint32_t n = 0; n < EXPERIMENT_WORDS && count < USES_MOST; n++) {
		const struct live_use *use = &habit->uses[n];

		if (!use->loads && !use->stores)
			continue;
		advising->uses[count++] = (struct sharing_use){
			.party = party,
			.span = { use->offset, (uint8_t)(use->end - use->offset) },
			.loads = use->loads,
			.stores = use->stores,
		};
	}
	return count;
}

static uint32_t uses_of(struct advising *advising, uint64_t line)
{
	const struct live_habit *habits = advising->of->result->habits;
	uint32_t count = 0;

	for (uint32_t n = 0; n < LIVE_HABITS_MOST; n++) {
		if (habits[n].tid && habits[n].line == line)
			count = add_uses(advising, count, &habits[n]);
	}
	return count;
}

/* --- what that is --- */

/* By its variable, or where that is not known by its address */
static void name_plainly(const struct precis_memory *memory, uint64_t address,
			 struct named_use *named)
{
	char *variable = memory->variable ? demangle(memory->variable) : NULL;

	if (memory->variable)
		snprintf(named->name, sizeof(named->name), "%s+%" PRIu64,
			 variable ? variable : memory->variable, memory->variable_offset);
	else
		snprintf(named->name, sizeof(named->name), "%#" PRIx64, address);
	free(variable);
}

static void name_use(struct advising *advising, uint64_t line, const struct sharing_use *use,
		     struct named_use *named)
{
	static const struct precis_symbols_options options = { .size = sizeof(options) };
	const struct sharing_answer *answer = advising->of->answer;
	const struct program_place place = { answer->sharing->model.symbols, &options };
	struct precis_memory memory = { .size = sizeof(memory) };
	struct typed typed = { .name = NULL };

	*named = (struct named_use){ .source = NULL };
	precis_symbols_memory(place.symbols, advising->of->pid, UINT64_MAX, line + use->span.offset,
			      &memory);
	if (memory.variable && memory.object &&
	    program_types_at(&advising->types, &place, &memory, use->span.bytes, TYPED_ELEMENT,
			     &typed) < 0)
		advising->document->failed = 1;
	if (typed.name) {
		snprintf(named->name, sizeof(named->name), "%s", typed.name);
		named->source = typed.declared;
		named->line = typed.declared_line;
	} else {
		name_plainly(&memory, line + use->span.offset, named);
	}
	sharing_answer_text(answer, sharing_answer_place(answer, use->party), named->who);
}

/* --- rows --- */

static void cells_use(struct document *document, const struct named_use *named,
		      const struct sharing_use *use)
{
	cell_text(document, "%s", named->name);
	cell_count(document, use->span.offset);
	cell_text(document, "%s", named->who);
}

static void cells_source(struct document *document, const struct named_use *named)
{
	if (!named->source) {
		cell_absent(document);
		cell_absent(document);
		return;
	}
	cell_text(document, "%s", named->source);
	cell_count(document, named->line);
}

/* The line's number in the page, from 1 */
static void add_row(struct advising *advising, uint32_t number, const struct live_line *line,
		    const struct sharing_neighbours *neighbours)
{
	const struct sharing_use *upper = &advising->uses[neighbours->upper];
	const struct sharing_use *lower = &advising->uses[neighbours->lower];
	struct document *document = advising->document;
	struct named_use move, from;
	char source[256] = "";

	name_use(advising, line->line, upper, &move);
	name_use(advising, line->line, lower, &from);
	if (move.source)
		snprintf(source, sizeof(source), ": %s:%" PRIu32, model_file_of(move.source), move.line);
	row_begin(document, "%" PRIu32, ++advising->rows);
	cell_count(document, number);
	sharing_cell_percent(document, line->apart, advising->of->transfers);
	cell_text(document, "move %s, of %s, %u bytes from %s, of %s%s", move.name, move.who,
		  SHARING_LINE_BYTES, from.name, from.who, source);
	cell_count(document, SHARING_LINE_BYTES);
	cells_use(document, &move, upper);
	cells_use(document, &from, lower);
	cells_source(document, &move);
}

static void advise(struct advising *advising, uint32_t number, const struct live_line *line)
{
	const uint64_t seen = (uint64_t)line->met_seen + line->apart_seen;
	uint32_t pairs;

	if (interval_of_share(line->apart_seen, seen).low <= APART_LEAST)
		return;
	pairs = sharing_neighbours_find(advising->uses, uses_of(advising, line->line),
					advising->neighbours);
	for (uint32_t n = 0; n < pairs; n++)
		add_row(advising, number, line, &advising->neighbours[n]);
}

void live_advise(struct document *document, const struct live_advice *of)
{
	struct advising *advising = calloc(1, sizeof(*advising));

	if (!advising) {
		document->failed = 1;
		return;
	}
	advising->document = document;
	advising->of = of;
	table_begin(document, "sharing_advice", "What to move apart", "", columns, COUNT_OF(columns));
	for (uint32_t n = 0; n < of->count; n++)
		advise(advising, n + 1, of->lines[n]);
	table_drop_empty(document);
	if (advising->rows)
		table_note(document,
			   "on these lines threads access bytes of their own beside others' that "
			   "store; %% of all: false sharing of the line");
	program_types_free(&advising->types);
	free(advising);
}
