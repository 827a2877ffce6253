/* SPDX-License-Identifier: BSD-3-Clause */
/* precis objects --events: each event of a side file, in the order of their times. */
#ifndef OBJECTS_EVENTS_H
#define OBJECTS_EVENTS_H

#include "frames.h"
#include "command/usage/page_format.h"
#include "document/output.h"

struct event_list {
	const struct precis_object_file *file;
	struct frames *frames;
	struct output *output;
	enum page_format format; /* JSON: a line for each event */
	uint32_t depth; /* frames of a stack that are shown, 0: all */
};

void events_begin(const struct event_list *list);
void events_put(const struct event_list *list, const struct precis_object_event *event);

#endif
