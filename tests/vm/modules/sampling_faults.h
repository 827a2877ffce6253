/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The parameters that both modules have: faults on purpose, which may be changed while the module is loaded,
 * and that threads are traced while they have an event. The machine of each module does what they say
 * (ibs_host.c, cpu_faults.c).
 */
#ifndef SAMPLING_FAULTS_H
#define SAMPLING_FAULTS_H

#include <linux/moduleparam.h>

#include "model.h"

struct sampling_faults {
	struct vm_faults of_samples;
	uint lost;        /* of 1000 samples */
	uint unscheduled; /* each so many-th time */
	uint extra;       /* events for each interrupt */
};

extern struct sampling_faults sampling_faults;

/* A parameter fault_NAME */
#define SAMPLING_FAULT(name, variable, meaning)                   \
	module_param_named(fault_##name, variable, uint, 0644); \
	MODULE_PARM_DESC(fault_##name, meaning)

/*
 * An event is to be on. Has another one the counter, as from time to time? 'adds': how often it was to be.
 * The thread is not traced then, and as fast as it is without a model: so that times may be compared it is
 * held up for as long as a short piece takes that is.
 */
bool sampling_faults_take_counter(u32 *adds);

/* A thread's event goes on or off, in the thread itself: with trace_events it is traced meanwhile. */
void sampling_faults_trace(bool on);

#endif
