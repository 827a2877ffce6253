/* SPDX-License-Identifier: BSD-3-Clause */
/* The raw payload of a sample that perf hands over. */
#ifndef DLFILTER_PAYLOAD_H
#define DLFILTER_PAYLOAD_H

#include <precis/precis.h>

#include "perf_dlfilter_abi.h"

/*
 * Which PMU of IBS can have written this payload? For events whose name does not
 * tell. Returns 1 if that is decided, 0 if the sample has no payload to judge by.
 */
int payload_judge(const struct dlfilter_sample *sample, enum precis_event_kind *kind);

/*
 * Decode the wanted fields into 'sample', which has been initialised.
 * Returns 0, or why there are none: a negative enum precis_error.
 */
int payload_decode(struct precis_ibs_context *context, enum precis_event_kind kind, int old_fetch,
		   const struct dlfilter_sample *from, const uint64_t *wanted,
		   struct precis_sample *sample);

#endif
