/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a program on this thread, with an event that samples it, or without. */
#ifndef PLAN_SAMPLED_RUN_H
#define PLAN_SAMPLED_RUN_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "works.h"

enum sampled_wakeup { WAKEUP_HALF, WAKEUP_EACH, WAKEUP_SIGNAL /* each, to the thread itself */ };

struct sampled_way {
	struct perf_event_attr attr; /* type, config, period, sample_type */
	enum sampled_wakeup wakeup;
	uint64_t ring_bytes;
	double spin_ns; /* that the signal handler takes on purpose */
};

struct sampled_outcome {
	double thread_ns; /* CPU time of the thread */
	uint64_t samples, lost, bytes;
	double events; /* by the event's own counter */
	double delay_ns; /* from a sample to its reading, at most */
};

/* Without sampling 'way' is NULL. 0, or -errno of what could not be opened */
int sampled_run(struct works *works, unsigned int program, const struct sampled_way *way,
		struct sampled_outcome *outcome);

#endif
