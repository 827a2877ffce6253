/* SPDX-License-Identifier: BSD-3-Clause */
/* Of Intel machines: what precise sampling with PEBS depends on. */
#ifndef MACHINE_PEBS_H
#define MACHINE_PEBS_H

#include "machine.h"

machine_test machine_check_intel, machine_check_pebs, machine_check_memory_events,
	machine_check_latencies, machine_check_retire_latency;

/* What is there, where it may be used at all */
void machine_scope_pebs(const struct machine *machine, struct machine_scope *scope);

#endif
