/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events are Intel's precise ones, and what their words mean. */
#ifndef PRECIS_PERF_PEBS_EVENTS_H
#define PRECIS_PERF_PEBS_EVENTS_H

#include "machine.h"

/*
 * Is it one of Intel's precise events, and what do the kernel's words mean?
 * @return 0, PRECIS_E_NO_MEMORY
 */
int file_find_pebs(struct file_machine *machine, struct file_event *event);
/* What PEBS means on that machine, of an event that is not known. NULL if memory is short */
struct precis_pebs_context *file_unknown_pebs(struct file_machine *machine);

#endif
