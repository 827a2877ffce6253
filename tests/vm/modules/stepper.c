// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See stepper.h. */
#include <linux/kdebug.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/spinlock.h>
#include <asm/debugreg.h>

#include "instruction.h"
#include "kernel_steps.h"
#include "stepper.h"

/* Threads that are traced at the same time */
#define THREADS 64

/* A thread and the instruction that it is at */
struct stepped {
	pid_t pid; /* 0: a free slot */
	bool pending;
	u64 used;
	struct instruction instruction;
};

static struct stepped threads[THREADS];
static struct stepper_counts counts;
static stepper_ran *on_ran;
static DEFINE_RAW_SPINLOCK(lock); /* never taken in an NMI */

/* The slot of the current thread: its own, a free one, the one that was used least recently */
static struct stepped *slot_of_current(void)
{
	struct stepped *slot, *oldest = threads;

	for (slot = threads; slot < threads + THREADS; slot++) {
		if (slot->pid == current->pid)
			goto found;
		if (slot->used < oldest->used)
			oldest = slot;
	}
	slot = oldest;
	counts.dropped += slot->pending;
	slot->pid = current->pid;
	slot->pending = false;
found:
	slot->used = counts.steps + 1;
	return slot;
}

/*
 * Takes the instruction that has just run out of the slot and puts the next one in. The lock is held.
 */
static bool step(struct pt_regs *regs, struct vm_operation *ran)
{
	struct stepped *slot = slot_of_current();
	bool have;

	have = slot->pending;
	if (have) {
		*ran = slot->instruction.operation;
		ran->next_ip = regs->ip;
		/* in the kernel 'sti' holds the trap back: the instruction behind it is not seen */
		if (slot->instruction.next_known && (s64)ran->ip >= 0 &&
		    slot->instruction.expected_next != regs->ip)
			counts.unexpected++;
		counts.steps++;
	}
	if (!instruction_decode(regs, &slot->instruction))
		counts.undecoded++;
	slot->pending = true;
	return have;
}

/* The kernel's step may have come while it held the lock itself: then, too, the call is not stepped on. */
static bool step_in_kernel(struct pt_regs *regs, struct vm_operation *ran)
{
	bool have = false;

	if (!raw_spin_trylock(&lock)) {
		counts.left++;
		kernel_steps_end(regs);
		return false;
	}
	if (kernel_steps_may_go_on()) {
		have = step(regs, ran);
		counts.kernel += have && (s64)ran->ip < 0;
	} else {
		counts.left++;
		slot_of_current()->pending = false;
		kernel_steps_end(regs);
	}
	raw_spin_unlock(&lock);
	return have;
}

static bool step_in_user_mode(struct pt_regs *regs, struct vm_operation *ran)
{
	bool have;

	raw_spin_lock(&lock);
	have = step(regs, ran);
	raw_spin_unlock(&lock);
	return have;
}

static int stepped(struct notifier_block *block, unsigned long event, void *data)
{
	struct die_args *args = data;
	struct vm_operation ran;
	bool in_kernel;

	if (event != DIE_DEBUG || !args->regs)
		return NOTIFY_DONE;
	in_kernel = !user_mode(args->regs);
	/* Somebody's breakpoint, or a debugger's step */
	if (!(*(unsigned long *)args->err & DR_STEP) ||
	    (in_kernel ? !kernel_steps_made() : test_thread_flag(TIF_SINGLESTEP)))
		return NOTIFY_DONE;
	if (in_kernel ? step_in_kernel(args->regs, &ran) : step_in_user_mode(args->regs, &ran)) {
		instruction_translate(&ran);
		on_ran(&ran, args->regs);
	}
	*(unsigned long *)args->err &= ~DR_STEP;
	return *(unsigned long *)args->err & DR_TRAP_BITS ? NOTIFY_DONE : NOTIFY_STOP;
}

static struct notifier_block notifier = { .notifier_call = stepped, .priority = INT_MAX };

void stepper_trace(bool on)
{
	struct pt_regs *regs = task_pt_regs(current);
	unsigned long flags;
	struct stepped *slot;

	if (!on_ran)
		return;
	raw_spin_lock_irqsave(&lock, flags);
	slot = slot_of_current();
	slot->pending = false;
	if (!on) {
		slot->pid = 0;
		slot->used = 0;
	}
	raw_spin_unlock_irqrestore(&lock, flags);
	if (on)
		regs->flags |= X86_EFLAGS_TF;
	else
		regs->flags &= ~X86_EFLAGS_TF;
}

void stepper_forget(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	slot_of_current()->pending = false;
	raw_spin_unlock_irqrestore(&lock, flags);
}

const struct stepper_counts *stepper_counts(void)
{
	return &counts;
}

void stepper_reset(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	memset(&counts, 0, sizeof(counts));
	memset(threads, 0, sizeof(threads));
	raw_spin_unlock_irqrestore(&lock, flags);
}

int stepper_start(stepper_ran *ran)
{
	int error;

	on_ran = ran;
	error = register_die_notifier(&notifier);
	if (error)
		return error;
	error = kernel_steps_start();
	if (error)
		unregister_die_notifier(&notifier);
	return error;
}

void stepper_stop(void)
{
	if (!on_ran)
		return;
	kernel_steps_stop();
	unregister_die_notifier(&notifier);
}
