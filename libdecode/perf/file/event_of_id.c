/* SPDX-License-Identifier: BSD-3-Clause */
#include "private.h"

const struct precis_event *precis_file_event_of_id(struct precis_file *file, uint64_t id)
{
	struct file_event *event = file ? precis_file_by_id(file, id) : NULL;

	return event ? &event->view : NULL;
}
