/* SPDX-License-Identifier: BSD-3-Clause */
/* The line on load latency filters. */
#include "latency_filter.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/ibs_config.h"
#include "analysis/pebs_event.h"

uint64_t latency_threshold_of(const struct precis_event *event)
{
	return event->kind == PRECIS_EVENT_IBS_OP ? event->config1 & IBS_OP_LDLAT1 :
						    pebs_event_threshold(event);
}

/*
 * Intel's MSR_PEBS_LD_LAT_THRESHOLD takes what is greater than it (SDM vol. 3, "Load Latency
 * Performance Monitoring Facility"; the events are called LOAD_LATENCY_GT_n). Linux drops IBS
 * samples of loads whose miss took up to the threshold (arch/x86/events/amd/ibs.c of 6.15).
 */
const char *note_of_ldlat(const struct subject *of, uint64_t cycles)
{
	int is_ibs = of->event->kind == PRECIS_EVENT_IBS_OP;

	snprintf(of->room, of->bytes,
		 "only loads of more than %" PRIu64 " cycles%s were sampled (ldlat): shares and "
		 "means are of these, not of all loads%s",
		 cycles, is_ibs ? " from L1 miss to data" : "",
		 is_ibs ? ", and the period is skewed" : "");
	return of->room;
}
