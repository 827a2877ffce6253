/* SPDX-License-Identifier: BSD-3-Clause */
/* See events.h. */
#define _GNU_SOURCE
#include "events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "payload.h"
#include "pebs_events.h"

/* perf_event_attr, from its start */
#define ATTR_TYPE 0x00
#define ATTR_SAMPLE_PERIOD 0x10
#define ATTR_SAMPLE_TYPE 0x18
#define ATTR_FLAGS 0x28
#define ATTR_FLAG_FREQ (UINT64_C(1) << 10)

/* Types whose raw data is never a PMU's: their payload is not looked at. */
#define TYPE_SOFTWARE 1u
#define TYPE_TRACEPOINT 2u
#define TYPE_BREAKPOINT 5u
#define TYPES_WITHOUT_PMU (1u << TYPE_SOFTWARE | 1u << TYPE_TRACEPOINT | 1u << TYPE_BREAKPOINT)

static const struct {
	const char *name;
	enum precis_event_kind kind;
} ibs_pmus[] = {
	{ "ibs_op/", PRECIS_EVENT_IBS_OP },
	{ "ibs_fetch/", PRECIS_EVENT_IBS_FETCH },
};

static struct event *add(struct events *events, const char *name, size_t length)
{
	struct event *event;

	if (events->count == events->room) {
		uint32_t room = events->room ? events->room * 2 : 8;

		event = reallocarray(events->event, room, sizeof(*event));
		if (!event)
			return NULL;
		events->event = event;
		events->room = room;
	}
	event = &events->event[events->count];
	memset(event, 0, sizeof(*event));
	event->name = strndup(name, length);
	if (!event->name)
		return NULL;
	event->name_index = events->count;
	for (uint32_t i = 0; i < events->count; i++) {
		if (!strcmp(events->event[i].name, event->name)) {
			event->name_index = events->event[i].name_index;
			break;
		}
	}
	event->sample_type = UINT64_MAX;
	events->count++;
	return event;
}

void events_free(struct events *events)
{
	for (uint32_t i = 0; i < events->count; i++)
		free(events->event[i].name);
	free(events->event);
}

int events_name(struct events *events, const char *name, size_t length)
{
	for (uint32_t i = 0; i < events->count; i++) {
		if (strlen(events->event[i].name) == length &&
		    !memcmp(events->event[i].name, name, length))
			return (int)i;
	}
	return add(events, name, length) ? (int)events->count - 1 : -1;
}

static uint64_t load_u64(const void *from, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)from + offset, sizeof(value));
	return value;
}

static void learn(const struct events *events, struct event *event, const void *attr)
{
	uint32_t type = UINT32_MAX;

	if (attr) {
		memcpy(&type, (const char *)attr + ATTR_TYPE, sizeof(type));
		event->sample_type = load_u64(attr, ATTR_SAMPLE_TYPE);
		if (!(load_u64(attr, ATTR_FLAGS) & ATTR_FLAG_FREQ))
			event->fixed_period = load_u64(attr, ATTR_SAMPLE_PERIOD);
		event->attr = attr;
	}
	event->judged = type < 32 && (TYPES_WITHOUT_PMU & (1u << type));
	for (size_t i = 0; !event->judged && i < sizeof(ibs_pmus) / sizeof(ibs_pmus[0]); i++) {
		if (strstr(event->name, ibs_pmus[i].name)) {
			event->kind = ibs_pmus[i].kind;
			event->judged = 1;
		}
	}
	pebs_events_learn(event, attr, &events->machine);
}

static int is_same(const struct event *event, const char *name, const void *attr)
{
	return event->attr == attr && !strcmp(event->name, name);
}

static struct event *find(struct events *events, const char *name, const void *attr)
{
	struct event *event;

	if (events->last < events->count && is_same(&events->event[events->last], name, attr))
		return &events->event[events->last];
	for (uint32_t i = 0; i < events->count; i++) {
		event = &events->event[i];
		/* One without samples is as yet only a name that the filter mentions. */
		if (is_same(event, name, event->samples ? attr : event->attr)) {
			events->last = i;
			if (!event->samples)
				learn(events, event, attr);
			return event;
		}
	}
	event = add(events, name, strlen(name));
	if (event) {
		events->last = events->count - 1;
		learn(events, event, attr);
	}
	return event;
}

struct event *events_of(struct events *events, const struct dlfilter_sample *sample,
			const void *attr)
{
	const char *name = DLFILTER_SAMPLE_HAS(sample, event) ? sample->event : NULL;
	struct event *event = find(events, name ? name : "", attr);

	if (event && !event->judged)
		event->judged = payload_judge(sample, &event->kind);
	return event;
}

void events_complain(const struct events *events)
{
	for (uint32_t i = 0; i < events->count; i++) {
		const struct event *event = &events->event[i];

		if (event->without_raw)
			fprintf(stderr,
				"precis-dlfilter: %s: %" PRIu64 " of %" PRIu64
				" samples have no IBS registers; perf record writes them with "
				"--raw-samples\n",
				event->name, event->without_raw, event->samples);
		if (event->undecodable)
			fprintf(stderr,
				"precis-dlfilter: %s: %" PRIu64 " of %" PRIu64
				" samples cannot be decoded (the first: %s)\n",
				event->name, event->undecodable, event->samples,
				precis_strerror(event->first_error));
	}
}
