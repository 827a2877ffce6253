/* SPDX-License-Identifier: BSD-3-Clause */
/* Events by their names in libpfm4, whose headers have a <linux/perf_event.h> of their own. */
#ifndef PRECIS_PFM_H
#define PRECIS_PFM_H

#include <stdint.h>

/* What of an attr an event's name decides */
struct precis_pfm_event {
	uint32_t type, precise_ip;
	uint64_t config, config1, config2;
};

/* @return 0; else *why says why not, a static text */
int precis_pfm_find(const char *name, int user, int kernel, struct precis_pfm_event *event,
		    const char **why);

#endif
