/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * With the parameter shared_lines=1 the modeled cores of all CPUs take lines from each other
 * (model/lines.c), and the exact transfers between the threads of one process are counted. What was
 * there of another process is forgotten when one is traced that was not the last.
 */
#ifndef SHARED_LINES_H
#define SHARED_LINES_H

#include <linux/seq_file.h>

#include "model.h"

/* @return 0 or -ENOMEM. Without the parameter nothing is done, here and below */
int shared_lines_start(const struct vm_machine *machine);
void shared_lines_stop(void);
void shared_lines_reset(void);

/* The core of a CPU is new */
void shared_lines_join(struct vm_core *core, int cpu);
/* Before and after the current thread's operation. The caller keeps two CPUs from it */
void shared_lines_before(void);
void shared_lines_add(const struct vm_operation *operation, const struct vm_outcome *outcome);

/*
 * As text: "process PID", then a line for each pair of threads between which there were transfers,
 * from=TID to=TID loads=N ... as struct vm_transfer_counts has them; at the end "untold N", accesses that
 * are not among them.
 */
void shared_lines_show(struct seq_file *file);

#endif
