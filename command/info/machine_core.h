/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of core that a machine has, and adding words about each to a finding. */
#ifndef MACHINE_CORE_H
#define MACHINE_CORE_H

#include "machine.h"

/* The core that this PMU's events are of: enum precis_intel_core */
uint32_t machine_core_of(const struct machine *machine, const struct machine_core_pmu *pmu);

/* The n-th PMU of this machine's cores, or NULL */
const struct machine_core_pmu *machine_core_pmu(const struct machine *machine, uint32_t n);

/* Add to a finding, which may be full. */
__attribute__((format(printf, 3, 4))) void machine_add(char *text, size_t room, const char *format,
						       ...);

#endif
