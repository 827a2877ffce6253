/* SPDX-License-Identifier: BSD-3-Clause */
/* Precise events in the tables of libpfm4, which this build may not have. */
#ifndef PFM_EVENTS_H
#define PFM_EVENTS_H

/* An event that can be precise: "MEM_LOAD_RETIRED:L3_MISS", and what it counts */
typedef void pfm_event_sink(void *data, const char *name, const char *meaning);

/*
 * Hand over those of a PMU of libpfm4, which need not be this machine's.
 * @return how many; negative: it is not known, and 'why' says why
 */
int pfm_events_each(const char *pmu, pfm_event_sink *sink, void *data, const char **why);

#endif
