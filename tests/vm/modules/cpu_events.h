/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Which events of Intel's cores the model has, and which ops they count.
 */
#ifndef CPU_EVENTS_H
#define CPU_EVENTS_H

#include "model.h"

/* Event and unit mask: attr.config's lowest 16 bits */
#define CPU_EVENT_MEM_LOADS 0x01cd
#define CPU_EVENT_MEM_LOADS_AUX 0x8203

struct cpu_event;

/* An event by its code; NULL: this core, or the model, has none */
const struct cpu_event *cpu_event_find(const struct vm_machine *machine, u16 code);

/*
 * What Intel calls the latency of a load: cycles from when it goes to the data
 * TLB and the L1, with all that its address needs there, until its data is
 * usable. 0: no load
 */
u32 cpu_load_latency(const struct vm_machine *machine, const struct vm_operation *operation,
		     const struct vm_outcome *outcome);

/*
 * How often an op counts.
 *
 * @param latency    cpu_load_latency()
 * @param threshold  of load latency, in cycles
 * @param cycles     since the op before
 */
unsigned int cpu_event_occurrences(const struct cpu_event *event,
				   const struct vm_operation *operation,
				   const struct vm_outcome *outcome, u32 latency, u32 threshold,
				   unsigned int cycles);

#endif
