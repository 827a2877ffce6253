/* SPDX-License-Identifier: BSD-3-Clause */
/* The precise events of Intel's cores, as numbers. */
#ifndef ACCURACY_PEBS_EVENTS_H
#define ACCURACY_PEBS_EVENTS_H

#include <stdint.h>

enum pebs_event {
	PEBS_INSTRUCTIONS,
	PEBS_LOADS,
	PEBS_STORES,
	PEBS_L1_MISSES,
	PEBS_BRANCHES,
	PEBS_TAKEN,
	PEBS_LOCKED,
	PEBS_RETURNS,
	PEBS_LATENCY /* whose number is in precis_intel_core_info() */
};

struct pebs_event_code {
	uint64_t config;
	uint32_t precise_ip;
};

/* Of a core (enum precis_intel_core). 1, or 0 if its number is not known */
int pebs_event_code(enum pebs_event event, uint32_t core, struct pebs_event_code *code);

#endif
