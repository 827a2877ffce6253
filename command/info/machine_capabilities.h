/* SPDX-License-Identifier: BSD-3-Clause */
/* IA32_PERF_CAPABILITIES of an Intel machine's cores. */
#ifndef MACHINE_CAPABILITIES_H
#define MACHINE_CAPABILITIES_H

#include "machine.h"

machine_test machine_check_capabilities;

/* IA32_PERF_CAPABILITIES of the PMU's cores, or why it cannot be read */
void machine_read_capabilities(const struct machine *machine, struct machine_core_pmu *pmu);

/* Does it say that retire latency is measured? 1, 0, or -1: it is not known */
int machine_measures_retire_latency(const struct machine_core_pmu *pmu);

#endif
