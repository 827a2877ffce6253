/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Some of the system calls of traced threads are stepped in the kernel, too: with the module's parameter
 * trace_kernel=N each N-th read(2) and write(2), from the tracepoint of its entry to that of its exit. What
 * comes before and behind these, interrupts and other threads are not. A call that is to give way to another
 * thread is not stepped to its end, since the trap flag would go with it.
 */
#ifndef KERNEL_STEPS_H
#define KERNEL_STEPS_H

#include <linux/ptrace.h>

/* 0 or -ENOENT: the kernel has no such tracepoints. Without the parameter it does nothing */
int kernel_steps_start(void);
/* No task may be traced any more. */
void kernel_steps_stop(void);

/* Was the kernel interrupted by a step of ours? */
bool kernel_steps_made(void);
/* May the current thread, which made one, go on? */
bool kernel_steps_may_go_on(void);
/* It does not, for this call: 'regs' are what it goes on with. */
void kernel_steps_end(struct pt_regs *regs);

#endif
