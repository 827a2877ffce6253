/* SPDX-License-Identifier: BSD-3-Clause */
/* Which node and which core each CPU of this machine is of, as /sys says. */
#ifndef SHARING_THIS_MACHINE_H
#define SHARING_THIS_MACHINE_H

#include "analysis/by/nodes.h"
#include "analysis/sharing/parties.h"

/* 0, or -1 if memory is short. What cannot be read is not known. */
int this_machine_nodes(struct nodes *nodes);
int this_machine_cores(struct sharing_cores *cores);

#endif
