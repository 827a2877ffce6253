/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields that perf itself parses: time, cpu, data_src, … */
#ifndef DLFILTER_GENERIC_H
#define DLFILTER_GENERIC_H

#include <precis/precis.h>

#include "events.h"
#include "perf_dlfilter_abi.h"

/*
 * Add the wanted ones to a sample. 'decoded': a payload gave ip, addr and phys_addr, or
 * said that the op has none; perf's are not believed then.
 */
void generic_fill(const struct events *events, const struct event *event,
		  const struct dlfilter_sample *from, int decoded, const uint64_t *wanted,
		  struct precis_sample *sample);

#endif
