// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See cpu_faults.h. */
#include <linux/perf_event.h>
#include <linux/vmalloc.h>
#include <asm/perf_event.h>

#include "cpu_faults.h"
#include "sampling_faults.h"

struct counter_faults {
	struct vm_fault_state state;
	/* that its record is of, which a skid puts off */
	struct vm_operation operation;
	struct vm_outcome outcome;
};

static struct counter_faults *all; /* of each CPU one behind the other */

static struct counter_faults *faults_of(int counter)
{
	return &all[smp_processor_id() * X86_PMC_IDX_MAX + counter];
}

void cpu_faults_seed(u64 seed)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids * X86_PMC_IDX_MAX; i++)
		vm_fault_seed(&all[i].state, seed + i);
}

int cpu_faults_init(void)
{
	all = vzalloc(array_size(nr_cpu_ids * X86_PMC_IDX_MAX, sizeof(*all)));
	if (!all)
		return -ENOMEM;
	cpu_faults_seed(1);
	return 0;
}

void cpu_faults_exit(void)
{
	vfree(all);
}

enum vm_fault_verdict cpu_faults_step(int counter, bool overflown, const struct vm_operation *operation,
				      const struct vm_outcome *outcome)
{
	struct counter_faults *faults = faults_of(counter);
	const struct vm_faults *rules = &sampling_faults.of_samples;
	enum vm_fault_verdict verdict =
		vm_fault_step(rules, &faults->state, overflown, operation, outcome);

	if (verdict == VM_FAULT_TAG) {
		faults->operation = *operation;
		faults->outcome = *outcome;
		verdict = faults->state.skid_left ? VM_FAULT_NOTHING : VM_FAULT_INTERRUPT;
	}
	if (verdict == VM_FAULT_INTERRUPT)
		faults->operation.ip = vm_fault_address(rules, &faults->state, operation->ip);
	return verdict;
}

bool cpu_faults_lose(int counter)
{
	return vm_fault_happens(&faults_of(counter)->state, sampling_faults.lost);
}

void cpu_faults_tagged(int counter, struct vm_operation *operation, struct vm_outcome *outcome)
{
	*operation = faults_of(counter)->operation;
	*outcome = faults_of(counter)->outcome;
}

void cpu_faults_stop(int counter)
{
	vm_fault_stop(&faults_of(counter)->state);
}
