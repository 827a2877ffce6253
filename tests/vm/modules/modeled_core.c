// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See modeled_core.h. */
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include <asm/processor.h>

#include "modeled_core.h"
#include "node_totals.h"
#include "shared_lines.h"

/* Addresses of instructions, and threads, that totals are kept of */
#define ADDRESSES 16384
#define THREADS 1024

struct cpu_core {
	void *memory;
	struct vm_core *core;
	struct mm_struct *mm; /* whose translations are in the TLBs; only compared */
};

static DEFINE_PER_CPU(struct cpu_core, cores);
static const struct vm_machine *machine;
static void *totals_memory;
static struct vm_totals *totals;
static DEFINE_RAW_SPINLOCK(totals_lock);

/* In the order in which they were first seen; a number that comes again is the same thread's */
static struct thread {
	pid_t tid; /* of the first name space, as in samples */
	struct vm_counts counts;
} *threads;
static unsigned int thread_count;
static u64 threads_untold; /* instructions of others */

const struct vm_machine *modeled_machine(const char *name)
{
	u32 family = boot_cpu_data.x86, model = boot_cpu_data.x86_model;
	const struct vm_machine *row;
	unsigned int i;

	if (*name) {
		row = vm_machine_find(name);
		if (row && row->family == family && row->model == model)
			return row;
		pr_err("precis: machine=%s: %s\n", name,
		       row ? "this CPU has another family or model" : "no such machine");
		return NULL;
	}
	for (i = 0; (row = vm_machine_at(i)); i++)
		if (row->family == family && row->model == model)
			return row;
	pr_err("precis: no machine of family %u, model %u\n", family, model);
	return NULL;
}

void modeled_core_reset(void)
{
	int cpu;

	shared_lines_reset();
	for_each_possible_cpu(cpu) {
		struct cpu_core *c = per_cpu_ptr(&cores, cpu);

		if (!c->memory)
			continue;
		c->core = vm_core_init(c->memory, machine);
		shared_lines_join(c->core, cpu);
		c->mm = NULL;
	}
	vm_totals_reset(totals);
	thread_count = 0;
	threads_untold = 0;
	node_totals_reset();
}

int modeled_core_start(const struct vm_machine *row)
{
	int cpu;

	machine = row;
	totals_memory = vmalloc(vm_totals_size(ADDRESSES));
	if (!totals_memory)
		return -ENOMEM;
	totals = vm_totals_init(totals_memory, ADDRESSES);
	threads = vmalloc(THREADS * sizeof(*threads));
	if (!threads || shared_lines_start(machine)) {
		modeled_core_stop();
		return -ENOMEM;
	}
	for_each_online_cpu(cpu) {
		per_cpu(cores, cpu).memory = vmalloc(vm_core_size(machine));
		if (!per_cpu(cores, cpu).memory) {
			modeled_core_stop();
			return -ENOMEM;
		}
	}
	modeled_core_reset();
	return 0;
}

void modeled_core_stop(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		vfree(per_cpu(cores, cpu).memory);
		per_cpu(cores, cpu).memory = NULL;
	}
	vfree(totals_memory);
	totals_memory = NULL;
	vfree(threads);
	threads = NULL;
	shared_lines_stop();
}

/* The one that runs; NULL: there are too many. The latest is the most likely. */
static struct thread *this_thread(void)
{
	unsigned int i = thread_count;

	while (i > 0)
		if (threads[--i].tid == current->pid)
			return &threads[i];
	if (thread_count == THREADS)
		return NULL;
	threads[thread_count] = (struct thread){ .tid = current->pid };
	return &threads[thread_count++];
}

static void count_thread(const struct vm_operation *operation, const struct vm_outcome *outcome)
{
	struct thread *thread = this_thread();

	if (thread)
		vm_counts_add(&thread->counts, operation, outcome);
	else
		threads_untold++;
}

void modeled_core_ran(const struct vm_operation *operation, struct vm_outcome *outcome)
{
	struct cpu_core *c = this_cpu_ptr(&cores);

	if (current->mm && c->mm != current->mm) {
		vm_core_new_address_space(c->core);
		c->mm = current->mm;
	}
	raw_spin_lock(&totals_lock);
	shared_lines_before();
	vm_core_step(c->core, operation, outcome);
	shared_lines_add(operation, outcome);
	vm_totals_add(totals, operation, outcome);
	count_thread(operation, outcome);
	node_totals_add(operation);
	raw_spin_unlock(&totals_lock);
}

static void show_levels(struct seq_file *file, const char *name, const vm_u64 *levels)
{
	unsigned int i;

	for (i = 0; i < VM_LEVEL_COUNT; i++)
		if (levels[i])
			seq_printf(file, " %s[%u]=%llu", name, i, levels[i]);
}

static void show_counts(struct seq_file *file, const struct vm_counts *counts)
{
	const struct {
		const char *name;
		vm_u64 value;
	} rows[] = {
		{ "ops", counts->ops },
		{ "loads", counts->loads },
		{ "stores", counts->stores },
		{ "load_stores", counts->load_stores },
		{ "prefetches", counts->prefetches },
		{ "load_l1_misses", counts->load_l1_misses },
		{ "misses", counts->misses },
		{ "misses_own_buffer", counts->misses_own_buffer },
		{ "dtlb_accesses", counts->dtlb_accesses },
		{ "dtlb_l1_misses", counts->dtlb_l1_misses },
		{ "dtlb_walks", counts->dtlb_walks },
		{ "branches", counts->branches },
		{ "taken", counts->taken },
		{ "mispredicted", counts->mispredicted },
		{ "taken_mispredicted", counts->taken_mispredicted },
		{ "returns", counts->returns },
		{ "returns_mispredicted", counts->returns_mispredicted },
		{ "fetches", counts->fetches },
		{ "op_cache_misses", counts->op_cache_misses },
		{ "ic_misses", counts->ic_misses },
		{ "ic_l2_misses", counts->ic_l2_misses },
		{ "ic_l3_misses", counts->ic_l3_misses },
		{ "itlb_l1_misses", counts->itlb_l1_misses },
		{ "itlb_walks", counts->itlb_walks },
		{ "tag_to_retire", counts->tag_to_retire },
		{ "miss_latency", counts->miss_latency },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].value)
			seq_printf(file, " %s=%llu", rows[i].name, rows[i].value);
	show_levels(file, "load_levels", counts->load_levels);
	show_levels(file, "store_levels", counts->store_levels);
	show_levels(file, "prefetch_levels", counts->prefetch_levels);
	seq_putc(file, '\n');
}

static void show_histogram(struct seq_file *file, const char *name, unsigned int histogram,
			   unsigned int index)
{
	u32 end, i;
	const vm_u32 *bins = vm_totals_histogram(totals, histogram + index, &end);

	if (!end)
		return;
	seq_printf(file, "%s[%u]", name, index);
	for (i = 0; i < end; i++)
		if (bins[i])
			seq_printf(file, " %u=%u", i, bins[i]);
	seq_putc(file, '\n');
}

void modeled_core_show_histograms(struct seq_file *file)
{
	static const struct {
		const char *name;
		unsigned int first, count;
	} rows[] = {
		{ "load_level", VM_HIST_LEVEL, VM_LEVEL_COUNT },
		{ "tag_to_retire", VM_HIST_KIND_TAG_TO_RETIRE, VM_KIND_COUNT },
		{ "tag_to_completion", VM_HIST_KIND_TAG_TO_COMPLETION, VM_KIND_COUNT },
		{ "completion_to_retire", VM_HIST_KIND_COMPLETION_TO_RETIRE, VM_KIND_COUNT },
		{ "dtlb", VM_HIST_DTLB, VM_TRANSLATIONS },
		{ "itlb", VM_HIST_ITLB, VM_TRANSLATIONS },
		{ "fetch", VM_HIST_FETCH, 1 },
		{ "miss_buffers", VM_HIST_MISS_BUFFERS, 1 },
	};
	unsigned int i, index;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for (index = 0; index < rows[i].count; index++)
			show_histogram(file, rows[i].name, rows[i].first, index);
}

void modeled_core_show(struct seq_file *file)
{
	const struct vm_counts *counts;
	unsigned int i;
	vm_u64 ip;

	seq_printf(file, "modeled: machine=%s, exact totals of a model, nothing measured\n",
		   machine->name);
	seq_puts(file, "all");
	show_counts(file, vm_totals_all(totals));
	seq_puts(file, "overflow");
	show_counts(file, vm_totals_overflow(totals));
	for (i = 0; i < ADDRESSES; i++) {
		counts = vm_totals_slot(totals, i, &ip);
		if (!counts)
			continue;
		seq_printf(file, "%#llx", ip);
		show_counts(file, counts);
	}
	for (i = 0; i < thread_count; i++) {
		seq_printf(file, "thread:%d", threads[i].tid);
		show_counts(file, &threads[i].counts);
	}
	seq_printf(file, "other_threads ops=%llu\n", threads_untold);
	node_totals_show(file);
}
