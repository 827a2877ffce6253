/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of the events that samples belong to. */
#ifndef DLFILTER_EVENT_H
#define DLFILTER_EVENT_H

#include <precis/precis.h>

#include "perf_dlfilter_abi.h"

struct event {
	char *name;
	uint32_t name_index; /* of the first event of that name: the value of the field 'event' */
	const void *attr; /* perf's, as an identity only; NULL: not known */
	uint64_t sample_type; /* PRECIS_SAMPLE_*; UINT64_MAX: not known */
	uint64_t fixed_period; /* attr.sample_period, if it is one; else 0 */
	struct precis_pebs_context pebs; /* what the kernel's words mean */
	enum precis_event_kind kind;
	int judged; /* 'kind' is final */
	uint64_t samples;
	uint64_t without_raw; /* IBS samples with no payload */
	uint64_t undecodable; /* IBS samples whose payload is none that can be decoded */
	int first_error; /* why the first of these could not be */
};

struct events {
	struct event *event;
	uint32_t count, room;
	uint32_t last; /* the one that was asked for last */
	struct precis_pebs_machine machine; /* that recorded; without an event */
	int hands_on_zero; /* 1: a third weight of 0 is what was recorded, not this perf's */
};

#endif
