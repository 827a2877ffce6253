// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See kernel_steps.h. */
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <asm/processor-flags.h>
#include <asm/unistd.h>

#include "kernel_steps.h"
#include "stepper.h"

static uint trace_kernel;
module_param(trace_kernel, uint, 0444);
MODULE_PARM_DESC(trace_kernel, "each so many-th read(2) and write(2) of a traced thread is stepped, too");

static struct task_struct *stepping; /* one at a time; only compared */
static uint calls;
static struct tracepoint *enter, *exit;

/* The trap comes behind the instruction after 'popf'. */
static void set_trap_flag(void)
{
	asm volatile("pushfq; orq %0, (%%rsp); popfq" : : "i"(X86_EFLAGS_TF) : "memory", "cc");
}

static void clear_trap_flag(void)
{
	asm volatile("pushfq; andq %0, (%%rsp); popfq" : : "i"(~(long)X86_EFLAGS_TF) : "memory", "cc");
}

static void on_enter(void *data, struct pt_regs *regs, long number)
{
	if (!(regs->flags & X86_EFLAGS_TF) || (number != __NR_read && number != __NR_write) ||
	    ++calls % trace_kernel || cmpxchg(&stepping, NULL, current))
		return;
	set_trap_flag();
}

static void on_exit(void *data, struct pt_regs *regs, long result)
{
	if (READ_ONCE(stepping) != current)
		return;
	clear_trap_flag();
	stepper_forget();
	WRITE_ONCE(stepping, NULL);
}

bool kernel_steps_made(void)
{
	return READ_ONCE(stepping);
}

bool kernel_steps_may_go_on(void)
{
	return READ_ONCE(stepping) == current && !need_resched();
}

void kernel_steps_end(struct pt_regs *regs)
{
	regs->flags &= ~X86_EFLAGS_TF;
	WRITE_ONCE(stepping, NULL);
}

static void find(struct tracepoint *point, void *unused)
{
	if (!strcmp(point->name, "sys_enter"))
		enter = point;
	else if (!strcmp(point->name, "sys_exit"))
		exit = point;
}

int kernel_steps_start(void)
{
	int error;

	if (!trace_kernel)
		return 0;
	for_each_kernel_tracepoint(find, NULL);
	if (!enter || !exit)
		return -ENOENT;
	error = tracepoint_probe_register(exit, on_exit, NULL);
	if (error)
		return error;
	error = tracepoint_probe_register(enter, on_enter, NULL);
	if (error)
		tracepoint_probe_unregister(exit, on_exit, NULL);
	return error;
}

void kernel_steps_stop(void)
{
	if (!trace_kernel)
		return;
	tracepoint_probe_unregister(enter, on_enter, NULL);
	tracepoint_probe_unregister(exit, on_exit, NULL);
	tracepoint_synchronize_unregister();
}
