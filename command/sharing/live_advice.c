/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_advice.h. */
#include "live_advice.h"

#include <stdlib.h>

#include "analysis/sharing/advice.h"
#include "analysis/sharing/data.h"

#define USES_MOST (WATCH_THREADS_MOST * EXPERIMENT_WORDS)

struct advising {
	const struct live_advice *of;
	uint64_t line; /* that is advised on */
	struct sharing_data data;
	struct sharing_own_use uses[USES_MOST];
	struct sharing_neighbours neighbours[USES_MOST];
};

/* --- who accesses what of a line --- */

uint32_t live_party_of(const struct live_advice *of, uint32_t tid)
{
	const uint32_t number = live_number_of(of->result, tid);

	return number < of->result->thread_count ? of->party_of[number] : LIVE_NOBODY;
}

static uint32_t add_uses(struct advising *advising, uint32_t count, const struct live_habit *habit)
{
	const uint32_t party = live_party_of(advising->of, habit->tid);

	for (uint32_t n = 0; n < EXPERIMENT_WORDS && party != LIVE_NOBODY && count < USES_MOST;
	     n++) {
		const struct live_use *use = &habit->uses[n];

		if (!use->loads && !use->stores)
			continue;
		advising->uses[count++] = (struct sharing_own_use){
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

/* --- rows --- */

static void name_use(void *named, const struct sharing_own_use *use, struct sharing_datum *datum)
{
	struct advising *advising = named;

	sharing_datum_now(&advising->data, advising->of->pid, advising->line + use->span.offset,
			  use->span.bytes, datum);
}

/* The line's number in the page, from 1 */
static void advise(struct sharing_advice *advice, uint32_t number, const struct live_line *line)
{
	struct advising *advising = advice->named;
	uint32_t pairs;

	if (!sharing_is_mostly_false(line->apart_seen, (uint64_t)line->met_seen + line->apart_seen))
		return;
	advising->line = line->line;
	pairs = sharing_neighbours_find(advising->uses, uses_of(advising, line->line),
					advising->neighbours);
	for (uint32_t n = 0; n < pairs; n++)
		sharing_advise(advice, number, line->apart, advising->of->transfers,
			       &advising->uses[advising->neighbours[n].lower],
			       &advising->uses[advising->neighbours[n].upper]);
}

void live_advise(struct document *document, const struct live_advice *of)
{
	struct advising *advising = calloc(1, sizeof(*advising));
	struct sharing_advice advice = {
		.document = document,
		.answer = of->answer,
		.name = name_use,
		.named = advising,
	};

	if (!advising) {
		document->failed = 1;
		return;
	}
	advising->of = of;
	advising->data.sharing = of->answer->sharing;
	sharing_advice_begin(&advice);
	for (uint32_t n = 0; n < of->count; n++)
		advise(&advice, n + 1, of->lines[n]);
	sharing_advice_end(&advice);
	document->failed |= advising->data.failed;
	sharing_data_free(&advising->data);
	free(advising);
}
