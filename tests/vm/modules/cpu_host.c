// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The PMU "cpu" of a modeled Intel core: Skylake or Sapphire Rapids, the ones
 * whose PEBS formats Linux reads differently. What a record holds is the
 * model's; how it becomes a sample is the kernel's (cpu_ds.c). As on a real
 * machine its type is PERF_TYPE_RAW, so that it takes perf's generic events, too.
 */
#include <linux/module.h>
#include <linux/perf_event.h>
#include <asm/perf_event.h>

#include "cpu_ds.h"
#include "cpu_events.h"
#include "cpu_faults.h"
#include "instruction.h"
#include "kernel_symbols.h"
#include "modeled_core.h"
#include "proc.h"
#include "sampling_faults.h"
#include "stepper.h"

static const struct vm_machine *the_machine;

/* ---- events -------------------------------------------------------------------------------- */

static const u16 generic_codes[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = 0x003c,
	[PERF_COUNT_HW_INSTRUCTIONS] = 0x00c0,
};

static const struct cpu_event *event_of(const struct perf_event *event)
{
	u64 config = event->attr.config;

	if (event->attr.type == PERF_TYPE_HARDWARE) {
		config &= PERF_HW_EVENT_MASK;
		if (config >= ARRAY_SIZE(generic_codes))
			return NULL;
		config = generic_codes[config];
	}
	/* neither inversion, edges nor counter masks */
	if (config & ~(u64)INTEL_ARCH_EVENT_MASK)
		return NULL;
	return cpu_event_find(the_machine, config);
}

static u32 threshold_of(const struct perf_event *event)
{
	return (event->attr.config & INTEL_ARCH_EVENT_MASK) == CPU_EVENT_MEM_LOADS ?
		event->attr.config1 : 0;
}

static int cpu_event_init(struct perf_event *event)
{
	if (event->attr.type != PERF_TYPE_RAW && event->attr.type != PERF_TYPE_HARDWARE)
		return -ENOENT;
	if (!event_of(event))
		return event->attr.type == PERF_TYPE_RAW ? -EINVAL : -ENOENT;
	if (event->attr.config1 & ~0xffffull || event->attr.config2)
		return -EINVAL;
	return cpu_ds_event_init(event);
}

/* Of a precise event what there is a record of, unless that is lost; of another one this op */
static void sample(int counter, const struct vm_operation *operation, const struct vm_outcome *outcome,
		   struct pt_regs *regs)
{
	struct vm_operation tagged = *operation;
	struct vm_outcome its = *outcome;

	if (!cpu_ds_event(counter)->attr.precise_ip) {
		cpu_ds_interrupt(counter, operation, outcome, regs);
		return;
	}
	if (cpu_faults_lose(counter)) {
		cpu_ds_drop(counter, true);
	} else {
		cpu_faults_tagged(counter, &tagged, &its);
		cpu_ds_interrupt(counter, &tagged, &its, regs);
	}
	cpu_ds_count(counter, sampling_faults.extra);
}

/* What an op is to the event of a counter: VM_FAULT_INTERRUPT, if there is one now */
static enum vm_fault_verdict count(int counter, const struct perf_event *event,
				   const struct vm_operation *operation, const struct vm_outcome *outcome,
				   unsigned int cycles)
{
	u32 latency = cpu_load_latency(the_machine, operation, outcome);
	const bool is_of_kernel = (s64)operation->ip < 0;
	bool overflown;

	if (is_of_kernel ? event->attr.exclude_kernel : event->attr.exclude_user)
		return VM_FAULT_NOTHING;
	overflown = cpu_ds_count(counter, cpu_event_occurrences(event_of(event), operation, outcome, latency,
								threshold_of(event), cycles));
	if (event->attr.precise_ip)
		return cpu_faults_step(counter, overflown, operation, outcome);
	return overflown ? VM_FAULT_INTERRUPT : VM_FAULT_NOTHING;
}

/* An op has retired; 'regs' is what runs next, in the same task. Interrupts are off. */
static void on_op(const struct vm_operation *operation, const struct vm_outcome *outcome,
		  unsigned int cycles, struct pt_regs *regs)
{
	u64 active = cpu_ds_active(), due = 0;

	for (; active; active &= active - 1) {
		int counter = __ffs64(active);

		switch (count(counter, cpu_ds_event(counter), operation, outcome, cycles)) {
		case VM_FAULT_INTERRUPT:
			due |= BIT_ULL(counter);
			break;
		case VM_FAULT_FORGET:
			cpu_ds_drop(counter, false);
			break;
		default:
			break;
		}
	}
	/* one interrupt may stop the event of another */
	for (; due; due &= due - 1)
		if (cpu_ds_event(__ffs64(due)))
			sample(__ffs64(due), operation, outcome, regs);
}

/* ---- sysfs --------------------------------------------------------------------------------- */

PMU_FORMAT_ATTR(event, "config:0-7");
PMU_FORMAT_ATTR(umask, "config:8-15");
PMU_FORMAT_ATTR(edge, "config:18");
PMU_FORMAT_ATTR(pc, "config:19");
PMU_FORMAT_ATTR(inv, "config:23");
PMU_FORMAT_ATTR(cmask, "config:24-31");
PMU_FORMAT_ATTR(ldlat, "config1:0-15");

static struct attribute *format_attributes[] = {
	&format_attr_event.attr, &format_attr_umask.attr, &format_attr_edge.attr,
	&format_attr_pc.attr, &format_attr_inv.attr, &format_attr_cmask.attr,
	&format_attr_ldlat.attr, NULL
};

/* Names with a dash are no differences. */
/* clang-format off */
PMU_EVENT_ATTR_STRING(cpu-cycles, cpu_cycles, "event=0x3c");
PMU_EVENT_ATTR_STRING(instructions, instructions, "event=0xc0");
PMU_EVENT_ATTR_STRING(mem-loads, mem_loads, "event=0xcd,umask=0x1,ldlat=3");
PMU_EVENT_ATTR_STRING(mem-stores, mem_stores_skl, "event=0xd0,umask=0x82");
PMU_EVENT_ATTR_STRING(mem-stores, mem_stores_spr, "event=0xcd,umask=0x2");
PMU_EVENT_ATTR_STRING(mem-loads-aux, mem_loads_aux, "event=0x03,umask=0x82");
/* clang-format on */

static struct attribute *skl_event_attributes[] = {
	&cpu_cycles.attr.attr, &instructions.attr.attr, &mem_loads.attr.attr,
	&mem_stores_skl.attr.attr, NULL
};

static struct attribute *spr_event_attributes[] = {
	&cpu_cycles.attr.attr, &instructions.attr.attr, &mem_loads.attr.attr,
	&mem_stores_spr.attr.attr, &mem_loads_aux.attr.attr, NULL
};

static ssize_t max_precise_show(struct device *device, struct device_attribute *attribute,
				char *text)
{
	return sysfs_emit(text, "%d\n", cpu_ds_max_precise());
}

static DEVICE_ATTR_RO(max_precise);

static ssize_t pmu_name_show(struct device *device, struct device_attribute *attribute, char *text)
{
	return sysfs_emit(text, "%s\n", the_machine->model == 143 ? "sapphire_rapids" : "skylake");
}

static DEVICE_ATTR_RO(pmu_name);

static struct attribute *caps_attributes[] = {
	&dev_attr_max_precise.attr, &dev_attr_pmu_name.attr, NULL
};

static const struct attribute_group format_group = { .name = "format",
						     .attrs = format_attributes };
static struct attribute_group events_group = { .name = "events" };
static const struct attribute_group caps_group = { .name = "caps", .attrs = caps_attributes };
static const struct attribute_group *groups[] = { &format_group, &events_group, &caps_group,
						  NULL };

/* ---- the module ---------------------------------------------------------------------------- */

static int __init find_kernel(void)
{
	struct cpu_ds_kernel *kernel = &cpu_ds_kernel;
	int error = kernel_symbols_find();

	if (error)
		return error;
	kernel->overflow = kernel_symbol("perf_event_overflow");
	kernel->output = kernel_symbol("perf_event_output_forward");
	kernel->callchain = kernel_symbol("perf_callchain");
	kernel->account_interrupt = kernel_symbol("perf_event_account_interrupt");
	kernel->log_lost_samples = kernel_symbol("perf_log_lost_samples");
	kernel->sched_cb_inc = kernel_symbol("perf_sched_cb_inc");
	kernel->sched_cb_dec = kernel_symbol("perf_sched_cb_dec");
	return kernel->overflow && kernel->output && kernel->callchain &&
	       kernel->account_interrupt && kernel->log_lost_samples && kernel->sched_cb_inc &&
	       kernel->sched_cb_dec ? 0 : -ENOENT;
}

/* ---- the PMU's callbacks: as from time to time another event has the counter; and what is traced */

static DEFINE_PER_CPU(u32, adds); /* times that an event was to be on, since the seed was set */

static int cpu_add(struct perf_event *event, int flags)
{
	int error = sampling_faults_take_counter(this_cpu_ptr(&adds)) ? -EAGAIN : cpu_ds_add(event, flags);

	if (!error && (flags & PERF_EF_START))
		sampling_faults_trace(true);
	return error;
}

static void cpu_del(struct perf_event *event, int flags)
{
	cpu_ds_del(event, flags);
	sampling_faults_trace(false);
}

static void cpu_start(struct perf_event *event, int flags)
{
	cpu_ds_start(event, flags);
	sampling_faults_trace(true);
}

static void cpu_stop(struct perf_event *event, int flags)
{
	cpu_ds_stop(event, flags);
	sampling_faults_trace(false);
}

static struct pmu cpu_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.attr_groups = groups,
	.event_init = cpu_event_init,
	.add = cpu_add,
	.del = cpu_del,
	.start = cpu_start,
	.stop = cpu_stop,
	.read = cpu_ds_read,
};

static char *machine = "";
module_param(machine, charp, 0444);
MODULE_PARM_DESC(machine, "skylake, sapphire_rapids; empty: the CPU's");

static DEFINE_PER_CPU(u64, last_cycle);

static void on_ran(const struct vm_operation *operation, struct pt_regs *regs)
{
	struct vm_outcome outcome;
	u64 before = __this_cpu_read(last_cycle);

	modeled_core_ran(operation, &outcome);
	__this_cpu_write(last_cycle, outcome.cycle);
	on_op(operation, &outcome, outcome.cycle - before, regs);
}

static void show_counts(struct seq_file *file)
{
	unsigned int level;
	int cpu;

	seq_printf(file, "modeled machine=%s\n", the_machine->name);
	for_each_online_cpu(cpu) {
		const struct cpu_ds_counts *counts = cpu_ds_counts(cpu);

		seq_printf(file, "cpu cpu=%d delivered=%llu sum=%#llx imprecise=%llu walks=%llu "
			   "locked=%llu lost=%llu forgotten=%llu", cpu, counts->precise.count,
			   counts->precise.sum, counts->other.count, counts->walks, counts->locked,
			   counts->lost, counts->forgotten);
		for (level = 0; level < VM_LEVEL_COUNT; level++)
			seq_printf(file, " level%u=%llu", level, counts->levels[level]);
		seq_putc(file, '\n');
	}
}

static void reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(last_cycle, cpu) = 0;
	cpu_ds_reset();
}

/* Faults alone are drawn from a generator. */
static void seed(u64 value)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(adds, cpu) = 0;
	cpu_faults_seed(value);
}

static const struct proc_functions functions = {
	.show_counts = show_counts, .reset = reset, .seed = seed,
};

static int __init start_pmu(void)
{
	int error = cpu_ds_init(&cpu_pmu, the_machine);

	if (error)
		return error;
	events_group.attrs = the_machine->model == 143 ? spr_event_attributes
							: skl_event_attributes;
	error = perf_pmu_register(&cpu_pmu, "cpu", PERF_TYPE_RAW);
	if (error)
		cpu_ds_exit();
	return error;
}

static int __init cpu_host_init(void)
{
	int error = find_kernel();

	if (error)
		return error;
	the_machine = modeled_machine(machine);
	if (!the_machine || the_machine->vendor != VM_VENDOR_INTEL)
		return -ENODEV;
	instruction_start();
	error = modeled_core_start(the_machine);
	if (error)
		return error;
	error = cpu_faults_init();
	if (error)
		goto no_faults;
	error = start_pmu();
	if (error)
		goto no_pmu;
	error = stepper_start(on_ran);
	if (error)
		goto no_stepper;
	error = proc_start(&functions);
	if (!error)
		return 0;
	stepper_stop();
no_stepper:
	perf_pmu_unregister(&cpu_pmu);
	cpu_ds_exit();
no_pmu:
	cpu_faults_exit();
no_faults:
	modeled_core_stop();
	return error;
}

static void __exit cpu_host_exit(void)
{
	proc_stop();
	stepper_stop();
	perf_pmu_unregister(&cpu_pmu);
	cpu_ds_exit();
	cpu_faults_exit();
	modeled_core_stop();
}

module_init(cpu_host_init);
module_exit(cpu_host_exit);
MODULE_DESCRIPTION("modeled Intel PMU with PEBS, for tests");
MODULE_LICENSE("Dual BSD/GPL");
