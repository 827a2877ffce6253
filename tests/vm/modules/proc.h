/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * /proc/precis_model:
 *   counts   what the sampling units did, per CPU (read)
 *   totals   exact totals over everything that the model was fed with (read)
 *   sharing  exact transfers of lines between threads (read); see shared_lines.h
 *   trace    a task writes 1 or 0 to have itself stepped, from then on or no longer (write)
 *   reset    a write empties caches, counts and totals, and starts again with the seed
 *   seed     a number that is written is the seed from then on
 * Reset and seed are for when no event is counting and no task is traced.
 */
#ifndef PROC_H
#define PROC_H

#include <linux/seq_file.h>

struct proc_functions {
	void (*show_counts)(struct seq_file *file);
	void (*reset)(void);
	void (*seed)(u64 seed);
};

int proc_start(const struct proc_functions *functions);
void proc_stop(void);

#endif
