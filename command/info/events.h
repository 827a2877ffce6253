/* SPDX-License-Identifier: BSD-3-Clause */
/* precis info --events: which event is precise at which level on which core. */
#ifndef EVENTS_H
#define EVENTS_H

#include "machine.h"

/*
 * @param pmu  of libpfm4, whose events are told in place of this machine's; NULL: this machine's
 * @return 1; 0 if there is no such PMU: 'why' says so
 */
int events_describe(const struct machine *machine, const char *pmu, struct document *document,
		    const char **why);

#endif
