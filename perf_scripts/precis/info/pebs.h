/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis info says of Intel's precise events, and of the cores that took them. */
#ifndef INFO_PEBS_H
#define INFO_PEBS_H

#include "info.h"

/* The cores that an Intel CPU has: one, or of a hybrid CPU one of each type */
#define INFO_INTEL_CORES 3

struct info_intel_core {
	uint32_t core; /* enum precis_intel_core */
	uint32_t type; /* enum precis_core_type; UNKNOWN where all of the CPU's cores are alike */
};

/* @return how many; 0 for another vendor's CPU, and one that is not known */
uint32_t info_intel_cores(const struct precis_cpu *cpu,
			  struct info_intel_core cores[INFO_INTEL_CORES]);

/* The core that an event's samples are of. 0, or -1: it is not known, or the event no PEBS */
int info_pebs_core(const struct info *info, const struct info_event *event,
		   struct precis_intel_core_info *core);

/*
 * Is it the auxiliary event of a load latency event? 'core' is of the load latency event, whose PMU
 * the event shares: an auxiliary event need not be precise.
 */
int info_pebs_is_auxiliary(const struct info_event *event,
			   const struct precis_intel_core_info *core);

/* "load_latency", …, "auxiliary"; NULL if it is not known */
const char *info_pebs_event_name(const struct info *info, const struct info_event *event);

/* The least latency of a sampled load, in cycles; 0: the event has no such threshold */
uint32_t info_pebs_threshold(const struct info_event *event);

/* "Golden Cove, record format 4; load latency: …", for people. In 'room' */
const char *info_pebs_text(const struct info *info, const struct info_event *event, char *room,
			   size_t bytes);

/* A remark on an event, or NULL; see info_remark(). */
typedef const char *info_remark_fn(const struct info *info, const struct info_event *event,
				   char *room, size_t bytes);
info_remark_fn info_pebs_cpu_unknown, info_pebs_access_lacks, info_pebs_latency_lacks,
	info_pebs_retire_lacks, info_pebs_auxiliary_lacks, info_pebs_filter, info_pebs_skid,
	info_pebs_doubt;

#endif
