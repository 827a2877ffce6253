/* SPDX-License-Identifier: BSD-3-Clause */
/* What a precise event of an Intel CPU is, by how it was configured. */
#ifndef ANALYSIS_PEBS_EVENT_H
#define ANALYSIS_PEBS_EVENT_H

#include <precis/precis.h>

/* The core that an event's samples are of. 0, or -1: it is not known, or the event no PEBS */
int pebs_event_core(const struct precis_cpu *cpu, const struct precis_event *event,
		    struct precis_intel_core_info *core);

/* Is it the auxiliary event that load latency needs beside it on that CPU? */
int pebs_event_is_auxiliary(const struct precis_cpu *cpu, const struct precis_event *event);

/* Is 'other' the auxiliary event for 'event', whose PMU it shares? It need not be precise. */
int pebs_is_auxiliary_of(const struct precis_cpu *cpu, const struct precis_event *event,
			 const struct precis_event *other);

/* Of a load latency event's config1: "ldlat" in Linux */
#define PEBS_THRESHOLD_BITS UINT64_C(0xffff)

/* A load latency event samples loads of more cycles than that; 0: no threshold, or another event */
uint32_t pebs_event_threshold(const struct precis_event *event);

/* Loads or stores alone, whichever the program has: enum precis_op, or 0 */
uint32_t pebs_event_op(const struct precis_event *event);

#endif
