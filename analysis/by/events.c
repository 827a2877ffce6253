/* SPDX-License-Identifier: BSD-3-Clause */
/* See events.h. */
#include "events.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/type_page/page.h"

void by_events_free(const struct by_events *events)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < events->count[kind]; n++) {
			for (uint32_t depth = 0; depth < BY_KEYS_MOST; depth++)
				by_rows_free(&events->list[kind][n].rows[depth]);
			type_methods_free(&events->list[kind][n].methods);
			type_page_free_event(&events->list[kind][n]);
			free(events->list[kind][n].total);
		}
		free(events->list[kind]);
	}
}

struct by_event *by_event_at(struct by_events *events, uint32_t kind, uint32_t place)
{
	const uint32_t from = events->count[kind];
	struct by_event *more;

	if (place < from)
		return &events->list[kind][place];
	more = realloc(events->list[kind], (place + 1) * sizeof(*more));
	if (!more)
		return NULL;
	memset(more + from, 0, (place + 1 - from) * sizeof(*more));
	events->list[kind] = more;
	events->count[kind] = place + 1;
	return &more[place];
}

int by_event_open(const struct by *by, struct by_event *event)
{
	if (event->total)
		return 0;
	for (uint32_t n = 0; n < by->depths; n++) {
		uint32_t keys = n < by->request->key_count ? n + 1 : 0;

		if (by_rows_init(&event->rows[n], keys, by->flags, by->parts) < 0)
			return -1;
		if (by->request->annotated.is_asked) /* a function has many instructions */
			event->rows[n].limit = BY_ROWS_MOST;
	}
	event->total = calloc(1, event->rows[0].stride);
	if (!event->total)
		return -1;
	event->total->parts = by->parts;
	return 0;
}
