/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis info says of Intel's precise events, and of the cores that took them. */
#ifndef INFO_PEBS_H
#define INFO_PEBS_H

#include "info.h"

/* "load_latency", …, "auxiliary"; NULL if it is not known */
const char *info_pebs_event_name(const struct info *info, const struct info_event *event);

/* "Golden Cove, record format 4; load latency: …", for people. In 'room' */
const char *info_pebs_text(const struct info *info, const struct info_event *event, char *room,
			   size_t bytes);

#endif
