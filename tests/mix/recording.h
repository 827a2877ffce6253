/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulated samples as the perf.data that perf record would have made of the program: its mappings with
 * build ids, its name, its events and where they come from. Stock perf reads it.
 */
#ifndef TESTS_MIX_RECORDING_H
#define TESTS_MIX_RECORDING_H

#include "simulate.h"

#define RECORDING_PID 4711u
#define RECORDING_BEGUN UINT64_C(1000000000) /* ns; from there on an instruction takes one */

/**
 * @param name    of the process
 * @param maps    what was mapped where: a copy of /proc/PID/maps
 * @return 0, or -1 with a message on the standard error
 */
int recording_write(const char *path, const struct truth *truth, const struct simulated *how,
		    const char *name, const char *maps);

#endif
