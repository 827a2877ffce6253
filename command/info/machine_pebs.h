/* SPDX-License-Identifier: BSD-3-Clause */
/* Of Intel machines: what precise sampling with PEBS depends on. */
#ifndef MACHINE_PEBS_H
#define MACHINE_PEBS_H

#include "machine.h"

typedef enum machine_verdict machine_test(const struct machine *machine, char *finding,
					  size_t room);

machine_test machine_check_intel, machine_check_pebs, machine_check_memory_events,
	machine_check_latencies, machine_check_retire_latency, machine_check_capabilities;

/* The n-th PMU of this machine's cores, or NULL */
const struct machine_core_pmu *machine_core_pmu(const struct machine *machine, uint32_t n);

/* Add to a finding, which may be full. */
__attribute__((format(printf, 3, 4))) void machine_add(char *text, size_t room, const char *format,
						       ...);

/* IA32_PERF_CAPABILITIES of the PMU's cores, or why it cannot be read */
void machine_read_capabilities(const struct machine *machine, struct machine_core_pmu *pmu);

/* Does it say that retire latency is measured? 1, 0, or -1: it is not known */
int machine_measures_retire_latency(const struct machine_core_pmu *pmu);

/* What is there, where it may be used at all */
void machine_scope_pebs(const struct machine *machine, struct machine_scope *scope);

#endif
