/* SPDX-License-Identifier: BSD-3-Clause */
/* Places as findings: the one with the most cycles of latency, and those without a symbol. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/findings/findings.h"
#include "analysis/in_step.h"
#include "analysis/model/absences.h"
#include "tables.h"

/* So many of an event are looked at: each may need the symbols of a file that nobody has read yet. */
#define PLACES_NAMED 10u

/* With fewer samples of equal weight shares are told within three in a hundred, or worse. */
#define SAMPLES_ENOUGH 1000

/* In so many of all cases none of n samples is in what has the share 1 - UNSEEN^(1 / n) */
#define UNSEEN 0.05

static struct weighted cycles_of(const struct heavy_entry *place, const struct weighted *all)
{
	struct weighted cycles = weighted_of(place->figures[PLACE_LATENCY_COUNT], all->least);

	cycles.most = all->most;
	cycles.weight = place->figures[PLACE_LATENCY_SUM];
	cycles.squares = weight_sum_of(&place->figures[PLACE_LATENCY_SQUARES]);
	return cycles;
}

/* By names where they have as much, which are the same in every run */
static int has_more_cycles(const struct heavy_entry *place, const struct heavy_entry *than)
{
	const uint64_t cycles = place->figures[PLACE_LATENCY_SUM];

	if (!than || cycles != than->figures[PLACE_LATENCY_SUM])
		return !than || cycles > than->figures[PLACE_LATENCY_SUM];
	return top_compare_places(&place, &than) < 0;
}

/* Are there samples of several events, which are told apart? */
static int has_several(const struct top *top)
{
	uint32_t count = 0;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind]; n++)
			count += top->events[kind][n].all.samples != 0;
	}
	return count > 1;
}

#define OF_ROOM 96u

/* 'what' of its samples, by the event's number where there are others of its kind */
static void name_of_event(const struct top *top, uint32_t kind, uint32_t place, const char *what,
			  char of[OF_ROOM])
{
	const struct event_places *places = top->about->events[kind];

	if (place && has_several(top))
		snprintf(of, OF_ROOM, "%s of event %" PRIu32, what, places->number[place - 1]);
	else
		snprintf(of, OF_ROOM, "%s", what);
}

static void name_samples(const struct top *top, uint32_t kind, uint32_t place, char of[OF_ROOM])
{
	static const char *const units[EVENT_KINDS] = {
		[PRECIS_EVENT_IBS_OP] = "ops",
		[PRECIS_EVENT_IBS_FETCH] = "fetches",
	};

	if (units[kind] && has_several(top))
		snprintf(of, OF_ROOM, "%s", units[kind]);
	else
		name_of_event(top, kind, place, "samples", of);
}

static void offer_hottest(struct findings *findings, const struct top *top, uint32_t kind,
			  uint32_t place)
{
	const struct heavy *heavy = &top_places_of(top, kind, place)->heavy;
	const struct top_event *event = &top->events[kind][place];
	const int field = top_latency_field(top, kind, place);
	const struct heavy_entry *hottest = NULL;
	struct weighted cycles;
	char *where, *function, of[OF_ROOM];

	if (field < 0 || top->order > TOP_LATENCY || !event->cycles.weight ||
	    !weighted_unit(&event->all))
		return;
	for (uint32_t n = 0; n < heavy->count; n++) {
		if (has_more_cycles(&heavy->entries[n], hottest))
			hottest = &heavy->entries[n];
	}
	where = hottest ? top_place_text(top, hottest) : NULL;
	if (!where) {
		findings->failed |= hottest != NULL;
		return;
	}
	cycles = cycles_of(hottest, &event->cycles);
	name_of_event(top, kind, place, precis_field_name((uint32_t)field), of);
	findings_share(findings, FINDING_ID_hot_instruction, PRECIS_FIELD_IP, &cycles, &event->cycles,
		       of, where);
	function = top_place_function(top, hottest);
	if (function)
		findings_in_function(findings, FINDING_ID_hot_instruction, function);
	free(function);
	free(where);
}

/* Of the first places of the table those without a symbol: at least so many samples have none. */
static void offer_unnamed(struct findings *findings, const struct top *top, uint32_t kind,
			  uint32_t place)
{
	const struct heavy *heavy = &top_places_of(top, kind, place)->heavy;
	const struct top_event *event = &top->events[kind][place];
	const struct heavy_entry *rows[PLACES_NAMED];
	struct weighted unnamed = weighted_of(0, event->all.least);
	const size_t count = top_sort_places(heavy, rows, PLACES_NAMED);
	char of[OF_ROOM];

	unnamed.most = event->all.most;
	for (size_t n = 0; n < count; n++) {
		const struct weighted samples = top_place_samples(rows[n], &event->all);

		if (!top_place_has_symbol(top, rows[n]))
			weighted_add(&unnamed, &samples);
	}
	name_samples(top, kind, place, of);
	if (count)
		findings_share(findings, FINDING_ID_no_symbols, PRECIS_FIELD_IP, &unnamed, &event->all,
			       of, NULL);
}

/* Of the event that tells most: do its samples tell enough, and as much as they could? */
static void offer_number(struct findings *findings, const struct top *top)
{
	const struct weighted *most = NULL;
	uint32_t of = PRECIS_EVENT_OTHER;
	struct finding found = { .count = 0 };
	double effective = 0;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind]; n++) {
			const struct weighted *all = &top->events[kind][n].all;

			if (!all->samples || (most && weighted_effective(all) <= effective))
				continue;
			most = all;
			effective = weighted_effective(all);
			of = kind;
		}
	}
	if (!most)
		return;
	findings_of_ops(findings, of == PRECIS_EVENT_IBS_OP);
	found.whole = *most;
	found.count = most->samples;
	found.total = (uint64_t)effective;
	found.advice = (uint64_t)ceil(100 * (1 - pow(UNSEEN, 1 / effective)));
	found.size = 1 - effective / SAMPLES_ENOUGH;
	findings_count(findings, &found, FINDING_ID_few_samples);
	found.size = 1 - effective / (double)most->samples;
	findings_count(findings, &found, FINDING_ID_uneven_samples);
}

void top_findings(struct findings *findings, const struct top *top)
{
	offer_number(findings, top);
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind]; n++) {
			const struct top_places *places = top_places_of(top, kind, n);

			if (!places || !places->heavy.count)
				continue;
			in_step_offer(findings, top->about, kind, n);
			offer_hottest(findings, top, kind, n);
			if (model_has_symbols(&top->model) && precis_symbols_available())
				offer_unnamed(findings, top, kind, n);
		}
	}
}
