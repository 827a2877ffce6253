/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Sees every instruction that a task runs in user mode, through the trap flag.
 *
 * Only of tasks that asked for it (stepper_trace), and of threads and processes that they
 * make afterwards: they inherit the flag. exec() clears it; signal handlers run without.
 * What the kernel does for the task is not stepped, but for kernel_steps.h, nor is the
 * instruction to which it returns, behind which the trap comes. A task costs some 2 us an instruction.
 */
#ifndef STEPPER_H
#define STEPPER_H

#include <linux/ptrace.h>

#include "model.h"

/*
 * Called after each instruction, on its CPU, with interrupts off.
 *
 * @param operation  what has run; its next_ip is known
 * @param regs       the task's registers, before the next instruction: those that an
 *                   interrupt would see that comes now
 */
typedef void stepper_ran(const struct vm_operation *operation, struct pt_regs *regs);

struct stepper_counts {
	u64 steps;
	u64 undecoded;  /* instructions that the decoder or its table does not know */
	u64 unexpected; /* something else ran next than was decoded: signals, or a mistake */
	u64 dropped;    /* instructions whose end was not seen: system calls that do not return
			 * here, or more threads than there is room for */
	u64 kernel;     /* of the steps those in the kernel (kernel_steps.h) */
	u64 left;       /* system calls that were not stepped to their end */
};

int stepper_start(stepper_ran *ran);
/* No task may be traced any more. */
void stepper_stop(void);

/* Begin, end with the current task, when it returns to user mode. Before stepper_start() nothing */
void stepper_trace(bool on);

/* Nothing is known of what runs in the current task between the step before and the next one. */
void stepper_forget(void);

const struct stepper_counts *stepper_counts(void);
void stepper_reset(void);

#endif
