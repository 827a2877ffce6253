/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_accesses.h. */
#include "live_accesses.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/sharing/data.h"
#include "analysis/sharing/memory_cells.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Of one thread, that begin in one word */
#define ROWS_MOST (2 * WATCH_THREADS_MOST * EXPERIMENT_WORDS)

static const struct column columns[] = {
	{ "line", NULL, 0 },
	{ "address", NULL, 0 },
	{ "offset", "offset", 0 },
	{ "bytes", "bytes", 0 },
	{ "access", "access", COLUMN_LEFT },
	{ "samples", "samples", 0 },
	{ "member", "member", COLUMN_LEFT },
	{ "party", NULL, 0 },
	{ "who", "who", COLUMN_LEFT },
};

struct access_row {
	uint32_t samples, place; /* of the thread, in the page */
	uint8_t offset, bytes;
	int is_store;
};

struct telling {
	const struct live_advice *of;
	struct sharing_data data;
	struct access_row rows[ROWS_MOST];
	uint32_t count;
};

static int by_samples(const void *a, const void *b)
{
	const struct access_row *left = a, *right = b;

	if (left->samples != right->samples)
		return left->samples > right->samples ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	if (left->place != right->place)
		return left->place < right->place ? -1 : 1;
	return left->is_store - right->is_store;
}

static void take(struct telling *telling, const struct live_habit *habit)
{
	const uint32_t party = live_number_of(telling->of->result, habit->tid);

	for (uint32_t n = 0; n < 2 * EXPERIMENT_WORDS && telling->count < ROWS_MOST; n++) {
		const struct live_use *use = &habit->uses[n / 2];
		const uint32_t samples = n % 2 ? use->stores : use->loads;

		if (!samples || party == telling->of->result->thread_count)
			continue;
		telling->rows[telling->count++] = (struct access_row){
			.samples = samples,
			.place = sharing_answer_place(telling->of->answer, party),
			.offset = use->offset,
			.bytes = (uint8_t)(use->end - use->offset),
			.is_store = n % 2,
		};
	}
}

static void add_row(struct document *document, struct telling *telling, uint32_t number,
		    uint64_t line, const struct access_row *row)
{
	char text[SHARING_PARTY_TEXT];
	struct sharing_datum datum;

	sharing_answer_text(telling->of->answer, row->place, text);
	row_begin(document, "%" PRIu32, number);
	row_in(document, "rows");
	cell_count(document, number);
	cell_address(document, line);
	cell_count(document, row->offset);
	if (row->bytes)
		cell_count(document, row->bytes);
	else
		cell_absent(document);
	cell_text(document, "%s", row->is_store ? "store" : "load");
	cell_count(document, row->samples);
	sharing_datum_now(&telling->data, telling->of->pid, line + row->offset, row->bytes, &datum);
	sharing_cell_member(document, &datum);
	cell_count(document, row->place + 1);
	cell_text(document, "%s", text);
}

/* The line's number in the page, from 1. How many there are */
static uint32_t tell_line(struct document *document, struct telling *telling, uint32_t number,
			  uint64_t line)
{
	const struct live_habit *habits = telling->of->result->habits;

	telling->count = 0;
	for (uint32_t n = 0; n < LIVE_HABITS_MOST; n++) {
		if (habits[n].tid && habits[n].line == line)
			take(telling, &habits[n]);
	}
	qsort(telling->rows, telling->count, sizeof(telling->rows[0]), by_samples);
	for (uint32_t n = 0; n < telling->count && n < telling->of->top; n++)
		add_row(document, telling, number, line, &telling->rows[n]);
	return telling->count;
}

void live_tell_accesses(struct document *document, const struct live_advice *of)
{
	struct telling *telling = calloc(1, sizeof(*telling));
	uint64_t left_out = 0;

	if (!telling) {
		document->failed = 1;
		return;
	}
	telling->of = of;
	telling->data.sharing = of->answer->sharing;
	table_begin(document, "sharing_accesses", "Accesses to these lines", "line", columns,
		    COUNT_OF(columns));
	for (uint32_t n = 0; n < of->count; n++) {
		const uint32_t count = tell_line(document, telling, n + 1, of->lines[n]->line);

		left_out += count > of->top ? count - of->top : 0;
	}
	table_drop_empty(document);
	if (of->count)
		table_note(
			document,
			"those that were sampled, or handed over, by the word that they begin in: offset and "
			"bytes in the line");
	if (left_out)
		table_note(document, "and %" PRIu64 " that fewer samples have (--top)", left_out);
	document->failed |= telling->data.failed;
	sharing_data_free(&telling->data);
	free(telling);
}
