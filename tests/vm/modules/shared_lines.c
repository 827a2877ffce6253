// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See shared_lines.h. */
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "shared_lines.h"

#define LINES 16384

static bool shared_lines;
module_param(shared_lines, bool, 0444);
MODULE_PARM_DESC(shared_lines, "cores take lines from each other (default: each is the only one)");

static struct vm_lines *lines;
static struct vm_transfers *transfers;
static pid_t process; /* 0: none yet */
static pid_t threads[VM_TRANSFER_THREADS];
static unsigned int thread_count;

static void forget(pid_t next)
{
	vm_lines_forget(lines);
	vm_transfers_init(transfers, LINES);
	process = next;
	thread_count = 0;
}

void shared_lines_reset(void)
{
	if (lines)
		forget(0);
}

int shared_lines_start(const struct vm_machine *machine)
{
	void *memory;

	if (!shared_lines)
		return 0;
	transfers = vmalloc(vm_transfers_size(LINES));
	memory = vmalloc(vm_lines_size(LINES));
	if (!transfers || !memory) {
		vfree(memory);
		shared_lines_stop();
		return -ENOMEM;
	}
	lines = vm_lines_init(memory, LINES, machine->vendor);
	forget(0);
	return 0;
}

void shared_lines_stop(void)
{
	vfree(lines);
	vfree(transfers);
	lines = NULL;
	transfers = NULL;
}

void shared_lines_join(struct vm_core *core, int cpu)
{
	if (lines)
		vm_core_share(core, lines, cpu, cpu_to_node(cpu));
}

/* The number of the one that runs; VM_TRANSFER_THREADS: there are too many */
static unsigned int this_thread(void)
{
	unsigned int n;

	for (n = 0; n < thread_count; n++)
		if (threads[n] == current->pid)
			return n;
	if (thread_count < VM_TRANSFER_THREADS)
		threads[thread_count++] = current->pid;
	return n;
}

void shared_lines_before(void)
{
	if (lines && process != current->tgid)
		forget(current->tgid);
}

void shared_lines_add(const struct vm_operation *operation, const struct vm_outcome *outcome)
{
	if (lines)
		vm_transfers_add(transfers, this_thread(), operation, outcome);
}

static void show_pair(struct seq_file *file, unsigned int from, unsigned int to)
{
	const struct vm_transfer_counts *counts = vm_transfers_between(transfers, from, to);

	if (counts->loads || counts->stores)
		seq_printf(file, "from=%d to=%d loads=%llu true_loads=%llu stores=%llu modified=%llu "
			   "owned=%llu\n", threads[from], threads[to], counts->loads, counts->true_loads,
			   counts->stores, counts->modified, counts->owned);
}

void shared_lines_show(struct seq_file *file)
{
	unsigned int from, to;

	if (!lines)
		return;
	seq_printf(file, "process %d\n", process);
	for (from = 0; from < thread_count; from++)
		for (to = 0; to < thread_count; to++)
			show_pair(file, from, to);
	seq_printf(file, "untold %llu\n", vm_lines_untold(lines) + vm_transfers_untold(transfers));
}
