/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_advice.h. */
#include "live_advice.h"

#include <stdlib.h>

#include "analysis/sharing/advice.h"
#include "analysis/sharing/data.h"
#include "trapped_place.h"

#define WORD_BYTES (SHARING_LINE_BYTES / EXPERIMENT_WORDS)
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

/* --- by which instruction --- */

/* So many of those that traps came behind are looked for, those with most first */
#define LOOKED_FOR 4

static int is_of(const struct advising *advising, const struct live_site *site,
		 const struct sharing_own_use *use)
{
	const uint32_t last = use->span.offset + (use->span.bytes ? use->span.bytes - 1u : 0);
	const uint32_t word = site->offset / WORD_BYTES;

	/* of whole lines that were watched it is not known where in it */
	return site->line == advising->line && site->ip && !(site->is_trap && site->bytes) &&
	       word >= use->span.offset / WORD_BYTES && word <= last / WORD_BYTES &&
	       live_party_of(advising->of, site->tid) == use->party;
}

static int is_more(const struct live_site *a, const struct live_site *b)
{
	return a->count != b->count ? a->count > b->count : a < b;
}

/* The one seen most often of those that were seen less often than that. NULL: there is none */
static const struct live_site *next_site(const struct advising *advising,
					 const struct sharing_own_use *use,
					 const struct live_site *than)
{
	const struct live_site *list = advising->of->result->sites.list, *found = NULL;

	for (uint32_t n = 0; list && n < LIVE_SITES_MOST; n++) {
		const struct live_site *site = &list[n];

		if (is_of(advising, site, use) && (!than || is_more(than, site)) &&
		    (!found || is_more(site, found)))
			found = site;
	}
	return found;
}

/* 0: not known */
static uint64_t instruction_of(const struct advising *advising, const struct sharing_own_use *use)
{
	struct precis_symbols *symbols = advising->of->answer->sharing->model.symbols;
	const struct live_site *site = NULL;
	uint64_t ip = 0;
	uint16_t does;

	for (int n = 0; n < LOOKED_FOR && !ip && (site = next_site(advising, use, site)); n++)
		ip = site->is_trap ? trapped_place(symbols, advising->of->pid, site->ip, &does)
				   : site->ip;
	return ip;
}

/* --- rows --- */

static void name_use(void *named, const struct sharing_own_use *use, struct sharing_datum *datum)
{
	struct advising *advising = named;

	sharing_datum_now(&advising->data, advising->of->pid, instruction_of(advising, use),
			  advising->line + use->span.offset, use->span.bytes, datum);
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
