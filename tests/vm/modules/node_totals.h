/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Exact totals by NUMA node: of the CPU that an instruction ran on, and of the page that its data is
 * on, both as the kernel that runs has them. Not from registers, nor by what perf writes of the
 * machine into recordings.
 */
#ifndef NODE_TOTALS_H
#define NODE_TOTALS_H

#include <linux/seq_file.h>

#include "model.h"

void node_totals_reset(void);
/* On the CPU that ran it; the caller keeps two CPUs from it */
void node_totals_add(const struct vm_operation *operation);
/* As text: a line for each pair of nodes that has instructions, node:N/memory:M ops=COUNT */
void node_totals_show(struct seq_file *file);

#endif
