/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_missing.h
 * @brief Why this machine does not have an event.
 */
#ifndef PRECIS_MISSING_H
#define PRECIS_MISSING_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "precis_event_rows.h"

/** NULL if it is here. A static text. */
const char *precis_event_missing(const struct precis_named_event *event);
/** What has to be done so that one that is here can be had; NULL: nothing. A static text. */
const char *precis_event_needs(const struct precis_named_event *event);
/** The PMU of Intel's cores that has MEM_LOADS or MEM_STORES, and the event. NULL: none */
const char *precis_intel_pmu(uint32_t id, struct perf_event_attr *attr);

#endif
