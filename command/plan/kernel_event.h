/* SPDX-License-Identifier: BSD-3-Clause */
/* How the kernel of this machine is asked for an event that plans are made for. */
#ifndef PLAN_KERNEL_EVENT_H
#define PLAN_KERNEL_EVENT_H

#include <linux/perf_event.h>

#include "events.h"
#include "setting.h"

#define PLAN_REASON 256

/*
 * Type and config. 'spec' says which tracepoint ("sched:sched_switch"), or which data breakpoint
 * ("mem:0x601040/8:w"); it is not looked at for other events. 0, or -1 and why there is none.
 */
int plan_kernel_event(const struct plan_event *event, const char *spec,
		      const struct plan_setting *setting, struct perf_event_attr *attr,
		      char reason[PLAN_REASON]);

/* The same, to be counted: IBS counts in steps of the longest period that it has. */
void plan_counting(const struct plan_event *event, struct perf_event_attr *attr);

/* The bytes that samples of a tracepoint have in RAW, behind the size; 0: not known */
uint32_t plan_tracepoint_bytes(const char *spec);

/* What an error of perf_event_open(2) or mmap(2) of an event's ring means. */
void plan_refused(int error, char reason[PLAN_REASON]);

#endif
