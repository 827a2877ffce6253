/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of events (events.h). */
#include "events.h"

#include <string.h>

#include <linux/hw_breakpoint.h>

#include "pebs_events.h"

#define MODE_USER_AND_KERNEL (MODE_USER | MODE_KERNEL)

static const struct bench_event events[] = {
#define EVENT(name, family, where, bits, code, quantity, subset, modes, expected, place, word, period,  \
	      kernels, summary)                                                                    \
	{ #name, summary, EVENT_##family, where, bits, subset, kernels, code, QUANTITY_##quantity, \
	  MODE_##modes, MODE_##expected, PLACE_##place, word, period },
#include "events.def"
#undef EVENT
};

const struct bench_event *event_at(size_t n)
{
	return n < sizeof(events) / sizeof(events[0]) ? &events[n] : NULL;
}

const struct bench_event *event_named(const char *name, size_t length)
{
	const struct bench_event *event;

	for (size_t n = 0; (event = event_at(n)); n++) {
		if (strncmp(event->name, name, length) == 0 && !event->name[length])
			return event;
	}
	return NULL;
}

const char *event_family_name(enum event_family family)
{
	static const char *const names[] = {
		[EVENT_SOFTWARE] = "software", [EVENT_TRACEPOINT] = "tracepoint",
		[EVENT_BREAKPOINT] = "breakpoint", [EVENT_IBS] = "IBS", [EVENT_PEBS] = "PEBS",
		[EVENT_SET] = "set",
	};

	return names[family];
}

size_t event_members(const struct bench_event *event, const struct bench_event *members[EVENTS_MOST])
{
	const char *at = event->where;
	size_t count = 0;

	if (event->family != EVENT_SET) {
		members[0] = event;
		return 1;
	}
	while (*at && count < EVENTS_MOST) {
		const size_t length = strcspn(at, ",");

		members[count] = event_named(at, length);
		if (!members[count])
			return 0;
		count++;
		at += length + (at[length] == ',');
	}
	return count;
}
