/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Intel's PEBS buffer on a modeled core: what an op left in it is turned into a
 * sample by the kernel's own arch/x86/events/intel/ds.c. With the few functions
 * of arch/x86/events/core.c that ds.c calls.
 */
#ifndef CPU_DS_H
#define CPU_DS_H

#include <linux/perf_event.h>

#include "model.h"

/* What is delivered of a sample, whoever reads it: the words of the checksum */
enum cpu_ds_word { CPU_DS_IP, CPU_DS_ADDR, CPU_DS_DATA_SRC, CPU_DS_WEIGHT, CPU_DS_WORDS };

/* Functions of the kernel that modules are not given */
struct cpu_ds_kernel {
	int (*overflow)(struct perf_event *, struct perf_sample_data *, struct pt_regs *);
	int (*output)(struct perf_event *, struct perf_sample_data *, struct pt_regs *);
	struct perf_callchain_entry *(*callchain)(struct perf_event *, struct pt_regs *);
	int (*account_interrupt)(struct perf_event *);
	void (*log_lost_samples)(struct perf_event *, u64);
	void (*sched_cb_inc)(struct pmu *);
	void (*sched_cb_dec)(struct pmu *);
};

extern struct cpu_ds_kernel cpu_ds_kernel;

/* The kernel's tables for this CPU, and memory for each CPU's buffer. 0 or an error */
int cpu_ds_init(struct pmu *pmu, const struct vm_machine *machine);
void cpu_ds_exit(void);
/* What /sys/devices/cpu/caps/max_precise says */
int cpu_ds_max_precise(void);

/*
 * The rules of x86_pmu_hw_config() and intel_pmu_hw_config(), as far as they
 * concern events of this model; sets event->hw.config and hw.flags.
 */
int cpu_ds_event_init(struct perf_event *event);

/* The PMU's callbacks, as core.c has them. add: -EAGAIN if no counter is free */
int cpu_ds_add(struct perf_event *event, int flags);
void cpu_ds_del(struct perf_event *event, int flags);
void cpu_ds_start(struct perf_event *event, int flags);
void cpu_ds_stop(struct perf_event *event, int flags);
void cpu_ds_read(struct perf_event *event);

/* Counters of this CPU that run now: bits; and the event of one */
u64 cpu_ds_active(void);
struct perf_event *cpu_ds_event(int counter);
/* What rdpmc reads */
u64 cpu_ds_counter(int counter);
/* 'n' more. true: the counter has overflown */
bool cpu_ds_count(int counter, unsigned int n);
/*
 * The interrupt of a counter that has overflown at an op: a record is written
 * and drained if the event is precise.
 *
 * @param regs  what runs next
 */
void cpu_ds_interrupt(int counter, const struct vm_operation *operation,
		      const struct vm_outcome *outcome, struct pt_regs *regs);

/* Likewise of one whose record is not written: the counter starts again. told: perf learns of it */
void cpu_ds_drop(int counter, bool told);

/* Samples that were handed to perf */
struct cpu_ds_counts {
	struct vm_checksum precise; /* made from a PEBS record */
	struct vm_checksum other;   /* of events that are not precise */
	/* What the model says of those whose records have a full data source */
	u64 levels[VM_LEVEL_COUNT];
	u64 walks, locked;
	u64 lost, forgotten; /* by a fault: with perf being told, and without */
};

const struct cpu_ds_counts *cpu_ds_counts(int cpu);
void cpu_ds_reset(void);

#endif
