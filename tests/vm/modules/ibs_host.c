// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The kernel's own IBS driver, unmodified, on a modeled machine: a test.
 *
 * The driver is compiled into this module (ibs_host_redirect.h) and registers ibs_op and
 * ibs_fetch with perf. Its registers are soft; what they say comes from the model in model/,
 * which is fed with the instructions that really run. Nothing here is measured.
 */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "ibs_host.h"
#include "instruction.h"
#include "kernel_symbols.h"
#include "modeled_core.h"
#include "proc.h"
#include "sampling_faults.h"
#include "stepper.h"

static char *machine = "";
module_param(machine, charp, 0444);
MODULE_PARM_DESC(machine, "row of machines.def (default: that of this CPU's family and model)");
static uint caps;
module_param(caps, uint, 0444);
MODULE_PARM_DESC(caps, "CPUID Fn8000_001B EAX instead of the machine's");
static ulong seed = 1;
module_param(seed, ulong, 0444);
MODULE_PARM_DESC(seed, "of the low bits of the sampling counters");
static char *clock = "step";
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock, "step: every instruction of tasks that asked counts; timer: see timer.c");
static uint ns_per_count = 1;
module_param(ns_per_count, uint, 0444);
MODULE_PARM_DESC(ns_per_count, "clock=timer: how long a cycle, op or fetch takes");
/*
 * An NMI is the default since it is what hardware sends: the driver, and perf's output behind
 * it, then run where they must neither wait nor take a fault. Without, the handler is called
 * by whoever counts: for debugging, where a backtrace then shows both.
 */
static bool nmi = true;
module_param(nmi, bool, 0444);
MODULE_PARM_DESC(nmi, "deliver through a real NMI (default) or call the driver's handler");
static bool per_task;
module_param(per_task, bool, 0444);
MODULE_PARM_DESC(per_task, "events of single tasks, which the driver of 6.1 refuses");

static bool fault_not_random;
module_param(fault_not_random, bool, 0644);
MODULE_PARM_DESC(fault_not_random, "it is counted from 0, not from a random number");
module_param_named(fault_fetch, sampling_faults.of_samples.of_fetches, bool, 0644);
MODULE_PARM_DESC(fault_fetch, "faults are of fetches, and not of ops");

static struct {
	int (*handler)(unsigned int type, struct pt_regs *regs);
	int (*overflow)(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs);
	struct perf_callchain_entry *(*callchain)(struct perf_event *event, struct pt_regs *regs);
	void (*took)(u64 ns);
	int (*account_interrupt)(struct perf_event *event);
	int (*exclude)(struct perf_event *event, struct pt_regs *regs);
	void (*log_lost_samples)(struct perf_event *event, u64 lost);
	int (*add)(struct perf_event *event, int flags);
	void (*del)(struct perf_event *event, int flags);
} driver;

static const struct vm_machine *modeled;
static bool timed;
static DEFINE_PER_CPU(struct ibs_cpu, cpus);

struct ibs_cpu *ibs_cpu(void)
{
	return this_cpu_ptr(&cpus);
}

/* Which of both has the faults */
static unsigned int faulty_unit(void)
{
	return sampling_faults.of_samples.of_fetches ? UNIT_FETCH : UNIT_OP;
}

/* ---- registers -------------------------------------------------------------------------- */

#define MSR_FETCH_CTL  0xc0011030
#define MSR_OP_CTL     0xc0011033
#define MSR_IBS_CTL    0xc001103a
#define MSR_OP_DATA3   0xc0011037
#define MSR_BR_TARGET  0xc001103b
#define MSR_FETCH_EXTD 0xc001103c
#define MSR_OP_DATA4   0xc001103d
#define MSR_OP_CTL2    0xc001103e
#define MSR_FETCH_CTL2 0xc001103f

#define OP_CTL_EN (1ull << 17)
#define FETCH_CTL_EN (1ull << 48)
/* The second control registers: Dis, where the capabilities have it */
#define CAPS_DIS (1u << 13)
#define CTL2_DIS 1ull

/* IbsCtl: an interrupt vector table's offset 1, valid */
#define IBS_CTL_VALUE (1ull << 8 | 1)

static u64 *soft_msr(struct ibs_cpu *cpu, u32 msr)
{
	return &cpu->msr[msr - MSR_FIRST];
}

static bool disabled(struct ibs_cpu *cpu, u32 msr_control2)
{
	return (caps & CAPS_DIS) && (*soft_msr(cpu, msr_control2) & CTL2_DIS);
}

static u64 soft_rdmsr(u32 msr)
{
	struct ibs_cpu *cpu = ibs_cpu();

	if (msr == MSR_IBS_CTL)
		return IBS_CTL_VALUE;
	if (WARN_ON_ONCE(msr < MSR_FIRST || msr > MSR_LAST))
		return 0;
	if (msr == MSR_OP_CTL && !cpu->unit[UNIT_OP].waiting && !disabled(cpu, MSR_OP_CTL2))
		return vm_op_engine_read(&cpu->unit[UNIT_OP].engine);
	if (msr == MSR_FETCH_CTL && !cpu->unit[UNIT_FETCH].waiting &&
	    !disabled(cpu, MSR_FETCH_CTL2))
		return vm_fetch_engine_read(&cpu->unit[UNIT_FETCH].engine);
	return *soft_msr(cpu, msr);
}

/*
 * A unit was written to, which runs now or does not: an interrupt that a skid has put off does not come any
 * more.
 */
static void written(struct ibs_cpu *cpu, unsigned int number)
{
	struct unit *unit = &cpu->unit[number];

	unit->counts.discarded += unit->fault.skid_left && !unit->sampled;
	vm_fault_stop(&unit->fault);
}

/* It runs if its control register says so and its second one, where there is one, too. */
static void op_written(struct ibs_cpu *cpu)
{
	struct unit *unit = &cpu->unit[UNIT_OP];

	written(cpu, UNIT_OP);
	unit->engine.not_random = fault_not_random && faulty_unit() == UNIT_OP;
	vm_op_engine_write(&unit->engine, caps,
			   *soft_msr(cpu, MSR_OP_CTL) &
				   ~(disabled(cpu, MSR_OP_CTL2) ? OP_CTL_EN : 0));
	if (timed)
		timer_written(unit);
	else
		sampling_faults_trace(unit->engine.running);
}

static void fetch_written(struct ibs_cpu *cpu)
{
	struct unit *unit = &cpu->unit[UNIT_FETCH];

	written(cpu, UNIT_FETCH);
	unit->engine.not_random = fault_not_random && faulty_unit() == UNIT_FETCH;
	vm_fetch_engine_write(&unit->engine,
			      *soft_msr(cpu, MSR_FETCH_CTL) &
				      ~(disabled(cpu, MSR_FETCH_CTL2) ? FETCH_CTL_EN : 0));
	if (timed)
		timer_written(unit);
	else
		sampling_faults_trace(unit->engine.running);
}

static void soft_wrmsr(u32 msr, u64 value)
{
	struct ibs_cpu *cpu = ibs_cpu();

	if (WARN_ON_ONCE(msr < MSR_FIRST || msr > MSR_LAST))
		return;
	switch (msr) {
	case MSR_OP_CTL:
		cpu->unit[UNIT_OP].waiting = false;
		break;
	case MSR_FETCH_CTL:
		cpu->unit[UNIT_FETCH].waiting = false;
		break;
	case MSR_OP_CTL2: /* the unit may stop: its count can still be read */
		*soft_msr(cpu, MSR_OP_CTL) = soft_rdmsr(MSR_OP_CTL);
		break;
	case MSR_FETCH_CTL2:
		*soft_msr(cpu, MSR_FETCH_CTL) = soft_rdmsr(MSR_FETCH_CTL);
		break;
	default:
		break;
	}
	*soft_msr(cpu, msr) = value;
	if (msr == MSR_OP_CTL || msr == MSR_OP_CTL2)
		op_written(cpu);
	else if (msr == MSR_FETCH_CTL || msr == MSR_FETCH_CTL2)
		fetch_written(cpu);
}

static u32 soft_cpuid_eax(u32 leaf)
{
	switch (leaf) {
	case 0x80000000: /* the highest leaf */
		return 0x8000001f;
	case 0x8000001b:
		return caps;
	default:
		WARN_ON_ONCE(1);
		return 0;
	}
}

static int soft_eilvt(void)
{
	return 0;
}

static int soft_overflow(struct perf_event *event, struct perf_sample_data *data,
			 struct pt_regs *regs);

#include "ibs_host_redirect.h"

/* ---- samples ---------------------------------------------------------------------------- */

/* The driver made a sample. */
static int soft_overflow(struct perf_event *event, struct perf_sample_data *data,
			 struct pt_regs *regs)
{
	const unsigned int number = event->pmu == &perf_ibs_op.pmu ? UNIT_OP : UNIT_FETCH;
	struct unit *unit = &ibs_cpu()->unit[number];
	int throttle;

	if (number == faulty_unit() && vm_fault_happens(&unit->fault, sampling_faults.lost)) {
		unit->counts.lost++;
		driver.log_lost_samples(event, 1);
		return 0;
	}
	unit->sampled = true;
	unit->counts.delivered++;
	vm_checksum_add(&unit->counts.checksum, unit->payload, unit->registers);
	throttle = driver.overflow(event, data, regs);
	unit->counts.throttled += throttle != 0;
	return throttle;
}

/* Not exported; inline functions of linux/perf_event.h call it */
struct perf_callchain_entry *perf_callchain(struct perf_event *event, struct pt_regs *regs)
{
	return driver.callchain(event, regs);
}

static bool op_registers(struct ibs_cpu *cpu, const struct vm_operation *operation,
			 const struct vm_outcome *outcome)
{
	struct unit *unit = &cpu->unit[UNIT_OP];
	const struct vm_ibs_unit how = {
		.machine = modeled,
		.caps = caps,
		.control = vm_op_engine_read(&unit->engine),
		.control2 = *soft_msr(cpu, MSR_OP_CTL2),
		.data3 = *soft_msr(cpu, MSR_OP_DATA3),
	};
	u64 registers[VM_OP_REGISTER_COUNT];
	unsigned int i;

	if (!vm_ibs_op_registers(&how, operation, outcome, registers))
		return false;
	for (i = VM_OP_CTL; i <= VM_OP_PHYSAD; i++)
		*soft_msr(cpu, MSR_OP_CTL + i) = registers[i];
	*soft_msr(cpu, MSR_BR_TARGET) = registers[VM_OP_BRTARGET];
	*soft_msr(cpu, MSR_OP_DATA4) = registers[VM_OP_DATA4];
	unit->registers = vm_ibs_op_payload(caps, registers, unit->payload);
	return true;
}

static bool fetch_registers(struct ibs_cpu *cpu, const struct vm_outcome *outcome)
{
	struct unit *unit = &cpu->unit[UNIT_FETCH];
	const struct vm_ibs_unit how = {
		.machine = modeled,
		.caps = caps,
		.control = vm_fetch_engine_read(&unit->engine),
		.control2 = *soft_msr(cpu, MSR_FETCH_CTL2),
	};
	u64 registers[VM_FETCH_REGISTER_COUNT];
	unsigned int i;

	if (!vm_ibs_fetch_registers(&how, outcome, registers))
		return false;
	for (i = VM_FETCH_CTL; i <= VM_FETCH_PHYSAD; i++)
		*soft_msr(cpu, MSR_FETCH_CTL + i) = registers[i];
	*soft_msr(cpu, MSR_FETCH_EXTD) = registers[VM_FETCH_EXTD];
	unit->registers = vm_ibs_fetch_payload(caps, registers, unit->payload);
	return true;
}

/*
 * What the sample that waits names. The instruction pointer, or the linear address of a fetch, is the second
 * one of each sample's registers.
 */
static void name(struct ibs_cpu *cpu, unsigned int number, u64 address)
{
	const u32 control = number == UNIT_OP ? MSR_OP_CTL : MSR_FETCH_CTL;
	struct unit *unit = &cpu->unit[number];

	address = vm_fault_address(&sampling_faults.of_samples, &unit->fault, address);
	*soft_msr(cpu, control + 1) = address;
	unit->payload[1] = address;
}

bool ibs_tag(struct ibs_cpu *cpu, unsigned int number, const struct vm_operation *operation,
	     const struct vm_outcome *outcome)
{
	struct unit *unit = &cpu->unit[number];

	unit->counts.tagged++;
	unit->waiting = number == UNIT_OP ? op_registers(cpu, operation, outcome) :
					    fetch_registers(cpu, outcome);
	unit->reported = unit->waiting;
	unit->sampled = false;
	if (unit->waiting)
		return true;
	unit->counts.filtered++;
	if (number == UNIT_OP)
		vm_op_engine_restart(&unit->engine);
	else
		vm_fetch_engine_restart(&unit->engine);
	return false;
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct ibs_cpu *cpu = ibs_cpu();
	struct pt_regs *interrupted = cpu->interrupted;
	int handled;

	if (!interrupted)
		return NMI_DONE;
	handled = driver.handler(type, interrupted);
	/* Tells ibs_interrupt() that the NMI has come. */
	WRITE_ONCE(cpu->interrupted, NULL);
	cpu->handled = handled;
	return NMI_HANDLED;
}

/* Turns of a loop in which an NMI to oneself has always come */
#define NMI_PATIENCE (1u << 22)

static int send_nmi(struct ibs_cpu *cpu, struct pt_regs *regs)
{
	unsigned int patience = NMI_PATIENCE;

	cpu->handled = 0;
	WRITE_ONCE(cpu->interrupted, regs);
	apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	while (READ_ONCE(cpu->interrupted) && --patience)
		cpu_relax();
	if (WARN_ON_ONCE(READ_ONCE(cpu->interrupted)))
		WRITE_ONCE(cpu->interrupted, NULL);
	return READ_ONCE(cpu->handled);
}

void ibs_interrupt(struct ibs_cpu *cpu, struct pt_regs *regs)
{
	int handled = nmi ? send_nmi(cpu, regs) : driver.handler(NMI_LOCAL, regs);
	unsigned int i;

	for (i = 0; i < UNIT_COUNT; i++) {
		struct unit *unit = &cpu->unit[i];

		if (unit->reported && !unit->sampled) {
			if (handled)
				unit->counts.discarded++;
			else
				unit->counts.unhandled++;
		}
		if (i == faulty_unit() && unit->reported)
			vm_engine_overcount(&unit->engine, sampling_faults.extra);
		unit->reported = false;
	}
}

static bool count(struct unit *unit, unsigned int number, const struct vm_outcome *outcome)
{
	return number == UNIT_OP ? vm_op_engine_count(&unit->engine, outcome) :
				   vm_fetch_engine_count(&unit->engine, outcome);
}

/* It is tagged, and there are no registers to be seen. */
static void forget(struct unit *unit, unsigned int number)
{
	unit->counts.tagged++;
	unit->counts.filtered++;
	unit->counts.forgotten++;
	if (number == UNIT_OP)
		vm_op_engine_restart(&unit->engine);
	else
		vm_fetch_engine_restart(&unit->engine);
}

/* Has an interrupt of the unit that has the faults to come, of this op, its fetch, or one before? */
static bool ran_with_faults(struct ibs_cpu *cpu, unsigned int number, const struct vm_operation *operation,
			    const struct vm_outcome *outcome)
{
	struct unit *unit = &cpu->unit[number];
	bool counted = count(unit, number, outcome);
	u64 address = operation->ip;

	switch (vm_fault_step(&sampling_faults.of_samples, &unit->fault, counted, operation, outcome)) {
	case VM_FAULT_TAG:
		if (!ibs_tag(cpu, number, operation, outcome)) {
			vm_fault_stop(&unit->fault);
			return false;
		}
		if (unit->fault.skid_left)
			return false;
		address = number == UNIT_OP ? operation->ip : outcome->fetch.linear;
		break;
	case VM_FAULT_INTERRUPT:
		break;
	case VM_FAULT_FORGET:
		forget(unit, number);
		return false;
	case VM_FAULT_NOTHING:
		return false;
	}
	name(cpu, number, address);
	return true;
}

static bool unit_ran(struct ibs_cpu *cpu, unsigned int number, const struct vm_operation *operation,
		     const struct vm_outcome *outcome)
{
	if (number == faulty_unit())
		return ran_with_faults(cpu, number, operation, outcome);
	return count(&cpu->unit[number], number, outcome) && ibs_tag(cpu, number, operation, outcome);
}

/* clock=step */
static void ran(const struct vm_operation *operation, struct pt_regs *regs)
{
	struct ibs_cpu *cpu = ibs_cpu();
	struct vm_outcome outcome;
	bool interrupt = false;

	modeled_core_ran(operation, &outcome);
	interrupt |= unit_ran(cpu, UNIT_OP, operation, &outcome);
	interrupt |= unit_ran(cpu, UNIT_FETCH, operation, &outcome);
	if (interrupt)
		ibs_interrupt(cpu, regs);
}

/* ---- /proc ------------------------------------------------------------------------------ */

static void show_counts(struct seq_file *file)
{
	static const char *const names[UNIT_COUNT] = { "ibs_op", "ibs_fetch" };
	unsigned int i;
	int cpu;

	seq_printf(file, "modeled machine=%s caps=%#x clock=%s nmi=%d per_task=%d\n",
		   modeled->name, caps, clock, nmi, per_task);
	for_each_online_cpu(cpu) {
		for (i = 0; i < UNIT_COUNT; i++) {
			const struct unit_counts *c = &per_cpu(cpus, cpu).unit[i].counts;

			seq_printf(file, "%s cpu=%d tagged=%llu filtered=%llu delivered=%llu "
				   "discarded=%llu unhandled=%llu throttled=%llu forgotten=%llu "
				   "lost=%llu sum=%#llx\n",
				   names[i], cpu, c->tagged, c->filtered, c->delivered,
				   c->discarded, c->unhandled, c->throttled, c->forgotten,
				   c->lost, c->checksum.sum);
		}
	}
}

static u64 seed_of(u64 value, int cpu, unsigned int unit)
{
	return value + ((u64)cpu * UNIT_COUNT + unit);
}

static void set_seed(u64 value)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < UNIT_COUNT; i++) {
			struct unit *unit = &per_cpu(cpus, cpu).unit[i];

			vm_engine_seed(&unit->engine, seed_of(value, cpu, i));
			vm_fault_seed(&unit->fault, seed_of(value, cpu, i));
			unit->adds = 0;
		}
	seed = value;
}

static void reset(void)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < UNIT_COUNT; i++) {
			struct unit *unit = &per_cpu(cpus, cpu).unit[i];

			memset(&unit->counts, 0, sizeof(unit->counts));
			vm_engine_reset(&unit->engine, seed_of(seed, cpu, i));
			vm_fault_stop(&unit->fault);
			vm_fault_seed(&unit->fault, seed_of(seed, cpu, i));
		}
}

static const struct proc_functions proc_functions = {
	.show_counts = show_counts,
	.reset = reset,
	.seed = set_seed,
};

/* ---- module ----------------------------------------------------------------------------- */

/*
 * The driver (6.1, 6.12 and 7.3 alike) reads up to nine registers into eight places
 * (MSR_AMD64_IBS_REG_COUNT_MAX) when the CPU has both branch target and IbsOpData4 (family 15h
 * models 60h and later) and the sample its raw registers: it overwrites its stack.
 */
static bool caps_fit_driver(void)
{
	const u32 both = IBS_CAPS_BRNTRGT | IBS_CAPS_OPDATA4;
	const struct perf_ibs_data *data = NULL;

	return (caps & both) != both || ARRAY_SIZE(data->regs) >= VM_OP_REGISTER_COUNT;
}

static int find_functions(void)
{
	int error = kernel_symbols_find();

	if (error)
		return error;
	driver.overflow = kernel_symbol("perf_event_overflow");
	driver.callchain = kernel_symbol("perf_callchain");
	driver.took = kernel_symbol("perf_sample_event_took");
	driver.account_interrupt = kernel_symbol("perf_event_account_interrupt");
	driver.log_lost_samples = kernel_symbol("perf_log_lost_samples");
	if (VERSION_EXCLUDE_EVENT)
		driver.exclude = kernel_symbol(VERSION_EXCLUDE_EVENT);
	return driver.overflow && driver.callchain && driver.took && driver.account_interrupt &&
	       driver.log_lost_samples && (!VERSION_EXCLUDE_EVENT || driver.exclude) ? 0 : -ENOENT;
}

static int check_parameters(void)
{
	if (strcmp(clock, "step") && strcmp(clock, "timer")) {
		pr_err("precis: clock=%s: step or timer\n", clock);
		return -EINVAL;
	}
	timed = !strcmp(clock, "timer");
	modeled = modeled_machine(machine);
	if (!modeled)
		return -ENODEV;
	if (!caps)
		caps = modeled->ibs_caps;
	if (!caps_fit_driver()) {
		pr_err("precis: caps=%#x: more registers than this driver has room for\n", caps);
		return -EINVAL;
	}
	return 0;
}

static struct nmiaction nmi_action = { .handler = on_nmi, .name = "precis_ibs_host" };

static void unregister_driver(void)
{
	perf_pmu_unregister(&perf_ibs_op.pmu);
	perf_pmu_unregister(&perf_ibs_fetch.pmu);
	free_percpu(perf_ibs_op.pcpu);
	free_percpu(perf_ibs_fetch.pcpu);
}

/* As if another event had the counter, from time to time */
static int soft_add(struct perf_event *event, int flags)
{
	const unsigned int number = event->pmu == &perf_ibs_op.pmu ? UNIT_OP : UNIT_FETCH;

	if (number == faulty_unit() && sampling_faults_take_counter(&ibs_cpu()->unit[number].adds))
		return -ENOSPC;
	return driver.add(event, flags);
}

/* An event that was throttled does not write to its register when it goes. */
static void soft_del(struct perf_event *event, int flags)
{
	driver.del(event, flags);
	sampling_faults_trace(false);
}

static int register_driver(void)
{
	driver.add = perf_ibs_op.pmu.add;
	perf_ibs_op.pmu.add = soft_add;
	driver.del = perf_ibs_op.pmu.del;
	perf_ibs_op.pmu.del = soft_del;
	/* those of fetches are the same */
	perf_ibs_fetch.pmu.add = soft_add;
	perf_ibs_fetch.pmu.del = soft_del;
	perf_ibs_fetch.pmu.module = THIS_MODULE;
	perf_ibs_op.pmu.module = THIS_MODULE;
	/* What drivers from 6.2 on do themselves (perf_hw_context: one PMU may have that) */
	if (per_task && perf_ibs_op.pmu.task_ctx_nr == perf_invalid_context) {
		perf_ibs_fetch.pmu.task_ctx_nr = perf_sw_context;
		perf_ibs_op.pmu.task_ctx_nr = perf_sw_context;
	}
	return amd_ibs_init();
}

static int __init ibs_host_init(void)
{
	int error, cpu;

	instruction_start();
	error = find_functions();
	if (!error)
		error = check_parameters();
	if (!error)
		error = modeled_core_start(modeled);
	if (error)
		return error;
	reset();
	for_each_possible_cpu(cpu)
		timer_start(per_cpu_ptr(&cpus, cpu), ns_per_count);
	INIT_LIST_HEAD(&nmi_action.list);
	error = __register_nmi_handler(NMI_LOCAL, &nmi_action);
	if (error)
		goto no_nmi;
	error = timed ? 0 : stepper_start(ran);
	if (error)
		goto no_stepper;
	error = register_driver();
	if (error)
		goto no_driver;
	error = proc_start(&proc_functions);
	if (error)
		goto no_proc;
	return 0;

no_proc:
	unregister_driver();
no_driver:
	stepper_stop();
no_stepper:
	unregister_nmi_handler(NMI_LOCAL, nmi_action.name);
no_nmi:
	modeled_core_stop();
	return error;
}

static void __exit ibs_host_exit(void)
{
	int cpu;

	proc_stop();
	unregister_driver();
	stepper_stop();
	for_each_possible_cpu(cpu)
		timer_stop(per_cpu_ptr(&cpus, cpu));
	unregister_nmi_handler(NMI_LOCAL, nmi_action.name);
	modeled_core_stop();
}

module_init(ibs_host_init);
module_exit(ibs_host_exit);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("The kernel's IBS driver on a modeled machine, for tests");
