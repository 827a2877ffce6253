/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of analyses, saved and loaded: events that it told apart, and each analysis by its name. */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "saving/fields.h"

/* Of each kind of event; numbers of events are those of the recording. */
static void numbers(struct saving *saving, uint32_t **list, uint32_t count, uint64_t limit, const char *what)
{
	if (saving->is_loading && count) {
		*list = calloc(count, sizeof(**list));
		if (!*list)
			saving_no_memory(saving);
	}
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++)
		saved_below(saving, &(*list)[n], limit, what);
}

static void places(struct saving *saving, struct event_places *places, uint32_t events)
{
	const uint32_t known = saved_count(saving, places->known, events, 8, "events");
	const uint32_t count = saved_count(saving, places->count, known, 4, "events that are told apart");
	uint32_t *first = places->number;

	numbers(saving, &places->alike, known, known, "the number of an event");
	numbers(saving, &places->place, known, (uint64_t)count + 1, "the place of an event");
	numbers(saving, &first, count, known, "the number of an event");
	if (!saving->is_loading)
		return;
	/* there is room for as many as are known */
	places->number = calloc((size_t)known + 1, sizeof(*places->number));
	if (places->number && first && !saving_failed(saving))
		memcpy(places->number, first, count * sizeof(*first));
	if (!places->number)
		saving_no_memory(saving);
	free(first);
	if (saving_failed(saving))
		return;
	places->known = known;
	places->count = count;
}

/* Is that the analysis that comes next? */
static void name(struct saving *saving, const struct analysis *is)
{
	const char *name = is->name;

	if (!is->saved && !is->saves) {
		saving_damaged(saving, "the analysis '%s' cannot be saved", is->name);
		return;
	}
	saved_text(saving, &name);
	if (!saving_failed(saving) && (!name || strcmp(name, is->name) != 0))
		saving_damaged(saving, "expected the analysis '%s', found '%s'", is->name, name ? name : "");
}

static void running(struct saving *saving, struct running *running)
{
	name(saving, running->is);
	/* of a file that an earlier version saved it stays so, whoever saves it again */
	running->is_missing |= !saved_is_there(saving, !running->is_missing);
	if (saving_failed(saving) || running->is_missing)
		return;
	saved_reasons(saving, &running->reasons);
	if (running->is->saved)
		saved_fields(saving, running->state, running->is->saved);
	if (running->is->saves && !saving_failed(saving))
		running->is->saves(saving, running->state);
}

/* Files of versions before it do not have it. */
static int is_there(const struct saving *saving, const struct analysis *is)
{
	return !saving->is_loading || is->since <= saving->version;
}

void analysis_run_saves(struct saving *saving, struct analysis_run *run)
{
	const uint32_t events = recordings_events(&run->recordings);
	uint32_t expected = 0, count;

	for (uint32_t n = 0; n < run->count; n++)
		expected += (uint32_t)is_there(saving, run->running[n].is);
	count = expected;
	for (uint32_t kind = 0; kind < EVENT_KINDS && !saving_failed(saving); kind++)
		places(saving, &run->events[kind], events);
	saved_u32(saving, &count);
	if (count != expected)
		saving_damaged(saving, "expected %u analyses, as its version has, found %u", expected, count);
	for (uint32_t n = 0; n < run->count && !saving_failed(saving); n++) {
		if (is_there(saving, run->running[n].is))
			running(saving, &run->running[n]);
		else
			run->running[n].is_missing = 1;
	}
}
