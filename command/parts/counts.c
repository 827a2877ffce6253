/* SPDX-License-Identifier: BSD-3-Clause */
/* See counts.h. */
#include "counts.h"

static void put_value(const struct precis_event *event, const struct precis_read_value *value,
		      struct value_sink *sink)
{
	value_members(sink);
	if (event) {
		value_key(sink, "event");
		value_text(sink, event->name);
	}
	value_key(sink, "value");
	value_number(sink, value->value);
	if (value->present & PRECIS_FORMAT_ID) {
		value_key(sink, "id");
		value_number(sink, value->id);
	}
	if (value->present & PRECIS_FORMAT_LOST) {
		value_key(sink, "lost");
		value_number(sink, value->lost);
	}
	value_members_end(sink);
}

void counts_put(struct precis_file *file, const struct precis_event *event,
		const struct precis_read *read, struct value_sink *sink)
{
	struct precis_read_value value = { .size = sizeof(value) };

	if (read->present & PRECIS_FORMAT_GROUP)
		event = NULL; /* without ids it is not said which events the group has */
	value_list(sink);
	for (uint64_t n = 0; !precis_read_value(read, n, &value); n++)
		put_value(value.present & PRECIS_FORMAT_ID ? precis_file_event_of_id(file, value.id)
							   : event,
			  &value, sink);
	value_list_end(sink);
}
