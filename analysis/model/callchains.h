/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose the addresses of a callchain are. */
#ifndef ANALYSIS_MODEL_CALLCHAINS_H
#define ANALYSIS_MODEL_CALLCHAINS_H

#include <stdint.h>

/* Of those behind that marker (enum precis_cpumode); UNKNOWN: it is none that is known */
uint32_t callchain_mode(uint64_t marker);

#endif
