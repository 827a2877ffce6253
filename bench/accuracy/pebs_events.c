/* SPDX-License-Identifier: BSD-3-Clause */
/* See pebs_events.h. */
#include "pebs_events.h"

#include <stddef.h>

#include <precis/intel.h>

static const struct {
	enum pebs_event event;
	struct pebs_event_code code;
	uint32_t first, last; /* cores */
} rows[] = {
#define PEBS_EVENT(event, config, precise_ip, first, last)                                         \
	{ event, { config, precise_ip }, PRECIS_INTEL_##first, PRECIS_INTEL_##last },
#include "pebs_events.def"
#undef PEBS_EVENT
};

/* Between the large cores in the order of the enum */
static int is_small(uint32_t core)
{
	return core == PRECIS_INTEL_GRACEMONT;
}

int pebs_event_code(enum pebs_event event, uint32_t core, struct pebs_event_code *code)
{
	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		if (rows[n].event == event && core >= rows[n].first && core <= rows[n].last &&
		    !is_small(core)) {
			*code = rows[n].code;
			return 1;
		}
	}
	return 0;
}
