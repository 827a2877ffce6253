/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of events that the recording does not name. */
#ifndef PRECIS_PERF_EVENT_NAMES_H
#define PRECIS_PERF_EVENT_NAMES_H

#include "libdecode/perf/features/feature_set.h"

/* From event 'first' on. @return 0 or PRECIS_E_NO_MEMORY */
int file_name_events(const struct feature_set *features, struct file_events *events,
		     uint32_t first);

#endif
