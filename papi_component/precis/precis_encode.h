/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_encode.h
 * @brief From an event and its qualifiers to what perf_event_open(2) is asked for, or why it cannot be.
 */
#ifndef PRECIS_ENCODE_H
#define PRECIS_ENCODE_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/types.h>

#include "precis_event_rows.h"

/** Which thread or CPU, and which modes of it */
struct precis_target {
	pid_t tid; /**< 0: the calling thread; -1: every one, on 'cpu' */
	int cpu; /**< -1: any */
	int domain; /**< PAPI_DOM_* */
	int inherit; /**< threads that are created count, too */
	int multiplexed; /**< counts are of the time in which there was a counter, for all of it */
};

/** What perf_event_open(2) is asked for */
struct precis_request {
	const struct precis_named_event *event; /**< as it was named */
	struct perf_event_attr attr; /**< of the event itself */
	struct perf_event_attr leader; /**< the auxiliary event, if has_leader */
	int has_leader; /**< Intel's memory events of some cores want one */
	/** the first level of attr.precise_ip that PRECIS_PAPI_MOST_PRECISE tries, and then downwards ... */
	uint32_t precise_most;
	uint32_t precise_least; /**< ... to this one; both 0: the event has none */
	uint32_t kind; /**< enum precis_event_kind of its samples */
	uint32_t core_type; /**< enum precis_core_type */
	struct precis_target target; /**< whom it counts */
};

/** @return PAPI_OK, or why this machine has no such event */
int precis_encode(const struct precis_named_event *event, const struct precis_target *target,
		  struct precis_request *request);
/** What has to be recorded so that the samples have these fields; sets attr.sample_type. */
void precis_encode_fields(struct precis_request *request, const uint64_t *fields);
/** The nearest period that the event takes, or 0 with a reason noted */
uint64_t precis_encode_period(const struct precis_request *request, uint64_t period, int exactly);

#endif
