/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What debug registers add to each context switch of a thread: two new threads of this process pass a turn
 * on one CPU, before they had registers, with all of them off, with all of them armed, and without them
 * again, in turns of such pairs; in their CPU time.
 */
#ifndef SHARING_SWITCH_COST_H
#define SHARING_SWITCH_COST_H

#include <stdint.h>

#include "watch.h"

struct switch_cost {
	int error; /* errno of what was missing: nothing else is known; ENODATA: no switches are counted */
	uint64_t closed_ns; /* more of one switch, of threads that had registers and have none */
	uint64_t off_ns; /* with registers that are off */
	uint64_t armed_ns; /* and with armed ones */
};

/* By an opened watch without threads; it has none afterwards. The caller stays on its CPU meanwhile. */
void switch_cost_measure(struct watch *watch, struct switch_cost *cost);

#endif
