/* SPDX-License-Identifier: BSD-3-Clause */
/* See record_id.h. */
#include "record_id.h"

int record_sample_id(struct precis_file *file, const struct precis_record *record,
			struct precis_sample_id *id)
{
	const struct precis_event *event = precis_file_event_of(file, record);

	if (!event)
		event = precis_file_event(file, 0);
	return event && !precis_sample_id_parse(event->layout, record, id) && id->present;
}
