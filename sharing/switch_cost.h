/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What debug registers add to each context switch of a thread: two threads of this process pass a turn on one
 * CPU, without registers, with all of them off, and with all of them armed, in turns; in their CPU time.
 */
#ifndef SHARING_SWITCH_COST_H
#define SHARING_SWITCH_COST_H

#include <stdint.h>

#include "watch.h"

struct switch_cost {
	int error; /* errno of what was missing: nothing else is known; ENODATA: no switches are counted */
	uint64_t off_ns; /* more of one switch, with registers that are off */
	uint64_t armed_ns; /* and with armed ones */
};

/* By an opened watch without threads; it has none afterwards. The caller stays on its CPU meanwhile. */
void switch_cost_measure(struct watch *watch, struct switch_cost *cost);

#endif
