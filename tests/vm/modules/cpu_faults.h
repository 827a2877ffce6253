/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Faults on purpose of the PMU like Intel's: between its counters, which overflow (cpu_ds.c), and the
 * records. Each counter has its own, of precise events alone.
 */
#ifndef CPU_FAULTS_H
#define CPU_FAULTS_H

#include "model.h"

/* 0 or -ENOMEM */
int cpu_faults_init(void);
void cpu_faults_exit(void);
/* What is drawn from then on, of all counters */
void cpu_faults_seed(u64 seed);

/*
 * For each op, of a counter of this CPU that runs: what is to be done. 'overflown': it does so at this op
 *
 * @return VM_FAULT_NOTHING; VM_FAULT_INTERRUPT: a record of cpu_faults_tagged() is to be written;
 *         VM_FAULT_FORGET: the counter is to be started again, and there is no record
 */
enum vm_fault_verdict cpu_faults_step(int counter, bool overflown, const struct vm_operation *operation,
				      const struct vm_outcome *outcome);
/* Is that record lost, and perf told so? */
bool cpu_faults_lose(int counter);
/* What it is of, by the address by which it names it */
void cpu_faults_tagged(int counter, struct vm_operation *operation, struct vm_outcome *outcome);
/* The counter is stopped: what waits is none any more. */
void cpu_faults_stop(int counter);

#endif
