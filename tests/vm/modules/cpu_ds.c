// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The kernel's PEBS code on a modeled core. DS_SOURCE is arch/x86/events/intel/ds.c
 * of the running kernel's version, unmodified: layouts of records, how they are
 * drained, event constraints, tables of data sources and the translation to
 * sample fields are the kernel's. What is written here are the records (by the
 * layouts in ds.c) and those functions of core.c and intel/core.c that ds.c
 * calls or whose rules a user meets.
 *
 * Simpler than hardware: the op at which a counter overflows is the one that the
 * record is of (hardware takes the next one), each op may be tagged, and each
 * record is drained at once (no large PEBS, no auto-reload).
 */
#include <linux/module.h>

#include "cpu_ds_redirect.h"
#include "cpu_events.h"
#include "cpu_faults.h"

struct cpu_ds_kernel cpu_ds_kernel;

#include DS_SOURCE

#define COUNTER_BITS 48

struct x86_pmu x86_pmu;
DEFINE_STATIC_KEY_FALSE(perf_is_hybrid);
DEFINE_PER_CPU(struct cpu_hw_events, cpu_hw_events);
struct event_constraint emptyconstraint;

/* Beside what the kernel keeps for each CPU */
struct core {
	u64 counter[X86_PMC_IDX_MAX];
	u64 used; /* counters that have an event: bits */
	struct cpu_ds_counts counts;
	struct debug_store store;
};

static struct core **cores; /* by CPU */
static const struct vm_machine *the_machine;
static struct pmu *the_pmu;

static struct core *this_core(void)
{
	return cores[smp_processor_id()];
}

/* ---- what ds.c calls of core.c, intel/core.c and lbr.c ------------------------------------- */

struct pmu *x86_get_pmu(unsigned int cpu)
{
	return the_pmu;
}

void intel_pmu_store_pebs_lbrs(struct lbr_entry *lbr)
{
}

DEFINE_STATIC_CALL_NULL(x86_pmu_drain_pebs, *x86_pmu.drain_pebs);

u64 cpu_ds_counter(int counter)
{
	return this_core()->counter[counter];
}

/* As x86_perf_event_update(), x86_perf_event_set_period() */
static void update(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	u64 now = cpu_ds_counter(hwc->idx);
	u64 delta = (now - local64_xchg(&hwc->prev_count, now)) & x86_pmu.cntval_mask;

	local64_add(delta, &event->count);
	local64_sub(delta, &hwc->period_left);
}

static int set_period(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	s64 period = hwc->sample_period, left = local64_read(&hwc->period_left);
	int overflown = 0;

	if (left <= -period) {
		left = period;
		overflown = 1;
	} else if (left <= 0) {
		left += period;
		overflown = 1;
	}
	if (overflown) {
		local64_set(&hwc->period_left, left);
		hwc->last_period = period;
	}
	left = clamp_t(s64, left, 2, x86_pmu.max_period);
	this_core()->counter[hwc->idx] = -left & x86_pmu.cntval_mask;
	local64_set(&hwc->prev_count, -left & x86_pmu.cntval_mask);
	perf_event_update_userpage(event);
	return overflown;
}

int intel_pmu_save_and_restart(struct perf_event *event)
{
	update(event);
	return set_period(event);
}

void x86_pmu_stop(struct perf_event *event, int flags)
{
	struct cpu_hw_events *cpuc = this_cpu_ptr(&cpu_hw_events);
	struct hw_perf_event *hwc = &event->hw;

	if (test_bit(hwc->idx, cpuc->active_mask)) {
		cpu_faults_stop(hwc->idx);
		if (event->attr.precise_ip)
			intel_pmu_pebs_disable(event);
		__clear_bit(hwc->idx, cpuc->active_mask);
		cpuc->events[hwc->idx] = NULL;
		hwc->state |= PERF_HES_STOPPED;
	}
	if ((flags & PERF_EF_UPDATE) && !(hwc->state & PERF_HES_UPTODATE)) {
		update(event);
		hwc->state |= PERF_HES_UPTODATE;
	}
}

/* ---- what is delivered --------------------------------------------------------------------- */

static void add_delivered(struct perf_event *event, const struct perf_sample_data *data,
			  const struct pt_regs *regs)
{
	const u64 words[CPU_DS_WORDS] = {
		[CPU_DS_IP] = regs->ip,
		[CPU_DS_ADDR] = data->sample_flags & PERF_SAMPLE_ADDR ? data->addr : 0,
		[CPU_DS_DATA_SRC] = data->sample_flags & PERF_SAMPLE_DATA_SRC ? data->data_src.val
									       : PERF_MEM_NA,
		[CPU_DS_WEIGHT] = data->sample_flags & PERF_SAMPLE_WEIGHT_TYPE ? data->weight.full
										: 0,
	};
	struct cpu_ds_counts *counts = &this_core()->counts;

	vm_checksum_add(event->attr.precise_ip ? &counts->precise : &counts->other, words,
			CPU_DS_WORDS);
}

int cpu_ds_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	add_delivered(event, data, regs);
	return cpu_ds_kernel.overflow(event, data, regs);
}

int cpu_ds_output(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	add_delivered(event, data, regs);
	return cpu_ds_kernel.output(event, data, regs);
}

const struct cpu_ds_counts *cpu_ds_counts(int cpu)
{
	return &cores[cpu]->counts;
}

void cpu_ds_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(&cores[cpu]->counts, 0, sizeof(cores[cpu]->counts));
}

/* ---- records ------------------------------------------------------------------------------- */

/*
 * The data source's index, by what the tables for Skylake and later of ds.c make
 * of it. PMEM is told as such only by the servers' table.
 */
static const u8 source_of_level[VM_LEVEL_COUNT] = {
	[VM_LEVEL_L1] = 0x1,         [VM_LEVEL_MISS_BUFFER] = 0x2, [VM_LEVEL_L2] = 0x3,
	[VM_LEVEL_L3] = 0x4,         [VM_LEVEL_NEAR_CACHE] = 0x7,  [VM_LEVEL_FAR_CACHE] = 0xd,
	[VM_LEVEL_DRAM] = 0xa,       [VM_LEVEL_FAR_DRAM] = 0xb,    [VM_LEVEL_PMEM] = 0x8,
	[VM_LEVEL_EXTENSION] = 0x0,  [VM_LEVEL_PEER] = 0x0,        [VM_LEVEL_MMIO] = 0xe,
};

static bool has_full_source(const struct perf_event *event)
{
	return event->hw.flags & (PERF_X86_EVENT_PEBS_LDLAT | PERF_X86_EVENT_PEBS_STLAT);
}

static u64 source_of(const struct perf_event *event, const struct vm_operation *operation,
		     const struct vm_outcome *outcome)
{
	union intel_x86_pebs_dse source = { .val = 0 };

	if (has_full_source(event)) {
		source.ld_dse = source_of_level[outcome->level];
		source.ld_stlb_miss = outcome->tlb == VM_TLB_WALK;
		source.ld_locked = operation->locked;
	} else {
		source.st_l1d_hit = !outcome->l1_miss;
	}
	return source.val;
}

/* Told by the load latency event only; in 16 bits where two of them share a word */
static u64 load_latency(const struct perf_event *event, const struct vm_operation *operation,
			const struct vm_outcome *outcome)
{
	if (!(event->hw.flags & PERF_X86_EVENT_PEBS_LDLAT))
		return 0;
	return min_t(u64, cpu_load_latency(the_machine, operation, outcome), PEBS_LATENCY_MASK);
}

/*
 * The other latency that Golden Cove tells: from when the op entered the scheduler, where it may
 * wait for what it reads, until it has completed
 */
static u64 instruction_latency(const struct vm_outcome *outcome)
{
	return min_t(u64, outcome->tag_to_retire - outcome->completion_to_retire,
		     PEBS_LATENCY_MASK);
}

/* Format 3 */
static size_t write_fixed(void *at, int counter, const struct perf_event *event,
			  const struct vm_operation *operation, const struct vm_outcome *outcome,
			  const struct pt_regs *regs)
{
	struct pebs_record_skl *record = at;

	*record = (struct pebs_record_skl){
		.flags = regs->flags, .ip = regs->ip, .ax = regs->ax, .bx = regs->bx,
		.cx = regs->cx, .dx = regs->dx, .si = regs->si, .di = regs->di,
		.bp = regs->bp, .sp = regs->sp, .r8 = regs->r8, .r9 = regs->r9,
		.r10 = regs->r10, .r11 = regs->r11, .r12 = regs->r12, .r13 = regs->r13,
		.r14 = regs->r14, .r15 = regs->r15,
		.status = BIT_ULL(counter), .real_ip = operation->ip, .tsc = rdtsc_ordered(),
	};
	record->lat = load_latency(event, operation, outcome);
	if (operation->address_known) {
		record->dla = operation->address;
		record->dse = source_of(event, operation, outcome);
	}
	return sizeof(*record);
}

/* Formats 4 and later: groups as MSR_PEBS_DATA_CFG says */
static size_t write_adaptive(void *at, int counter, const struct perf_event *event,
			     const struct vm_operation *operation,
			     const struct vm_outcome *outcome, const struct pt_regs *regs)
{
	u64 groups = this_cpu_ptr(&cpu_hw_events)->active_pebs_data_cfg;
	struct pebs_basic *basic = at;
	void *next = basic + 1;

	if (groups & PEBS_DATACFG_MEMINFO) {
		struct pebs_meminfo *memory = next;

		*memory = (struct pebs_meminfo){ .latency = instruction_latency(outcome) };
		memory->latency |= load_latency(event, operation, outcome)
				   << PEBS_CACHE_LATENCY_OFFSET;
		if (operation->address_known) {
			memory->address = operation->address;
			memory->aux = source_of(event, operation, outcome);
		}
		next = memory + 1;
	}
	if (groups & PEBS_DATACFG_GP) {
		struct pebs_gprs *gprs = next;

		*gprs = (struct pebs_gprs){
			.flags = regs->flags, .ip = regs->ip, .ax = regs->ax, .cx = regs->cx,
			.dx = regs->dx, .bx = regs->bx, .sp = regs->sp, .bp = regs->bp,
			.si = regs->si, .di = regs->di, .r8 = regs->r8, .r9 = regs->r9,
			.r10 = regs->r10, .r11 = regs->r11, .r12 = regs->r12, .r13 = regs->r13,
			.r14 = regs->r14, .r15 = regs->r15,
		};
		next = gprs + 1;
	}
	*basic = (struct pebs_basic){
		.format_size = (u64)(next - at) << 48 | groups,
		.ip = operation->ip,
		.applicable_counters = BIT_ULL(counter),
		.tsc = rdtsc_ordered(),
	};
	return next - at;
}

static void count_truth(const struct perf_event *event, const struct vm_operation *operation,
			const struct vm_outcome *outcome)
{
	struct cpu_ds_counts *counts = &this_core()->counts;

	if (!has_full_source(event) || !operation->address_known)
		return;
	counts->levels[outcome->level]++;
	counts->walks += outcome->tlb == VM_TLB_WALK;
	counts->locked += operation->locked;
}

static void drain(int counter, const struct perf_event *event,
		  const struct vm_operation *operation, const struct vm_outcome *outcome,
		  struct pt_regs *regs)
{
	struct debug_store *store = this_cpu_ptr(&cpu_hw_events)->ds;
	void *at = (void *)(unsigned long)store->pebs_index;
	struct perf_sample_data data;

	store->pebs_index += x86_pmu.intel_cap.pebs_format < 4 ?
		write_fixed(at, counter, event, operation, outcome, regs) :
		write_adaptive(at, counter, event, operation, outcome, regs);
	x86_pmu.drain_pebs(regs, &data);
}

void cpu_ds_drop(int counter, bool told)
{
	struct perf_event *event = cpu_ds_event(counter);

	intel_pmu_save_and_restart(event);
	if (told) {
		this_core()->counts.lost++;
		cpu_ds_kernel.log_lost_samples(event, 1);
	} else {
		this_core()->counts.forgotten++;
	}
}

void cpu_ds_interrupt(int counter, const struct vm_operation *operation,
		      const struct vm_outcome *outcome, struct pt_regs *regs)
{
	struct perf_event *event = cpu_ds_event(counter);
	struct perf_sample_data data;

	if (event->attr.precise_ip) {
		count_truth(event, operation, outcome);
		drain(counter, event, operation, outcome, regs);
		return;
	}
	if (!intel_pmu_save_and_restart(event) || !is_sampling_event(event))
		return;
	perf_sample_data_init(&data, 0, event->hw.last_period);
	if (cpu_ds_overflow(event, &data, regs))
		x86_pmu_stop(event, 0);
}

/* ---- counters ------------------------------------------------------------------------------ */

u64 cpu_ds_active(void)
{
	return this_cpu_ptr(&cpu_hw_events)->active_mask[0];
}

struct perf_event *cpu_ds_event(int counter)
{
	return this_cpu_ptr(&cpu_hw_events)->events[counter];
}

bool cpu_ds_count(int counter, unsigned int n)
{
	u64 *value = &this_core()->counter[counter];
	u64 before = *value;

	*value = (before + n) & x86_pmu.cntval_mask;
	return *value < before;
}

static u64 general_counters(void)
{
	return GENMASK_ULL(x86_pmu.num_counters - 1, 0);
}

int cpu_ds_max_precise(void)
{
	return 1 + (x86_pmu.intel_cap.pebs_format >= 2) + x86_pmu.pebs_prec_dist;
}

/* intel_pmu_hw_config(): Sapphire Rapids' load latency needs another event in front of it */
static bool auxiliary_is_missing(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;

	if (!(x86_pmu.flags & PMU_FL_MEM_LOADS_AUX) ||
	    !(event->attr.sample_type & PERF_SAMPLE_DATA_SRC) ||
	    (event->attr.config & INTEL_ARCH_EVENT_MASK) != CPU_EVENT_MEM_LOADS)
		return false;
	if (leader == event)
		return true;
	if ((leader->attr.config & INTEL_ARCH_EVENT_MASK) == CPU_EVENT_MEM_LOADS_AUX)
		return false;
	for_each_sibling_event(sibling, leader)
		if ((sibling->attr.config & INTEL_ARCH_EVENT_MASK) == CPU_EVENT_MEM_LOADS_AUX)
			return false;
	return true;
}

int cpu_ds_event_init(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;

	if (event->attr.precise_ip > cpu_ds_max_precise() || has_branch_stack(event) ||
	    event->attr.aux_output)
		return -EOPNOTSUPP;
	if (event->attr.precise_ip && !is_sampling_event(event))
		return -EINVAL;
	if ((event->attr.sample_regs_user | event->attr.sample_regs_intr) & PERF_REG_EXTENDED_MASK)
		return -EINVAL;
	hwc->config = ARCH_PERFMON_EVENTSEL_INT;
	if (event->attr.type == event->pmu->type)
		hwc->config |= event->attr.config & X86_RAW_EVENT_MASK;
	if (auxiliary_is_missing(event))
		return -ENODATA;
	hwc->idx = -1;
	if (!hwc->sample_period) {
		hwc->sample_period = x86_pmu.max_period;
		hwc->last_period = hwc->sample_period;
		local64_set(&hwc->period_left, hwc->sample_period);
	}
	return 0;
}

int cpu_ds_add(struct perf_event *event, int flags)
{
	struct event_constraint *constraint = intel_pebs_constraints(event);
	struct core *core = this_core();
	u64 allowed = constraint ? constraint->idxmsk64 : general_counters();

	if (!(allowed & ~core->used))
		return -EAGAIN;
	event->hw.idx = __ffs64(allowed & ~core->used);
	core->used |= BIT_ULL(event->hw.idx);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (event->attr.precise_ip)
		intel_pmu_pebs_add(event);
	if (flags & PERF_EF_START)
		cpu_ds_start(event, PERF_EF_RELOAD);
	return 0;
}

void cpu_ds_del(struct perf_event *event, int flags)
{
	x86_pmu_stop(event, PERF_EF_UPDATE);
	if (event->attr.precise_ip)
		intel_pmu_pebs_del(event);
	this_core()->used &= ~BIT_ULL(event->hw.idx);
	perf_event_update_userpage(event);
	event->hw.idx = -1;
}

void cpu_ds_start(struct perf_event *event, int flags)
{
	struct cpu_hw_events *cpuc = this_cpu_ptr(&cpu_hw_events);

	if (!(event->hw.state & PERF_HES_STOPPED))
		return;
	set_period(event);
	event->hw.state = 0;
	cpuc->events[event->hw.idx] = event;
	__set_bit(event->hw.idx, cpuc->active_mask);
	if (event->attr.precise_ip)
		intel_pmu_pebs_enable(event);
	perf_event_update_userpage(event);
}

void cpu_ds_stop(struct perf_event *event, int flags)
{
	x86_pmu_stop(event, flags);
}

void cpu_ds_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		update(event);
}

/* ---- a CPU's buffer, and the kernel's tables ----------------------------------------------- */

/* intel_pmu_init(): what it says of these models */
static int __init set_machine(const struct vm_machine *machine)
{
	bool server = machine->model == 85;

	x86_pmu.version = 4;
	x86_pmu.num_counters = x86_pmu.max_pebs_events = 4;
	x86_pmu.num_counters_fixed = 3;
	x86_pmu.cntval_bits = COUNTER_BITS;
	x86_pmu.cntval_mask = GENMASK_ULL(COUNTER_BITS - 1, 0);
	x86_pmu.max_period = GENMASK_ULL(COUNTER_BITS - 2, 0);
	x86_pmu.pebs_prec_dist = true;
	x86_pmu.intel_cap.pebs_trap = 1;
	switch (machine->model) {
	case 85: /* Skylake-SP */
	case 94: /* Skylake */
		x86_pmu.intel_cap.pebs_format = 3;
		x86_pmu.pebs_constraints = intel_skl_pebs_event_constraints;
		intel_pmu_pebs_data_source_skl(server);
		return 0;
	case 143: /* Sapphire Rapids */
		x86_pmu.version = 5;
		x86_pmu.num_counters = x86_pmu.max_pebs_events = 8;
		x86_pmu.num_counters_fixed = 4;
		x86_pmu.intel_cap.pebs_format = 4;
		x86_pmu.intel_cap.pebs_baseline = 1;
		x86_pmu.pebs_constraints = intel_spr_pebs_event_constraints;
		x86_pmu.pebs_block = true;
		x86_pmu.flags = PMU_FL_INSTR_LATENCY | PMU_FL_MEM_LOADS_AUX;
		intel_pmu_pebs_data_source_skl(true);
		return 0;
	default:
		return -ENODEV;
	}
}

static int __init init_core(int cpu)
{
	struct cpu_hw_events *cpuc = per_cpu_ptr(&cpu_hw_events, cpu);
	void *buffer;

	cores[cpu] = kzalloc(sizeof(**cores), GFP_KERNEL);
	buffer = kzalloc(PEBS_BUFFER_SIZE, GFP_KERNEL);
	cpuc->ds_pebs_vaddr = buffer;
	if (!cores[cpu] || !buffer)
		return -ENOMEM;
	cpuc->ds = &cores[cpu]->store;
	cpuc->pebs_record_size = x86_pmu.pebs_record_size;
	cpuc->ds->pebs_buffer_base = cpuc->ds->pebs_index = (unsigned long)buffer;
	cpuc->ds->pebs_absolute_maximum = (unsigned long)buffer + PEBS_BUFFER_SIZE;
	return 0;
}

void cpu_ds_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kfree(per_cpu_ptr(&cpu_hw_events, cpu)->ds_pebs_vaddr);
		if (cores)
			kfree(cores[cpu]);
	}
	kfree(cores);
}

int __init cpu_ds_init(struct pmu *pmu, const struct vm_machine *machine)
{
	int cpu, error = set_machine(machine);

	if (error)
		return error;
	the_pmu = pmu;
	the_machine = machine;
	intel_ds_init();
	x86_pmu.pebs_active = 1;
	cores = kcalloc(nr_cpu_ids, sizeof(*cores), GFP_KERNEL);
	if (!cores)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		error = init_core(cpu);
		if (error)
			break;
	}
	if (error)
		cpu_ds_exit();
	return error;
}
