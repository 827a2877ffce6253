/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts in read_format: of a sample, and of READ records. */
#ifndef COUNTS_H
#define COUNTS_H

#include <precis/precis.h>

#include "document/value_sink.h"

/* A list of members: event, value, id, lost. 'event': whose count it is if it is no group's */
void counts_put(struct precis_file *file, const struct precis_event *event,
		const struct precis_read *read, struct value_sink *sink);

#endif
